package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Fields by which a task says that a file is one of its own, the strongest first.
const (
	byLocks    = "fileLocks"
	byPaths    = "paths"
	byEvidence = "evidence"
)

// fileClaim is a task's word that a file is its own.
type fileClaim struct {
	task  *resources.Task
	field string
	glob  string
}

// cite is where it says so.
func (c fileClaim) cite() string {
	return "tasks/" + c.task.Metadata.Name + " spec." + c.field + " = " + quote(c.glob)
}

// filesOf tells whose a file is, as seen from the work on one task.
type filesOf struct {
	own     *resources.Task // nil: none
	view    View
	taken   func(*resources.Task) bool // whether somebody else holds a task; nil: nobody asks
	tracked []string                   // what git tracks, once counted is there
	counted map[string]bool            // whether a glob is broad
}

func newFilesOf(own *resources.Task, view View) *filesOf {
	return &filesOf{own: own, view: view}
}

// FilesByTask sorts files that were written under a task by the names of the tasks for which they
// count: that one, if it names the file or nobody does, else the one whose file it is.
func FilesByTask(files []string, own *resources.Task, view View) map[string][]string {
	f, by := newFilesOf(own, view), map[string][]string{}
	for _, file := range files {
		name := f.taskOf(file).Metadata.Name
		by[name] = append(by[name], file)
	}
	return by
}

func (f *filesOf) taskOf(file string) *resources.Task {
	if !f.isOwn(file) {
		for _, c := range f.claims(file) {
			if f.counts(c) {
				return c.task
			}
		}
	}
	return f.own
}

// counts reports whether a file counts for who claims it. Where the own task says nothing of
// files, all are as much its own as of one whose glob names many.
func (f *filesOf) counts(c fileClaim) bool {
	return f.own != nil && claimsFiles(f.own) || !f.broad(c.glob)
}

// isOwn reports whether the own task names a file.
func (f *filesOf) isOwn(file string) bool { return f.own != nil && len(claimsOf(f.own, file)) > 0 }

// claims are those on a file of the open tasks that are not only planned ahead and whose plan is
// active, but the own one and what that is a part of, unless others hold that and the part does not name
// the file: the strongest first, of each task's own the
// strongest alone that does not name too many files, or else the strongest.
func (f *filesOf) claims(file string) []fileClaim {
	var found []fileClaim
	same := f.line()
	for _, name := range f.view.FileTasks(file) {
		t, ok := f.view.Task(name)
		if !ok || !status.LiveTask(t) || t.Spec.PlanAhead {
			continue
		}
		if slices.Contains(same, name) && (t == f.own || f.taken == nil || !f.taken(t) || f.isOwn(file)) {
			continue
		}
		if of := claimsOf(t, file); len(of) > 0 && f.planned(t) {
			narrow := 0
			for len(of) > 1 && narrow < len(of) && f.broad(of[narrow].glob) {
				narrow++
			}
			found = append(found, of[narrow%len(of)])
		}
	}
	slices.SortStableFunc(found, func(a, b fileClaim) int {
		return cmp.Or(cmp.Compare(strength(a), strength(b)), first(a.task, b.task))
	})
	return found
}

// strength orders the fields by which files are claimed.
func strength(c fileClaim) int {
	return slices.Index([]string{byLocks, byPaths, byEvidence}, c.field)
}

// first orders two tasks that claim one file: the one that is being worked on, the one that matters more, the older one, by name.
func first(a, b *resources.Task) int {
	worked := func(t *resources.Task) int {
		if resources.TaskState(t) == resources.TaskActive {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(worked(a), worked(b)),
		cmp.Compare(resources.PriorityRank(a.Spec.Priority), resources.PriorityRank(b.Spec.Priority)),
		a.Metadata.CreationTimestamp.Compare(b.Metadata.CreationTimestamp.Time), // as it was made, not as it was last edited
		strings.Compare(a.Metadata.Name, b.Metadata.Name),
	)
}

// claimsFiles reports whether a task names any files.
func claimsFiles(t *resources.Task) bool {
	return len(t.Spec.FileLocks) > 0 || len(t.Spec.Paths) > 0 ||
		slices.ContainsFunc(t.Spec.Evidence, func(item resources.EvidenceItem) bool { return item.File != "" })
}

// claimsOf are those of a task on a file, the strongest first.
func claimsOf(t *resources.Task, file string) (found []fileClaim) {
	add := func(field string, globs ...string) {
		for _, glob := range globs {
			if glob != "" && resources.MatchesAny(file, []string{glob}) {
				found = append(found, fileClaim{t, field, glob})
			}
		}
	}
	add(byLocks, t.Spec.FileLocks...)
	add(byPaths, t.Spec.Paths...)
	for _, item := range t.Spec.Evidence {
		add(byEvidence, item.File)
	}
	return found
}

// line is the own task and those that it is a part of.
func (f *filesOf) line() (names []string) {
	for t := f.own; t != nil && !slices.Contains(names, t.Metadata.Name); t, _ = f.view.Task(t.Spec.Parent) {
		names = append(names, t.Metadata.Name)
	}
	return names
}

// planned reports whether a task's plan is being worked on; one that cannot be read may be.
func (f *filesOf) planned(t *resources.Task) bool {
	p, ok := f.view.Plan(t.Spec.WorkPlan)
	return ok && p.Spec.State == resources.PlanActive || !ok && f.view.Exists(resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan})
}

// broad reports whether a glob names so many files that it says little of any: more than a
// tenth of what git tracks, and not one alone. Where nobody can tell, it does not.
func (f *filesOf) broad(glob string) bool {
	if !resources.IsGlob(glob) && !strings.HasSuffix(glob, "/") { // one file at most
		return false
	}
	if f.counted == nil {
		f.tracked, f.counted = f.view.TrackedFiles(), map[string]bool{}
	}
	broad, known := f.counted[glob]
	if !known {
		broad = f.matchesMany(glob)
		f.counted[glob] = broad
	}
	return broad
}

func (f *filesOf) matchesMany(glob string) bool {
	matched := 0
	for _, file := range f.tracked {
		if resources.MatchesAny(file, []string{glob}) {
			if matched++; matched > 1 && matched*10 > len(f.tracked) {
				return true
			}
		}
	}
	return false
}

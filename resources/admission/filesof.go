package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Fields by which a task claims a file, strongest first.
const (
	byLocks    = "fileLocks"
	byPaths    = "paths"
	byEvidence = "evidence"
)

// fileClaim is the claim of a task on a file.
type fileClaim struct {
	task  *resources.Task
	field string
	glob  string
	file  string
}

// cite returns the source of the claim.
func (c fileClaim) cite() string {
	return "tasks/" + c.task.Metadata.Name + " spec." + c.field + " = " + quote(c.glob)
}

// filesOf finds the owner of files from the view of one task.
type filesOf struct {
	ownTask     *resources.Task // optional
	view        View
	heldByOther func(*resources.Task) bool // reports whether another session or user holds a task; nil means not checked
	tracked     []string                   // files tracked by git, valid if counted is set
	counted     map[string]bool            // whether a glob is broad
}

// newFilesOf returns the lookup of file owners for a caller with this task, which may be nil.
func newFilesOf(own *resources.Task, view View) *filesOf {
	return &filesOf{ownTask: own, view: view}
}

// FilesByTask groups files written under a task by the task that they count for: that task
// if it names the file or no task does, otherwise the task that owns the file.
func FilesByTask(files []string, own *resources.Task, view View) map[string][]string {
	f, by := newFilesOf(own, view), map[string][]string{}
	for _, file := range files {
		name := f.taskOf(file).Metadata.Name
		by[name] = append(by[name], file)
	}
	return by
}

// taskOf returns the task for which a write to a file counts: another task that claims the file, or
// else the own task, which may be nil.
func (f *filesOf) taskOf(file string) *resources.Task {
	if !f.isOwn(file) {
		for _, c := range f.claims(file) {
			if f.counts(c) {
				return c.task
			}
		}
	}
	return f.ownTask
}

// counts reports whether a file counts for the claiming task. If the own task names no
// files, broad claims of other tasks do not count.
func (f *filesOf) counts(c fileClaim) bool {
	return f.ownTask != nil && claimsFiles(f.ownTask) || !f.broad(c)
}

// isOwn reports whether the own task names a file.
func (f *filesOf) isOwn(file string) bool {
	return f.ownTask != nil && len(claimsOf(f.ownTask, file)) > 0
}

// claims returns the claims on a file by open tasks of active plans that are not deferred.
// The own task and its parents are excluded, unless a parent has another holder and the
// own task does not name the file. Strongest claims come first. Each task has one claim:
// the strongest that is not broad, otherwise the strongest.
func (f *filesOf) claims(file string) []fileClaim {
	var found []fileClaim
	same := f.line()
	for _, name := range f.view.FileTasks(file) {
		t, ok := f.view.Task(name)
		if !ok || !status.LiveTask(t) || t.Spec.PlanAhead {
			continue
		}
		if slices.Contains(same, name) && (t == f.ownTask || f.heldByOther == nil || !f.heldByOther(t) || f.isOwn(file)) {
			continue
		}
		if of := claimsOf(t, file); len(of) > 0 && f.planned(t) {
			narrow := 0
			for len(of) > 1 && narrow < len(of) && f.broad(of[narrow]) {
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

// strength orders the claim fields by strength.
func strength(c fileClaim) int {
	return slices.Index([]string{byLocks, byPaths, byEvidence}, c.field)
}

// first orders two tasks with claims on a file: active tasks first, then by priority, age
// and name.
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
		a.Metadata.CreationTimestamp.Compare(b.Metadata.CreationTimestamp.Time), // creation time, not last edit
		strings.Compare(a.Metadata.Name, b.Metadata.Name),
	)
}

// claimsFiles reports whether a task names files.
func claimsFiles(t *resources.Task) bool {
	return len(t.Spec.FileLocks) > 0 || len(t.Spec.Paths) > 0 ||
		slices.ContainsFunc(t.Spec.Evidence, func(item resources.EvidenceItem) bool { return item.File != "" })
}

// claimsOf returns a task's claims on a file, strongest first.
func claimsOf(t *resources.Task, file string) (found []fileClaim) {
	add := func(field string, globs ...string) {
		for _, glob := range globs {
			if glob != "" && resources.MatchesAny(file, []string{glob}) {
				found = append(found, fileClaim{t, field, glob, file})
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

// line returns the own task and its parents.
func (f *filesOf) line() (names []string) {
	for t := f.ownTask; t != nil && !slices.Contains(names, t.Metadata.Name); t, _ = f.view.Task(t.Spec.Parent) {
		names = append(names, t.Metadata.Name)
	}
	return names
}

// planned reports whether the plan of a task is active. Invalid plans may be.
func (f *filesOf) planned(t *resources.Task) bool {
	p, ok := f.view.Plan(t.Spec.WorkPlan)
	return ok && p.Spec.State == resources.PlanActive || !ok && f.view.Exists(resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan})
}

// broad reports whether a claim's glob also matches other files, and more than a tenth of all
// tracked files, so that the claim is weak. It returns false if the number of files is unknown.
func (f *filesOf) broad(c fileClaim) bool {
	if c.glob == c.file {
		return false
	}
	if f.counted == nil {
		f.tracked, f.counted = f.view.TrackedFiles(), map[string]bool{}
	}
	broad, known := f.counted[c.glob]
	if !known {
		broad = f.matchesMany(c.glob)
		f.counted[c.glob] = broad
	}
	return broad
}

// matchesMany reports whether a pattern matches more than one file and more than a tenth of the
// tracked files.
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

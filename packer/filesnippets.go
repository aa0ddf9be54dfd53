package packer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// maxExcerpt is the maximal length of one of several texts, in characters. leastOfFile is the least
// room for the first entry about a file.
const (
	maxExcerpt  = 160
	leastOfFile = 85
)

// FileWork describes what the caller is doing. It decides which entries come first if not all fit.
type FileWork struct {
	Words func() string // words of the task and of the prompt
	Room  int           // in characters
	Edits bool          // a change of the file is about to happen
}

// FileSnippets returns the knowledge about a file of the repository, without
// entries for which known returns true: a note if it is a planning document
// that needs one (documentSnippet), then mems and anchors that cite it, apply
// to it or name it, then decisions about it. Of the mems and anchors, false
// paths come first, then entries that share most words with the work, then
// gotchas, then the youngest. Entries that do not fit whole are left out, except
// the first.
func FileSnippets(s Source, file string, work FileWork, known func(Snippet) bool) []Snippet {
	var all []Snippet
	if t, ok := documentSnippet(s, file, work); ok && !known(t) {
		all = append(all, t)
		work.Room -= tokens.Measure(t.Text).Characters + len("\n")
	}
	var list []*fact
	twins := map[string]bool{}
	for _, f := range factsAbout(s, file) {
		if t := f.snippet(work.Room); !known(t) && !twins[t.TextHash] {
			twins[t.TextHash] = true
			list = append(list, f)
		}
	}
	decisions := decisionsAbout(s, file, list, known)
	for _, t := range decisions {
		work.Room -= tokens.Measure(t.Text).Characters + len("\n")
	}
	if len(all)+len(decisions) > 0 && work.Room < leastOfFile {
		return append(all, decisions...)
	}
	if len(list) > 1 {
		sortByUrgency(list, work.Words())
	}
	for i, f := range list {
		t := f.snippet(work.Room - len("\n"))
		if known(t) || t.Truncated && i > 0 { // only the first entry is cut, if it alone is too long
			continue
		}
		all = append(all, t)
		work.Room -= tokens.Measure(t.Text).Characters + len("\n")
	}
	return append(all, decisions...)
}

// factsAbout returns the mems and anchors that cite a file, apply to it or name it.
func factsAbout(s Source, file string) (list []*fact) {
	for _, name := range s.Naming(resources.Mems, file) {
		if m := s.Mem(name); m == nil || !isAbout(&m.Spec, file) {
			continue // checked first, because deriving a status takes longer
		}
		if f := factByID(s, memIDs+name); f != nil && canShow(f) {
			list = append(list, f)
		}
	}
	for _, name := range s.Naming(resources.Anchors, file) {
		f := factByID(s, anchorIDs+name)
		if f != nil && canShow(f) && f.anchor.Object.Spec.Source != nil && f.anchor.Object.Spec.Source.File == file {
			list = append(list, f)
		}
	}
	return list
}

// canShow reports whether a mem or an anchor may be shown to a reader without a task that it is
// linked to.
func canShow(f *fact) bool {
	if f.anchor != nil {
		return !anchorHidden(f.anchor)
	}
	return whyNot(f.phase, unlinked) == ""
}

// isAbout reports whether a mem cites a file, applies to it or names it.
func isAbout(spec *resources.MemSpec, file string) bool {
	if slices.ContainsFunc(spec.Evidence, func(e resources.MemEvidence) bool {
		return e.Path == file || resources.IsGlob(e.Path) && resources.MatchGlob(e.Path, file)
	}) {
		return true
	}
	if when := spec.AppliesWhen; when != nil && resources.MatchesAny(file, when.Paths) {
		return true
	}
	if text := spec.Title + "\n" + spec.Content; strings.Contains(text, file) {
		for named := range resources.PathsIn(text) {
			if named == file {
				return true
			}
		}
	}
	return false
}

// sortByUrgency sorts entries about a file: false paths, then by words shared with the work, then
// gotchas, then the youngest.
func sortByUrgency(list []*fact, work string) {
	shared := sharedWords(list, work)
	rank := func(f *fact) int {
		switch {
		case f.falsePath:
			return 2
		case f.mem != nil && resources.MemType(f.mem.Object) == gotcha:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b *fact) int {
		return cmp.Or(
			cmp.Compare(rank(b)/2, rank(a)/2), cmp.Compare(shared[b], shared[a]),
			cmp.Compare(rank(b), rank(a)), cmp.Compare(b.created, a.created),
		)
	})
}

// sharedWords returns for each fact its score of words in common with a text. A word that several
// facts contain is divided among them.
func sharedWords(list []*fact, text string) map[*fact]int {
	const word = 60 // divisible by most numbers of facts
	asked, holders := map[string]bool{}, map[string][]*fact{}
	for _, term := range search.Terms(text) {
		asked[term] = true
	}
	for _, f := range list {
		for _, term := range search.Terms(f.words()) {
			if has := holders[term]; asked[term] && (len(has) == 0 || has[len(has)-1] != f) {
				holders[term] = append(has, f)
			}
		}
	}
	shared := map[*fact]int{}
	for _, has := range holders {
		for _, f := range has {
			shared[f] += word / len(has)
		}
	}
	return shared
}

// FileClaims returns a snippet for each live task that claims a file, tasks
// that lock it first. It returns at most maxTaskKnowledge of the other tasks.
func FileClaims(s Source, file string) []Snippet {
	var locked, others []Snippet
	names := append(slices.Clone(s.Naming(resources.Tasks, file)), s.TasksInState(resources.TaskActive)...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		t, ok := s.Task(name)
		if !ok || !status.LiveTask(t) {
			continue
		}
		what := claim(s, t, file)
		if what == "" || what != lockedBy && len(others) == maxTaskKnowledge {
			continue
		}
		derived, _ := status.DeriveTask(t, s)
		text := line(fmt.Sprintf("%s task %s [%s] of plan %s", what, name, derived.Phase, t.Spec.WorkPlan))
		told := Snippet{ID: resources.Tasks + "/" + name, TextHash: textHash(file + "\n" + text), Text: "- " + text}
		if what == lockedBy {
			locked = append(locked, told)
		} else {
			others = append(others, told)
		}
	}
	return append(locked, others...)
}

// lockedBy is the claim of an active task that locks the file.
const lockedBy = "locked by"

// claim returns how a task claims a file, as the beginning of a sentence; empty
// if it does not.
func claim(s Source, t *resources.Task, file string) string {
	matches := func(pattern string) bool { return pattern != "" && resources.MatchGlob(pattern, file) }
	switch {
	case resources.TaskState(t) == resources.TaskActive && slices.ContainsFunc(t.Spec.FileLocks, matches):
		return lockedBy
	case slices.Contains(s.Evidence(t.Metadata.Name).Files, file):
		return "written for"
	case slices.ContainsFunc(t.Spec.Evidence, func(e resources.EvidenceItem) bool { return matches(e.File) }):
		return "expected of"
	}
	return ""
}

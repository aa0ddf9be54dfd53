package packer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxExcerpt is how long one of several texts is told, in characters, and mostOfFile how long, together with
// the file's name, what alone is known of it.
const (
	maxExcerpt = 160
	mostOfFile = 290
)

// About tells what is known of a file of the repository: what failed in it, then what surprises there, then
// the mems and anchors that cite it, apply to it or name it; of each the youngest first.
func About(s Source, file string) []Told {
	var known []*fact
	for _, name := range s.Naming(resources.Mems, file) {
		if m := s.Mem(name); m == nil || !concerns(&m.Spec, file) {
			continue // what holds about it takes longer to find out
		}
		if f := factNamed(s, memIDs+name); f != nil && tellable(f) {
			known = append(known, f)
		}
	}
	for _, name := range s.Naming(resources.Anchors, file) {
		f := factNamed(s, anchorIDs+name)
		if f != nil && tellable(f) && f.anchor.Object.Spec.Source != nil && f.anchor.Object.Spec.Source.File == file {
			known = append(known, f)
		}
	}
	slices.SortStableFunc(known, (*fact).byUrgency)
	most := maxExcerpt
	if len(known) == 1 {
		most = max(most, mostOfFile-len(file))
	}
	var all []Told
	for _, f := range known {
		t := f.told(most)
		if !slices.ContainsFunc(all, func(other Told) bool { return other.Twin == t.Twin }) {
			all = append(all, t)
		}
	}
	return all
}

// tellable reports whether a mem or an anchor may be told to somebody who works on nothing that it is
// linked to.
func tellable(f *fact) bool {
	if f.anchor != nil {
		return !anchorHidden(f.anchor)
	}
	return whyNot(f.phase, unlinked) == ""
}

// concerns reports whether a mem cites a file, applies to it or names it.
func concerns(spec *resources.MemSpec, file string) bool {
	if slices.ContainsFunc(spec.Evidence, func(e resources.MemEvidence) bool { return e.Path == file }) {
		return true
	}
	if when := spec.AppliesWhen; when != nil && slices.ContainsFunc(when.Paths, func(glob string) bool { return resources.MatchGlob(glob, file) }) {
		return true
	}
	text := spec.Title + "\n" + spec.Content
	if strings.Contains(text, file) {
		for named := range resources.PathsIn(text) {
			if named == file {
				return true
			}
		}
	}
	return false
}

// byUrgency orders what is known of a file: what went wrong first, then what was learnt last.
func (f *fact) byUrgency(other *fact) int {
	rank := func(f *fact) int {
		switch {
		case f.falsePath:
			return 0
		case f.mem != nil && resources.MemType(f.mem.Object) == gotcha:
			return 1
		}
		return 2
	}
	if c := rank(f) - rank(other); c != 0 {
		return c
	}
	return int(min(1, max(-1, other.made-f.made)))
}

// Claims tells which live tasks have to do with a file, those that have locked it first.
func Claims(s Source, file string) []Told {
	var locked, others []Told
	names := append(slices.Clone(s.Naming(resources.Tasks, file)), s.TasksInState(resources.TaskActive)...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		t, ok := s.Task(name)
		if !ok || !status.LiveTask(t) {
			continue
		}
		what := claim(s, t, file)
		if what == "" || what != lockedBy && len(others) == maxBearing {
			continue
		}
		derived, _ := status.DeriveTask(t, s)
		text := line(fmt.Sprintf("%s task %s [%s] of plan %s", what, name, derived.Phase, t.Spec.WorkPlan))
		told := Told{ID: resources.Tasks + "/" + name, Twin: twinOf(file + "\n" + text), Text: "- " + text}
		if what == lockedBy {
			locked = append(locked, told)
		} else {
			others = append(others, told)
		}
	}
	return append(locked, others...)
}

// lockedBy is what a task that is being worked on does with the files of its locks.
const lockedBy = "locked by"

// claim is what a task has to do with a file, "" for nothing.
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

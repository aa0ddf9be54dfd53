package packer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxExcerpt is how much is said of one text, in characters.
const maxExcerpt = 160

// About says what is known of a file of the repository, a line each: false paths and other mems
// about it, who has locked or written it and for what plan, what was decided about it. Plain text,
// not escaped.
func About(s Source, file string) []string {
	var falsePaths, others []string
	for _, key := range s.List(resources.Mems) {
		object, _ := s.Get(key)
		m, ok := object.(*resources.Mem)
		if !ok || !strings.Contains(m.Spec.Content+"\n"+m.Spec.Source, file) {
			continue
		}
		if status, _ := memory.Assess(m, s); status.Phase != resources.Fresh && status.Phase != resources.Fading {
			continue
		}
		line := resources.MemType(m) + ": " + shortened(m.Spec.Content) + " (mems/" + key.Name + ")"
		if m.Spec.Type == resources.FalsePath {
			falsePaths = append(falsePaths, line)
		} else {
			others = append(others, line)
		}
	}
	tasks := tasksOf(s, file)
	for _, key := range s.List(resources.Anchors) {
		object, _ := s.Get(key)
		a, ok := object.(*resources.Anchor)
		if !ok || a.Spec.Source == nil || a.Spec.Source.File != file {
			continue
		}
		if status, _ := status.DeriveAnchor(a, s); status.Phase == resources.Fresh {
			tasks = append(tasks, resources.AnchorType(a)+": "+shortened(a.Spec.Content)+" (anchors/"+key.Name+")")
		}
	}
	return slices.Concat(falsePaths, others, tasks)
}

// tasksOf lists live tasks that have to do with a file, those that have locked it first.
func tasksOf(s Source, file string) []string {
	var locked, other []string
	for _, key := range s.List(resources.Tasks) {
		t, ok := s.Task(key.Name)
		if !ok || !status.LiveTask(t) {
			continue
		}
		status, _ := status.DeriveTask(t, s)
		where := fmt.Sprintf("task %q [%s] of plan %q", t.Metadata.Name, status.Phase, t.Spec.WorkPlan)
		matches := func(pattern string) bool { return pattern != "" && resources.MatchGlob(pattern, file) }
		switch {
		case resources.TaskState(t) == resources.TaskActive && slices.ContainsFunc(t.Spec.FileLocks, matches):
			locked = append(locked, "locked by "+where)
		case slices.Contains(s.Evidence(t.Metadata.Name).Files, file):
			other = append(other, "written for "+where)
		case slices.ContainsFunc(t.Spec.Evidence, func(e resources.EvidenceItem) bool { return matches(e.File) }):
			other = append(other, "expected of "+where)
		}
	}
	return append(locked, other...)
}

// shortened is a text in one line, cut.
func shortened(text string) string {
	runes := []rune(strings.Join(strings.Fields(clean(text)), " "))
	if len(runes) > maxExcerpt {
		return string(runes[:maxExcerpt]) + "..."
	}
	return string(runes)
}

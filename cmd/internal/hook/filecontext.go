package hook

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A prompt that names files gets what is known of them: who has locked or written them and
// for what plan, what was decided about them, what went wrong there. Each is said once in a
// session, until the whole pack comes again.

// Limits of what is said at a prompt.
const (
	maxFilesNamed = 5
	maxPerFile    = 5
	maxSaid       = 160 // characters of one text
	maxTold       = 200 // lines that are remembered as said
)

// filesNamed lists files of the repository that a text names, each once, in their order: what
// looks like a path, and is there or was.
func filesNamed(text string, known func(string) bool) []string {
	var files []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()[]{}<>,;|", r) }) {
		file := asPath(word)
		if file != "" && !slices.Contains(files, file) && known(file) {
			if files = append(files, file); len(files) == maxFilesNamed {
				break
			}
		}
	}
	return files
}

// asPath is a word as a path from the repository's root, "" if it is none: "@src/a.go",
// "./src/a.go:12", "a.go.".
func asPath(word string) string {
	word = strings.TrimLeft(word, "@")
	word = strings.TrimRight(word, ".:!?*_")
	if file, line, cut := strings.Cut(word, ":"); cut && strings.Trim(line, "0123456789:-") == "" {
		word = file
	}
	if len(word) > 300 || !strings.ContainsAny(word, "/.") || strings.Contains(word, "://") {
		return ""
	}
	word = path.Clean(filepath.ToSlash(word))
	if !filepath.IsLocal(filepath.FromSlash(word)) || word == "." || word == ".idumb" || strings.HasPrefix(word, ".idumb/") {
		return ""
	}
	return word
}

// fileContext is what is to be said of the files that the prompt names.
func (h *handler) fileContext() string {
	if !h.repo.trusted() || h.event.Text == "" {
		return ""
	}
	files := filesNamed(h.event.Text, func(file string) bool { return exists(h.repo.root.Abs(file)) })
	if len(files) == 0 || h.repo.crowd() > enough {
		return ""
	}
	s := h.repo.snapshot()
	memo := h.readMemo()
	var text strings.Builder
	for _, file := range files {
		about := slices.DeleteFunc(knownOf(s, file), func(line string) bool { return slices.Contains(memo.Told, idOf(file, line)) })
		if len(about) == 0 {
			continue
		}
		about = about[:min(len(about), maxPerFile)]
		text.WriteString("FILE " + admission.Plain(file) + ":\n")
		for _, line := range about {
			text.WriteString("- " + line + "\n")
			memo.Told = append(memo.Told, idOf(file, line))
		}
	}
	if text.Len() == 0 || characters(text.String()) > h.limit {
		return ""
	}
	memo.Told = memo.Told[max(0, len(memo.Told)-maxTold):]
	h.writeMemo(memo)
	return text.String()
}

// knownOf walks from a file to what is known of it, and from tasks to their plans: false paths
// and locks first.
func knownOf(s *resources.Snapshot, file string) []string {
	var list []string
	for _, key := range s.List(resources.Mems) {
		object, _ := s.Get(key)
		m, ok := object.(*resources.Mem)
		if !ok || !strings.Contains(m.Spec.Content+"\n"+m.Spec.Source, file) {
			continue
		}
		if status, _ := resources.DeriveMem(m, s); status.Phase == resources.Fresh || status.Phase == resources.Fading {
			list = append(list, cmp.Or(m.Spec.Type, "insight")+": "+said(m.Spec.Content)+" (mems/"+key.Name+")")
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	tasks := tasksOf(s, file)
	for _, key := range s.List(resources.Anchors) {
		object, _ := s.Get(key)
		a, ok := object.(*resources.Anchor)
		if !ok || a.Spec.Source == nil || a.Spec.Source.File != file {
			continue
		}
		if status, _ := resources.DeriveAnchor(a, s); status.Phase == resources.Fresh {
			tasks = append(tasks, cmp.Or(a.Spec.Type, "context")+": "+said(a.Spec.Content)+" (anchors/"+key.Name+")")
		}
	}
	return append(list, tasks...)
}

func rankOf(line string) int {
	if strings.HasPrefix(line, "false_path:") {
		return 0
	}
	return 1
}

// tasksOf lists live tasks that have to do with a file, those that have locked it first.
func tasksOf(s *resources.Snapshot, file string) []string {
	var locked, other []string
	for _, key := range s.List(resources.Tasks) {
		t, ok := s.Task(key.Name)
		if !ok || !resources.LiveTask(t) {
			continue
		}
		status, _ := resources.DeriveTask(t, s)
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

// said is a text in one line, cut.
func said(text string) string {
	runes := []rune(admission.Plain(text))
	if len(runes) > maxSaid {
		return string(runes[:maxSaid]) + "..."
	}
	return string(runes)
}

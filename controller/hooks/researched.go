package hooks

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// notesTold holds the notes of researchers during their delivery. Each is
// delivered once.
const notesTold = layout.ResearchNotes + ".told"

// results returns the results that came since the last turn: of research, and of
// tasks that the session's subagents completed.
func (h *handler) results() string { return h.researched() + h.gathered() }

// maxGathered limits the results of one prompt, and the length of each, in
// characters.
const (
	maxGathered     = 3
	maxGatheredText = 200
)

// gathered returns the evidence of tasks that the session handed to subagents and
// that they completed, each once. The answer of a call contains the report of a
// subagent that has ended, so its task is only noted then.
func (h *handler) gathered() string {
	var handed []string
	for line := range bytes.Lines(h.repo.notes(resources.NameOfID(h.event.Session), notesSpawns)) {
		var s spawn
		if json.Unmarshal(line, &s) != nil || s.Parent != h.sessionName() {
			continue
		}
		for _, name := range s.Handed {
			if d, ok := h.repo.Delegation(name); ok {
				handed = append(handed, d.Spec.Task)
			}
		}
		handed = append(handed, s.Tasks...)
	}
	if len(handed) == 0 || !h.canDeliver() {
		return ""
	}
	m := h.readState()
	var lines []string
	for _, name := range handed {
		t, ok := h.repo.Task(name)
		if !ok || len(lines) == maxGathered || t.Spec.State != resources.TaskCompleted || t.Spec.Result == nil || slices.Contains(m.Gathered, name) {
			continue
		}
		m.Gathered = append(m.Gathered, name)
		result := []rune(admission.Plain(t.Spec.Result.Evidence))
		if len(result) > maxGatheredText {
			result = append(result[:maxGatheredText], []rune("... (`idumb describe task "+name+"`)")...)
		}
		lines = append(lines, "RESULT of task "+name+": "+string(result)+"\n")
	}
	if len(lines) > 0 {
		h.updateState(func(now *sessionState) { now.Gathered = m.Gathered })
	}
	return strings.Join(lines, "")
}

// researched returns the results of the session's research since the last turn.
func (h *handler) researched() string {
	name := h.sessionName()
	if name == "" || !h.repo.trusted() || len(h.readNotes(layout.ResearchNotes)) == 0 {
		return ""
	}
	d, err := h.repo.Open(layout.HookDir)
	if err != nil {
		return ""
	}
	defer d.Close()
	if d.Rename(path.Base(layout.NotesPath(name, layout.ResearchNotes)), d, path.Base(layout.NotesPath(name, notesTold))) != nil {
		return ""
	}
	var text strings.Builder
	for line := range bytes.Lines(h.readNotes(notesTold)) {
		text.WriteString(admission.Plain(string(line)) + ".\n")
	}
	return text.String()
}

package hooks

import (
	"bytes"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
)

// notesTold holds the notes of researchers during their delivery. Each is
// delivered once.
const notesTold = layout.ResearchNotes + ".told"

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

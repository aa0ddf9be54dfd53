package hooks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// ExportOf returns the export of a session: the content of its record and
// objects, and the notes of the hook below root. The caller sets the anchors: a
// packer knows them, any other caller uses NameAnchors.
func ExportOf(root Root, s *resources.Session, v memory.ExportView, reason string) memory.Export {
	record := *s
	CatchUp(root, s.Metadata.Name, &record.Spec.Counters)
	e := memory.ExportOf(&record, v, reason)
	calls := callsOf(root, e.Record)
	e.Tools = toolsIn(calls)
	e.Calls = slices.Clip(calls[max(0, len(calls)-maxExportCalls):])
	addDone(&e, notesOf(root, e.Record, notesDone))
	e.Findings, e.LastMessage, e.Notes = foundOf(root, e.Record), LastWords(root, e.Record), NotesOf(root, e.Record)
	e.Previous = lastExport(root, e.Record)
	return e
}

// foundOf returns the sentences in which the agent of a session reported
// findings.
func foundOf(root Root, session string) (found []string) {
	for line := range strings.Lines(string(notesOf(root, session, notesFound))) {
		found = append(found, strings.TrimSpace(line))
	}
	return found
}

// NotesOf returns the notes to keep for a session, given the name of its
// record, oldest first.
func NotesOf(root Root, session string) (notes []memory.ExportNote) {
	for line := range strings.Lines(string(notesOf(root, session, notesKept))) {
		var n memory.ExportNote
		if json.Unmarshal([]byte(line), &n) == nil && n.Text != "" {
			notes = append(notes, n)
		}
	}
	return notes
}

// KeepNote adds a note for the exports of a session.
func KeepNote(root Root, session string, n memory.ExportNote) error {
	data, err := json.Marshal(n)
	if err == nil {
		var dir *layout.OpenDir
		if dir, err = root.Make(layout.HookDir); err == nil {
			dir.Close()
			err = root.Append(layout.NotesPath(session, notesKept), append(data, '\n'))
		}
	}
	if err != nil {
		return fmt.Errorf("the note on sessions/%s was not kept: %w", session, err)
	}
	return nil
}

// ExportsOf returns the file names of a session's exports, given the name of
// its record, oldest first.
func ExportsOf(root Root, session string) []string {
	names, _ := root.Names(layout.ExportsDir)
	var own []string
	for _, name := range names {
		stamp, isExport := strings.CutSuffix(strings.TrimPrefix(name, session+"-"), ".json")
		if isExport && strings.HasPrefix(name, session+"-") && strings.Trim(stamp, "0123456789") == "" {
			own = append(own, name)
		}
	}
	slices.SortFunc(own, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return own
}

// lastExport returns the name of a session's newest export. It returns "" if none exists.
func lastExport(root Root, session string) string {
	if own := ExportsOf(root, session); len(own) > 0 {
		return own[len(own)-1]
	}
	return ""
}

// MaxExport is the maximum size of an export that is read, in bytes. The export
// of a split session contains its conversation.
const MaxExport = 32 << 20

// ReadExport reads and validates an export, given its file name.
func ReadExport(root Root, name string) (*memory.Export, error) {
	data, _, err := root.Read(path.Join(layout.ExportsDir, name), MaxExport)
	if err != nil {
		return nil, err
	}
	return memory.ReadExport(data)
}

// Limits of the exports that a session checks when it starts. The doctor
// command checks all exports.
const (
	exportsLooked = 8
	maxLookedAt   = 1 << 20
)

// exportsNotice returns one line about invalid recent exports, or an empty
// text. It does not print a file name that is not a valid name, because a
// repository may contain any file name.
func (h *handler) exportsNotice() string {
	names, _ := h.repo.Root.Names(layout.ExportsDir)
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(exportStamp(b), exportStamp(a)) })
	var wrong []string
	for _, name := range names[:min(len(names), exportsLooked)] {
		info, err := os.Lstat(h.repo.Abs(path.Join(layout.ExportsDir, name)))
		if err != nil || info.Size() > maxLookedAt || strings.HasPrefix(name, layout.TempPrefix) {
			continue
		}
		shown := shownName("a file", strings.TrimSuffix(name, ".json"), name)
		if e, err := ReadExport(h.repo.Root, name); err != nil {
			wrong = append(wrong, shown+" cannot be read")
		} else if gone := e.Missing(h.repo.HasObject); len(gone) > 0 {
			kind, object, _ := strings.Cut(gone[0], "/")
			wrong = append(wrong, shown+" names "+shownName(kind, object, gone[0])+", which no longer exists")
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	more := ""
	if n := len(wrong) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more are wrong", n)
	}
	return "iDumb: in the exports of sessions, " + admission.Plain(wrong[0]) + more + "; `idumb doctor` shows details."
}

// shownName returns shown if name is a valid name. Otherwise it returns a text
// with the description in what.
func shownName(what, name, shown string) string {
	if resources.CheckName(name) != nil {
		return what + " by an invalid name"
	}
	return shown
}

// exportStamp returns the time in the file name of an export. Its order is the
// order of time.
func exportStamp(name string) string {
	name = strings.TrimSuffix(name, ".json")
	return name[strings.LastIndexByte(name, '-')+1:]
}

// KeepExport writes an export with a time, and returns the path of the file
// relative to the repository root.
func KeepExport(root Root, e *memory.Export, at time.Time) (file string, err error) {
	file = layout.ExportPath(e.Record, at)
	if e.Previous == path.Base(file) {
		e.Previous = ""
	}
	data, err := json.MarshalIndent(e, "", "  ")
	if err == nil {
		err = root.Replace(file, append(data, '\n'))
	}
	return file, err
}

// wholeEvidence returns the complete log of every task, which the gate does not
// need.
type wholeEvidence struct{ *repo }

// Evidence returns the complete log of a task.
func (r wholeEvidence) Evidence(task string) *status.Evidence { return r.overlay.Evidence(task) }

// exportAs returns the export of the acting session, with the anchors that it
// has received.
func (h *handler) exportAs(s *resources.Session, reason string) memory.Export {
	e := ExportOf(h.repo.Root, s, wholeEvidence{h.repo}, reason)
	e.Anchors = h.anchorsIn(h.knownPack())
	return e
}

func (h *handler) anchorsIn(pack string) (names []string) {
	for _, t := range h.repo.contexts.PackSnippets(pack) {
		if name, is := strings.CutPrefix(t.ID, resources.Anchors+"/"); is && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// exportEnd exports a session that has just ended, unless it did nothing.
func (h *handler) exportEnd() {
	s, ok := h.repo.Session(h.sessionName())
	if !ok || !status.HasEnded(s) || s.Spec.Counters.ToolCalls == 0 && s.Spec.Counters.Turns == 0 {
		return
	}
	e := h.exportAs(s, memory.ExportEnd)
	_, _ = KeepExport(h.repo.Root, &e, s.Spec.LastSeenAt.Time) // the controller checks at this name whether the end was already exported
}

// exportCompaction exports a session after a compaction. before and after are
// the packs before and after it. An anchor in after survived the compaction.
func (h *handler) exportCompaction(before, after string) {
	s, ok := h.repo.Session(h.sessionName())
	if !ok {
		return
	}
	e := h.exportAs(s, memory.ExportCompaction)
	e.Anchors = h.anchorsIn(after)
	for _, name := range h.anchorsIn(before) {
		if !slices.Contains(e.Anchors, name) {
			e.Issue("anchors/%s did not outlast the compaction: the context tells of it no more", name)
		}
	}
	_, _ = KeepExport(h.repo.Root, &e, h.repo.now)
}

// maxTurnExports is the number of exports of turns that are kept for a session.
// Four of them make a mem, and the export at the end has the findings of all.
const maxTurnExports = 8

// exportTurn exports a session when its turn ends with a message. Of its exports
// of turns it keeps the latest maxTurnExports and removes the others.
func (h *handler) exportTurn() {
	s, ok := h.repo.Session(h.sessionName())
	if !ok || h.event.Text == "" || h.event.Cancelled || h.event.Waiting {
		return
	}
	e := h.exportAs(s, memory.ExportTurn)
	at := h.repo.now
	if at.Equal(at.Truncate(time.Second)) { // the name of an export at rest
		at = at.Add(time.Millisecond)
	}
	file, err := KeepExport(h.repo.Root, &e, at)
	if err != nil {
		return
	}
	h.updateState(func(m *sessionState) {
		m.TurnExports = append(m.TurnExports, path.Base(file))
		for ; len(m.TurnExports) > maxTurnExports; m.TurnExports = m.TurnExports[1:] {
			_ = h.repo.Root.Remove(path.Join(layout.ExportsDir, m.TurnExports[0]))
		}
	})
}

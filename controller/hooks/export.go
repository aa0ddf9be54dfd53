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

// ExportOf says what is to be kept of a session: what its record and the objects tell, and what the
// hook noted of it below root. Its anchors are the caller's to name: who packs knows what it holds,
// anybody else asks NameAnchors.
func ExportOf(root Root, s *resources.Session, v memory.ExportView, reason string) memory.Export {
	record := *s
	CatchUp(root, s.Metadata.Name, &record.Spec.Counters)
	e := memory.ExportOf(&record, v, reason)
	calls := callsOf(root, e.Record)
	e.Tools = toolsIn(calls)
	e.Calls = slices.Clip(calls[max(0, len(calls)-maxExportCalls):])
	doneOf(&e, notesOf(root, e.Record, notesDone))
	e.Found, e.Said, e.Notes = foundOf(root, e.Record), LastWords(root, e.Record), NotesOf(root, e.Record)
	e.Previous = lastExport(root, e.Record)
	return e
}

// foundOf are the sentences in which the agent of a session told what it found.
func foundOf(root Root, session string) (found []string) {
	for line := range strings.Lines(string(notesOf(root, session, notesFound))) {
		found = append(found, strings.TrimSpace(line))
	}
	return found
}

// NotesOf are what somebody wanted kept of a session, by the name of its record, oldest first.
func NotesOf(root Root, session string) (notes []memory.ExportNote) {
	for line := range strings.Lines(string(notesOf(root, session, notesKept))) {
		var n memory.ExportNote
		if json.Unmarshal([]byte(line), &n) == nil && n.Text != "" {
			notes = append(notes, n)
		}
	}
	return notes
}

// KeepNote adds a line to what is kept of a session, for its exports.
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

// ExportsOf names the files of a session's exports, by the name of its record, the oldest first.
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

func lastExport(root Root, session string) string {
	if own := ExportsOf(root, session); len(own) > 0 {
		return own[len(own)-1]
	}
	return ""
}

// MaxExport is the largest export that is read, in bytes: a split session's holds its conversation.
const MaxExport = 32 << 20

// ReadExport reads an export by the name of its file, strictly. The error says what is wrong with it.
func ReadExport(root Root, name string) (*memory.Export, error) {
	data, _, err := root.Read(path.Join(layout.ExportsDir, name), MaxExport)
	if err != nil {
		return nil, err
	}
	return memory.ReadExport(data)
}

// How many exports a session looks at when it starts, and how large they may be: doctor looks at all.
const (
	exportsLooked = 8
	maxLookedAt   = 1 << 20
)

// exportsNotice says in a line what is wrong with the newest exports, "" for nothing. A file whose name
// is a sentence says nothing here: a repository may bring it.
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
		} else if gone := e.Gone(h.repo.Stands); len(gone) > 0 {
			kind, object, _ := strings.Cut(gone[0], "/")
			wrong = append(wrong, shown+" names "+shownName(kind, object, gone[0])+", which is gone")
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	more := ""
	if n := len(wrong) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more are wrong", n)
	}
	return "iDumb: of what was kept of sessions, " + admission.Plain(wrong[0]) + more + "; `idumb doctor` says more."
}

// shownName is shown, if name is a name, and else what it would be the name of.
func shownName(what, name, shown string) string {
	if resources.CheckName(name) != nil {
		return what + " by what is no name"
	}
	return shown
}

// exportStamp is when an export was made, as its file's name says it: it sorts as time does.
func exportStamp(name string) string {
	name = strings.TrimSuffix(name, ".json")
	return name[strings.LastIndexByte(name, '-')+1:]
}

// KeepExport writes an export as of a moment, and returns the file's name from the repository's root.
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

// wholeEvidence tells of every task what its log says, which the gate does not need to know.
type wholeEvidence struct{ *repo }

func (r wholeEvidence) Evidence(task string) *status.Evidence { return r.overlay.Evidence(task) }

// exportAs is an export of the session of whoever acts, with the anchors that it was told of.
func (h *handler) exportAs(s *resources.Session, reason string) memory.Export {
	e := ExportOf(h.repo.Root, s, wholeEvidence{h.repo}, reason)
	e.Anchors = h.anchorsIn(h.known())
	return e
}

// anchorsIn names the anchors that a pack tells of.
func (h *handler) anchorsIn(pack string) (names []string) {
	for _, t := range h.repo.contexts.Given(pack) {
		if name, is := strings.CutPrefix(t.ID, resources.Anchors+"/"); is && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// exportEnd keeps a session that has just ended, unless it did nothing.
func (h *handler) exportEnd() {
	s, ok := h.repo.Session(h.sessionName())
	if !ok || !status.HasEnded(s) || s.Spec.Counters.ToolCalls == 0 && s.Spec.Counters.Turns == 0 {
		return
	}
	e := h.exportAs(s, memory.ExportEnd)
	_, _ = KeepExport(h.repo.Root, &e, s.Spec.LastSeenAt.Time) // where a controller looks whether this rest is kept already
}

// exportCompaction keeps a session whose conversation was cut. before is what it knew, after what it
// was given anew: an anchor that is in both, or in the latter alone, outlasted that.
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

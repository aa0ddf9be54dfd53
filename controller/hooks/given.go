package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// The hook delivers memory at the moment when it is relevant, in addition to
// the pack: for a prompt, for a touched file, for a failure, and when delivered
// memory is no longer valid. One list of the session records the delivered
// objects, including packs, so that nothing is repeated until the next
// compaction. A hook without a controller delivers no memory.

// receipt records an object that was delivered to a session.
type receipt struct {
	ID   string `json:"id"`             // ID of the object, or the subject of a mark
	Twin string `json:"twin,omitempty"` // Told.Twin; empty if only the beginning was delivered
	Why  string `json:"why,omitempty"`  // Told.Why
	Turn bool   `json:"turn,omitempty"` // it is sent only with the requests of this turn
}

// Prefixes of marks in the list: for the memory about a file, delivered for a
// task, and for a mem that was delivered with a failure. False paths are in
// every pack, and are delivered again when they apply.
const (
	markFile   = "file "
	markFailed = "failed "
)

// Limits of delivered texts, and of the record of them.
const (
	maxFilesNamed = 5
	maxOfFile     = 300 // characters
	maxBroken     = 400 // characters
	maxGiven      = 200
)

// Headings of delivered texts.
const (
	headRemembered = "REMEMBERED:\n"
	headFailure    = "KNOWN FAILURE:\n"
	headEnded      = "ENDED:\n"
	headBroken     = "BROKEN:\n"
	headPlanning   = "PLANNING:\n"
)

// knows reports whether the session has already received the object.
func (m *memo) knows(t Told) bool {
	return slices.ContainsFunc(m.Given, func(g receipt) bool {
		return g.Why == t.Why && (t.Cut && g.ID == t.ID || t.Twin != "" && g.Twin == t.Twin)
	})
}

// marked reports whether a mark is in the list.
func (m *memo) marked(mark string) bool {
	return slices.ContainsFunc(m.Given, func(g receipt) bool { return g.ID == mark })
}

// give records delivered objects. It keeps the latest.
func (m *memo) give(list []Told, turn bool) {
	for _, t := range list {
		g := receipt{t.ID, t.Twin, t.Why, turn}
		if t.Cut {
			g.Twin = ""
		}
		if !slices.Contains(m.Given, g) {
			m.Given = append(m.Given, g)
		}
	}
	m.Given = m.Given[max(0, len(m.Given)-maxGiven):]
}

// endTurn removes the objects that were sent only with the requests of the last
// turn.
func (m *memo) endTurn() {
	m.Given = slices.DeleteFunc(m.Given, func(g receipt) bool { return g.Turn })
}

// telling reports whether text can be delivered: there is a session, and the
// content of the repository is trusted.
func (h *handler) telling() bool { return h.sessionName() != "" && h.repo.trusted() }

// tell returns the texts under a heading, and records them as delivered. It
// returns an empty text if no text is left.
func (h *handler) tell(heading string, list []Told, marks ...string) string {
	if len(list) == 0 || !h.telling() {
		return ""
	}
	text := heading
	for _, t := range list {
		text += t.Text + "\n"
	}
	for _, mark := range marks {
		list = append(list, Told{ID: mark})
	}
	turn := h.composes() && h.event.Type == hosts.Prompt
	h.updateMemo(func(m *memo) { m.give(list, turn) })
	h.noteTold(text)
	return text
}

// atPrompt returns the memory about the files that a prompt names, and the
// memory that is relevant to the prompt, in at most room characters.
func (h *handler) atPrompt(room int) string {
	prompt := h.event.Text
	if strings.TrimSpace(prompt) == "" || !h.telling() {
		return ""
	}
	text := ""
	for _, file := range filesNamed(prompt, func(file string) bool { return exists(h.repo.Abs(file)) }) {
		claims := func(func(Told) bool) []Told { return h.repo.contexts.Claims(file) }
		text += h.aboutFile(file, claims, room-characters(text))
	}
	m := h.readMemo()
	recalled := fitting(headRemembered, h.repo.contexts.Remembered(prompt, m.knows), room-characters(text))
	return text + h.tell(headRemembered, recalled)
}

// filesNamed lists the files of the repository that a text names, without
// duplicates, in their order.
func filesNamed(text string, known func(string) bool) []string {
	var files []string
	for file := range resources.PathsIn(text) {
		if !slices.Contains(files, file) && known(file) {
			if files = append(files, file); len(files) == maxFilesNamed {
				break
			}
		}
	}
	return files
}

// aboutFile returns the undelivered memory about a file, once for each file and
// task. Memory that does not fit may be delivered for another task.
func (h *handler) aboutFile(file string, more func(known func(Told) bool) []Told, room int) string {
	var m *memo // read on demand, because most files have no memory
	mark := ""
	knows := func(t Told) bool {
		if m == nil {
			read := h.readMemo()
			m, mark = &read, markFile+file
			if t, ok := h.work(); ok {
				mark += " " + t.Metadata.Name
			}
		}
		return m.marked(mark) || m.knows(t)
	}
	heading := "FILE " + admission.Plain(file) + ":\n"
	room = min(room, maxOfFile)
	list := h.repo.contexts.About(file, Work{h.aboutWork, room - characters(heading), h.event.Action == admission.Write}, knows)
	list = append(list, slices.DeleteFunc(more(knows), knows)...)
	return h.tell(heading, fitting(heading, list, room), mark)
}

// aboutWork returns the words of the prompt and the task.
func (h *handler) aboutWork() string {
	text := h.event.Text
	if t, ok := h.work(); ok {
		text += "\n" + t.Spec.Title + "\n" + t.Spec.ExpectedOutput
	}
	return text
}

// fitting returns the lines that fit below a heading into room characters, in
// their order.
func fitting(heading string, list []Told, room int) []Told {
	room -= characters(heading)
	var fit []Told
	for _, t := range list {
		if length := characters(t.Text) + 1; length <= room {
			room -= length
			fit = append(fit, t)
		}
	}
	return fit
}

// atTouch returns the memory about the files that a call reads or edits, the
// first time that it does.
func (h *handler) atTouch() string {
	if h.sessionName() == "" {
		return ""
	}
	text := ""
	for _, file := range h.touched() {
		text += h.aboutFile(file, func(known func(Told) bool) []Told { return h.codeOf(file, known) }, maxOfFile)
	}
	return text
}

// codeOf returns the facts about a code file.
func (h *handler) codeOf(file string, known func(Told) bool) []Told {
	if h.repo.code == nil {
		return nil
	}
	return h.repo.code.Code(file, known)
}

// touched returns the files of the repository that a call reads or edits, as
// named in the call. For a command line these are the existing files that it
// names.
func (h *handler) touched() []string {
	e := &h.event
	switch e.Action {
	case admission.Read, admission.Write:
		resolve := h.repo.resolver(h.env, e.Cwd)
		var paths []admission.Path
		for _, file := range e.Paths[:min(len(e.Paths), maxFilesNamed)] {
			if p, err := resolve.Resolve(file); err == nil {
				paths = append(paths, p)
			}
		}
		return inRepo(paths)
	case admission.Shell:
		return h.namedInCommand()
	}
	return nil
}

// namedInCommand returns the files that a command line names, relative to the
// folder in which it runs.
func (h *handler) namedInCommand() []string {
	folder, err := filepath.Rel(string(h.repo.Root), h.event.Cwd)
	if err != nil || !filepath.IsLocal(folder) {
		folder = "."
	}
	var files []string
	filesNamed(h.relative(h.event.Command), func(word string) bool {
		for _, file := range [...]string{filepath.ToSlash(filepath.Join(folder, filepath.FromSlash(word))), word} {
			if info, err := os.Lstat(h.repo.Abs(file)); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(file, ".idumb/") {
				files = append(files, file)
				return true
			}
		}
		return false
	})
	return files
}

// relative returns a text with the repository's files as paths from its root.
func (h *handler) relative(text string) string {
	return strings.ReplaceAll(text, string(h.repo.Root)+string(filepath.Separator), "")
}

// atFailure returns the memory about the failure of a call, to be shown with
// the result.
func (h *handler) atFailure() string {
	e := &h.event
	if e.Output == "" || e.Cancelled {
		return ""
	}
	told := h.repo.contexts.KnownFailure(h.relative(e.Output), !e.Unsettled, func(t Told) bool {
		m := h.readMemo() // read on demand, because few results have a known failure
		return m.marked(markFailed + t.ID)
	})
	var marks []string
	for _, t := range told {
		marks = append(marks, markFailed+t.ID)
	}
	return h.tell(headFailure, told, marks...)
}

// atEnd returns the delivered objects that are no longer valid or should be
// checked, with the reason.
func (h *handler) atEnd() string {
	if h.sessionName() == "" {
		return ""
	}
	var m memo
	ended, looked := h.repo.contexts.Ended(h.sessionName(), func() []string {
		m = h.readMemo()
		var ids []string
		for _, g := range m.Given {
			if !slices.Contains(ids, g.ID) {
				ids = append(ids, g.ID)
			}
		}
		return ids
	})
	if !looked || !h.telling() {
		return ""
	}
	why := map[string]string{}
	for _, t := range ended {
		why[t.ID] = t.Why
	}
	ended = slices.DeleteFunc(ended, func(t Told) bool {
		return !slices.ContainsFunc(m.Given, func(g receipt) bool { return g.ID == t.ID && g.Why != t.Why })
	})
	h.updateMemo(func(m *memo) {
		for i := range m.Given {
			m.Given[i].Why = why[m.Given[i].ID]
		}
	})
	return h.tell(headEnded, ended)
}

// atBreak reports what a write removed that other files still import. Once for
// each session it also reports a write to plans that do not govern.
func (h *handler) atBreak() string {
	if h.repo.code == nil {
		return ""
	}
	files := h.wrote()
	if len(files) == 0 {
		return ""
	}
	broken, outside := h.repo.code.Broke(files), h.repo.code.NotRuling(files)
	if len(broken)+len(outside) == 0 { // true for most writes, which need neither the memo nor the state of the repository
		return ""
	}
	m := h.readMemo()
	broken, outside = slices.DeleteFunc(broken, m.knows), slices.DeleteFunc(outside, m.knows)
	text := h.tell(headBroken, fitting(headBroken, broken, maxBroken))
	return text + h.tell(headPlanning, fitting(headPlanning, outside, maxBroken))
}

// wrote returns files of the repository that the call certainly wrote.
func (h *handler) wrote() []string {
	if h.event.Failed || h.event.Action == admission.Shell && !h.event.CommandLine().Readable {
		return nil
	}
	call, err := h.call()
	if err != nil || h.event.Action != admission.Write && h.event.Action != admission.Shell {
		return nil
	}
	files := h.writtenByLine(call)
	return files[:min(len(files), maxFilesNamed)]
}

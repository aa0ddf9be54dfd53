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

// What the memory knows is told at the moment at which it matters, besides the pack: what a prompt
// recalls, what is known of a file that is touched, of a failure, and that something told has ended. One
// list of the session holds what was given, by packs too, so that nothing is told twice between two
// compactions. Only a controller recalls: a hook on its own tells none of it.

// receipt is a thing that a session was told.
type receipt struct {
	ID   string `json:"id"`             // of the object, or what a mark is about
	Twin string `json:"twin,omitempty"` // as Told has it; "" where only the beginning was told
	Why  string `json:"why,omitempty"`  // as Told has it
	Turn bool   `json:"turn,omitempty"` // it goes with the requests of this turn alone
}

// What marks in the list begin with: that it was told what is known of a file for a task, and that a mem was told
// beside a failure. False paths stand in every pack, and are told once more when they come true.
const (
	markFile   = "file "
	markFailed = "failed "
)

// Limits of what is told, and of what is remembered as told.
const (
	maxFilesNamed = 5
	maxOfFile     = 300 // characters
	maxBroken     = 400 // characters
	maxGiven      = 200
)

// Headings of what is told.
const (
	headRemembered = "REMEMBERED:\n"
	headFailure    = "KNOWN FAILURE:\n"
	headEnded      = "ENDED:\n"
	headBroken     = "BROKEN:\n"
	headPlanning   = "PLANNING:\n"
)

// knows reports whether the session was told that already.
func (m *memo) knows(t Told) bool {
	return slices.ContainsFunc(m.Given, func(g receipt) bool {
		return g.Why == t.Why && (t.Cut && g.ID == t.ID || t.Twin != "" && g.Twin == t.Twin)
	})
}

// marked reports whether a mark stands in the list.
func (m *memo) marked(mark string) bool {
	return slices.ContainsFunc(m.Given, func(g receipt) bool { return g.ID == mark })
}

// give notes what the session is told. Of the list the latest are kept.
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

// endTurn forgets what went with the requests of the last turn alone.
func (m *memo) endTurn() {
	m.Given = slices.DeleteFunc(m.Given, func(g receipt) bool { return g.Turn })
}

// telling reports whether there is a session to be told, and what the repository says may be shown to it.
func (h *handler) telling() bool { return h.sessionName() != "" && h.repo.trusted() }

// tell is what is told under a heading, and counts as given from now on; "" where nothing is left of it.
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

// atPrompt is what the prompt brings of itself: what is known of the files that it names, and what it
// recalls, in so many characters at most.
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

// filesNamed lists files of the repository that a text names, each once, in their order.
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

// aboutFile is what is known of a file and was not told, once for each file and task: of what there is no room
// for, another task may need the rest.
func (h *handler) aboutFile(file string, more func(known func(Told) bool) []Told, room int) string {
	var m *memo // most files are known by nobody, and it is not read for them
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

// aboutWork is what the agent was asked to do, in words.
func (h *handler) aboutWork() string {
	text := h.event.Text
	if t, ok := h.work(); ok {
		text += "\n" + t.Spec.Title + "\n" + t.Spec.ExpectedOutput
	}
	return text
}

// fitting are those of the lines that fit below a heading into so many characters, in their order.
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

// atTouch is what is known of the files that a call reads or edits, at the first time that it does.
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

// codeOf is what the code says of a file.
func (h *handler) codeOf(file string, known func(Told) bool) []Told {
	if h.repo.code == nil {
		return nil
	}
	return h.repo.code.Code(file, known)
}

// touched are the files of the repository that a call reads or edits, as far as it says so: those of a
// command line are the ones that it names and that are there.
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

// namedInCommand are the files that a command line names, from the folder in which it runs.
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

// relative is a text with the repository's files as paths from its root.
func (h *handler) relative(text string) string {
	return strings.ReplaceAll(text, string(h.repo.Root)+string(filepath.Separator), "")
}

// atFailure is what is known of how a command or another call failed, beside its result.
func (h *handler) atFailure() string {
	e := &h.event
	if e.Output == "" || e.Cancelled {
		return ""
	}
	told := h.repo.contexts.KnownFailure(h.relative(e.Output), !e.Unsettled, func(t Told) bool {
		m := h.readMemo() // few results are known, and it is not read for the others
		return m.marked(markFailed + t.ID)
	})
	var marks []string
	for _, t := range told {
		marks = append(marks, markFailed+t.ID)
	}
	return h.tell(headFailure, told, marks...)
}

// atEnd is what the session was told and does not hold any more, or is to be checked by now, with why.
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

// atBreak is what a write took from other files, names that they still import; and, once a session,
// that it went into plans which do not rule.
func (h *handler) atBreak() string {
	if h.repo.code == nil {
		return ""
	}
	files := h.wrote()
	if len(files) == 0 {
		return ""
	}
	broken, outside := h.repo.code.Broke(files), h.repo.code.NotRuling(files)
	if len(broken)+len(outside) == 0 { // as with most writes: neither the memo is read for them, nor how the repository stands
		return ""
	}
	m := h.readMemo()
	broken, outside = slices.DeleteFunc(broken, m.knows), slices.DeleteFunc(outside, m.knows)
	text := h.tell(headBroken, fitting(headBroken, broken, maxBroken))
	return text + h.tell(headPlanning, fitting(headPlanning, outside, maxBroken))
}

// wrote are files of the repository that the call surely wrote.
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

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
// objects, including packs, so that no object is repeated until the next
// compaction. A hook without a controller delivers no memory.

// receipt records an object that was delivered to a session.
type receipt struct {
	ID       string `json:"id"`             // ID of the object, or the subject of a mark
	TextHash string `json:"twin,omitempty"` // Snippet.TextHash; empty if only the beginning was delivered
	Doubt    string `json:"why,omitempty"`  // Snippet.Doubt
	TurnOnly bool   `json:"turn,omitempty"` // it is sent only with the requests of this turn
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
	maxFiles       = 5
	maxFileChars   = 900 // characters
	maxBrokenChars = 400 // characters
	maxReceipts    = 200
)

// Headings of delivered texts.
const (
	promptHeading   = "REMEMBERED:\n"
	failureHeading  = "KNOWN FAILURE:\n"
	expiredHeading  = "ENDED:\n"
	brokenHeading   = "BROKEN:\n"
	planningHeading = "PLANNING:\n"
)

// delivered reports whether the session has already received the object.
func (m *sessionState) delivered(t Snippet) bool {
	return slices.ContainsFunc(m.Receipts, func(g receipt) bool {
		return g.Doubt == t.Doubt && (t.Truncated && g.ID == t.ID || t.TextHash != "" && g.TextHash == t.TextHash)
	})
}

// hasMark reports whether a mark is in the list.
func (m *sessionState) hasMark(mark string) bool {
	return slices.ContainsFunc(m.Receipts, func(g receipt) bool { return g.ID == mark })
}

// addReceipts records delivered objects. It keeps the latest.
func (m *sessionState) addReceipts(list []Snippet, turn bool) {
	for _, t := range list {
		g := receipt{t.ID, t.TextHash, t.Doubt, turn}
		if t.Truncated {
			g.TextHash = ""
		}
		if !slices.Contains(m.Receipts, g) {
			m.Receipts = append(m.Receipts, g)
		}
	}
	m.Receipts = m.Receipts[max(0, len(m.Receipts)-maxReceipts):]
}

// canDeliver reports whether text can be delivered: there is a session, and the
// content of the repository is trusted.
func (h *handler) canDeliver() bool { return h.sessionName() != "" && h.repo.trusted() }

// deliver returns the texts under a heading, and records them as delivered. It
// returns an empty text if no text is left.
func (h *handler) deliver(heading string, list []Snippet, marks ...string) string {
	if len(list) == 0 || !h.canDeliver() {
		return ""
	}
	text := heading
	for _, t := range list {
		text += t.Text + "\n"
	}
	for _, mark := range marks {
		list = append(list, Snippet{ID: mark})
	}
	turn := h.composes() && h.event.Type == hosts.Prompt
	h.updateState(func(m *sessionState) { m.addReceipts(list, turn) })
	h.logDelivery(text)
	return text
}

// promptSnippets returns the memory about the files that a prompt names, and the
// memory that is relevant to the prompt, in at most room characters.
func (h *handler) promptSnippets(room int) string {
	prompt := h.event.Text
	if strings.TrimSpace(prompt) == "" || !h.canDeliver() {
		return ""
	}
	text := ""
	for _, file := range mentionedFiles(prompt, func(file string) bool { return exists(h.repo.Abs(file)) }) {
		claims := func(func(Snippet) bool) []Snippet { return h.repo.contexts.FileClaims(file) }
		text += h.fileSnippets(file, claims, room-characters(text))
	}
	m := h.readState()
	recalled := fitSnippets(promptHeading, h.repo.contexts.PromptSnippets(prompt, m.delivered), room-characters(text))
	return text + h.deliver(promptHeading, recalled)
}

// mentionedFiles lists the files of the repository that a text names, without
// duplicates, in their order.
func mentionedFiles(text string, known func(string) bool) []string {
	var files []string
	for file := range resources.PathsIn(text) {
		if !slices.Contains(files, file) && known(file) {
			if files = append(files, file); len(files) == maxFiles {
				break
			}
		}
	}
	return files
}

// fileSnippets returns the undelivered memory about a file, once for each file and
// task. Memory that does not fit may be delivered for another task.
func (h *handler) fileSnippets(file string, more func(known func(Snippet) bool) []Snippet, room int) string {
	var m *sessionState // read on demand, because most files have no memory
	mark := ""
	knows := func(t Snippet) bool {
		if m == nil {
			read := h.readState()
			m, mark = &read, markFile+file
			if t, ok := h.work(); ok {
				mark += " " + t.Metadata.Name
			}
		}
		return m.hasMark(mark) || m.delivered(t)
	}
	heading := "FILE " + admission.Plain(file) + ":\n"
	room = min(room, maxFileChars)
	list := h.repo.contexts.FileSnippets(file, FileWork{h.workQuery, room - characters(heading), h.event.Action == admission.Write}, knows)
	list = append(list, slices.DeleteFunc(more(knows), knows)...)
	return h.deliver(heading, fitSnippets(heading, list, room), mark)
}

// workQuery returns the words of the prompt and the task.
func (h *handler) workQuery() string {
	text := h.event.Text
	if t, ok := h.work(); ok {
		text += "\n" + t.Spec.Title + "\n" + t.Spec.ExpectedOutput
	}
	return text
}

// fitSnippets returns the lines that fit below a heading into room characters, in
// their order.
func fitSnippets(heading string, list []Snippet, room int) []Snippet {
	room -= characters(heading)
	var fit []Snippet
	for _, t := range list {
		if length := characters(t.Text) + 1; length <= room {
			room -= length
			fit = append(fit, t)
		}
	}
	return fit
}

// touchSnippets returns the memory about the files that a call reads or edits, the
// first time that it does.
func (h *handler) touchSnippets() string {
	if h.sessionName() == "" {
		return ""
	}
	text := ""
	for _, file := range h.touchedFiles() {
		text += h.fileSnippets(file, func(known func(Snippet) bool) []Snippet { return h.codeSnippets(file, known) }, maxFileChars)
	}
	return text
}

// codeSnippets returns the facts about a code file that the controller knows.
func (h *handler) codeSnippets(file string, known func(Snippet) bool) []Snippet {
	if h.repo.code == nil {
		return nil
	}
	return h.repo.code.Code(file, known)
}

// touchedFiles returns the files of the repository that a call reads or edits, as
// named in the call. For a command line these are the existing files that it
// names.
func (h *handler) touchedFiles() []string {
	switch e := &h.event; e.Action {
	case admission.Read, admission.Write:
		resolve := h.repo.resolver(h.env, e.Cwd)
		var paths []admission.Path
		for _, file := range e.Paths[:min(len(e.Paths), maxFiles)] {
			if p, err := resolve.Resolve(file); err == nil {
				paths = append(paths, p)
			}
		}
		return inRepo(paths)
	case admission.Shell:
		return h.commandFiles()
	}
	return nil
}

// commandFiles returns the files that a command line reads or writes, relative to
// the folder in which it runs. A command that runs a file does not read it.
func (h *handler) commandFiles() []string {
	text := h.event.Command
	if call, err := h.call(); err == nil && h.event.CommandLine().Readable {
		text = strings.Join(inRepo(call.Paths), "\n")
		for _, run := range call.Runs {
			if run.ReadOnly {
				text += "\n" + run.Shown()
			}
		}
	}
	folder, err := filepath.Rel(string(h.repo.Root), h.event.Cwd)
	if err != nil || !filepath.IsLocal(folder) {
		folder = "."
	}
	var files []string
	mentionedFiles(h.trimRoot(text), func(word string) bool {
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

// trimRoot returns a text with the repository's files as paths from its root.
func (h *handler) trimRoot(text string) string {
	return strings.ReplaceAll(text, string(h.repo.Root)+string(filepath.Separator), "")
}

// failureSnippets returns the memory about the failure of a call, to be shown with
// the result.
func (h *handler) failureSnippets() string {
	e := &h.event
	if e.Output == "" || e.Cancelled {
		return ""
	}
	told := h.repo.contexts.FailureSnippets(h.trimRoot(e.Output), !e.OutcomeUnknown, func(t Snippet) bool {
		m := h.readState() // read on demand, because few results have a known failure
		return m.hasMark(markFailed + t.ID)
	})
	var marks []string
	for _, t := range told {
		marks = append(marks, markFailed+t.ID)
	}
	return h.deliver(failureHeading, told, marks...)
}

// expiredSnippets returns the delivered objects that are no longer valid or should be
// checked, with the reason, once for each reason.
func (h *handler) expiredSnippets() string {
	if h.sessionName() == "" {
		return ""
	}
	var m sessionState
	ended, looked := h.repo.contexts.ExpiredSnippets(h.sessionName(), func() []string {
		m = h.readState()
		var ids []string
		for _, g := range m.Receipts {
			if !slices.Contains(ids, g.ID) {
				ids = append(ids, g.ID)
			}
		}
		return ids
	})
	if !looked || !h.canDeliver() {
		return ""
	}
	why := map[string]string{}
	for _, t := range ended {
		why[t.ID] = t.Doubt
	}
	ended = slices.DeleteFunc(ended, func(t Snippet) bool {
		return !slices.ContainsFunc(m.Receipts, func(g receipt) bool { return g.ID == t.ID && g.Doubt != t.Doubt })
	})
	h.updateState(func(m *sessionState) {
		for i := range m.Receipts {
			m.Receipts[i].Doubt = why[m.Receipts[i].ID]
		}
	})
	return h.deliver(expiredHeading, ended)
}

// breakageSnippets reports names that a write removed and other files still
// import. Once for each session it also reports a write to plans that do not
// govern.
func (h *handler) breakageSnippets() string {
	if h.repo.code == nil {
		return ""
	}
	files := h.writtenFiles()
	if len(files) == 0 {
		return ""
	}
	broken, outside := h.repo.code.Broke(files), h.repo.code.NotRuling(files)
	if len(broken)+len(outside) == 0 { // true for most writes, which need neither the state of the session nor the state of the repository
		return ""
	}
	m := h.readState()
	broken, outside = slices.DeleteFunc(broken, m.delivered), slices.DeleteFunc(outside, m.delivered)
	text := h.deliver(brokenHeading, fitSnippets(brokenHeading, broken, maxBrokenChars))
	return text + h.deliver(planningHeading, fitSnippets(planningHeading, outside, maxBrokenChars))
}

// writtenFiles returns files of the repository that the call certainly wrote, at
// most maxFiles.
func (h *handler) writtenFiles() []string {
	if h.event.Failed || h.event.Action == admission.Shell && !h.event.CommandLine().Readable {
		return nil
	}
	call, err := h.call()
	if err != nil || h.event.Action != admission.Write && h.event.Action != admission.Shell {
		return nil
	}
	files := h.writtenByLine(call)
	return files[:min(len(files), maxFiles)]
}

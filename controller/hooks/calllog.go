package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Two logs of a session tell what it did, whether it works on a task or not: one of the calls that
// reached the gate, a line "MILLISECONDS TOOL AGENT WHAT" each, and one of what was written and run, a
// line of JSON each. Lines of earlier releases end behind the tool.

// tally notes a tool call, which counts it.
func (h *handler) tally() {
	agent := "-"
	if h.event.Agent != "" {
		agent = toolWord(h.event.Agent)
	}
	line := strconv.FormatInt(h.repo.now.UnixMilli(), 10) + " " + toolWord(h.event.Tool) + " " + agent + " " + h.aboutCall()
	h.appendNotes(notesCalls, []byte(strings.TrimRight(line, " ")+"\n"))
}

// maxAbout is how much is noted of what a call is about, in bytes.
const maxAbout = 120

// aboutCall is what a call is about, in one line.
func (h *handler) aboutCall() string {
	e := &h.event
	text := e.Delegates
	switch {
	case e.Command != "":
		text = commandText(strings.Fields(e.Command[:min(len(e.Command), maxCommand)]))
	case len(e.Paths) > 0:
		text = h.relative(strings.Join(e.Paths[:min(len(e.Paths), maxFilesNamed)], ", "))
	}
	text = strings.Map(printable, text)
	return strings.ToValidUTF8(text[:min(len(text), maxAbout)], "")
}

// toolWord is a tool's name as a word of that log, whatever the host calls it.
func toolWord(tool string) string {
	const longest = 80
	word := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '.':
			return r
		}
		return '_'
	}, tool[:min(len(tool), longest)])
	return cmp.Or(word, "_")
}

// callsOf reads a session's log of calls, by the name of its record.
func callsOf(root Root, session string) []memory.ExportCall {
	return callsIn(notesOf(root, session, notesCalls))
}

func callsIn(log []byte) []memory.ExportCall {
	var calls []memory.ExportCall
	for line := range strings.Lines(string(log)) {
		at, rest, found := strings.Cut(strings.TrimSpace(line), " ")
		ms, err := strconv.ParseInt(at, 10, 64)
		if !found || err != nil {
			continue
		}
		tool, rest, _ := strings.Cut(rest, " ")
		agent, what, _ := strings.Cut(rest, " ")
		calls = append(calls, memory.ExportCall{At: resources.NewTime(time.UnixMilli(ms)), Tool: tool, Agent: strings.TrimPrefix(agent, "-"), What: what})
	}
	return calls
}

// ToolsOf returns how often a session called each tool, by the name of its record.
func ToolsOf(root Root, session string) map[string]int { return toolsIn(callsOf(root, session)) }

func toolsIn(calls []memory.ExportCall) map[string]int {
	tools := map[string]int{}
	for _, call := range calls {
		tools[call.Tool]++
	}
	return tools
}

// Sizes of the log of what was done, in bytes: from which on it is cut, at the end of a turn, and to how much.
const (
	maxDone  = 512 << 10
	doneKept = 256 << 10
)

// noteDone notes what a call wrote and ran, and how that ended.
func (h *handler) noteDone(c resources.Checkpoint) {
	c.Session, c.Summary = "", ""
	h.appendNoteLine(notesDone, c)
}

// noteLine notes a command line as a whole: its parts are in checkpoints, as far as they count for a task.
func (h *handler) noteLine(files []string) {
	c := h.checkpoint()
	c.Command, c.FilesModified = commandText(strings.Fields(h.event.Command)), files
	if !h.event.Unsettled {
		succeeded := !h.event.Failed
		c.Succeeded = &succeeded
	}
	h.measured(&c)
	h.noteDone(c)
}

// cutDone keeps the log of what was done from growing for ever.
func (h *handler) cutDone() {
	if end, size := h.repo.lastNotes(h.sessionName(), notesDone, doneKept); size > maxDone {
		_ = h.writeNotes(notesDone, end) // a line that is added meanwhile is lost
	}
}

// How much of what was done an export tells.
const (
	maxExportCalls    = 100
	maxExportFiles    = 200
	maxExportCommands = 100
)

// doneOf fills in what a session wrote and ran.
func doneOf(e *memory.Export, log []byte) {
	for line := range bytes.Lines(log) {
		var c resources.Checkpoint
		if json.Unmarshal(line, &c) != nil {
			continue
		}
		for _, file := range c.FilesModified {
			if at, known := slices.BinarySearch(e.Files, file); !known && len(e.Files) < maxExportFiles {
				e.Files = slices.Insert(e.Files, at, file)
			}
		}
		if c.Command != "" {
			ranOf(e, c)
		}
	}
	e.Commands = e.Commands[max(0, len(e.Commands)-maxExportCommands):]
}

// ranOf adds a command that a session ran: the newest last, each line once.
func ranOf(e *memory.Export, c resources.Checkpoint) {
	ran := memory.ExportCommand{Line: c.Command, Succeeded: c.Succeeded, ExitCode: c.ExitCode, Times: 1}
	if at := slices.IndexFunc(e.Commands, func(before memory.ExportCommand) bool { return before.Line == c.Command }); at >= 0 {
		ran.Times += e.Commands[at].Times
		e.Commands = slices.Delete(e.Commands, at, at+1)
	}
	e.Commands = append(e.Commands, ran)
}

package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Two logs of a session record its work, with or without a task. One has a line
// "MILLISECONDS TOOL AGENT WHAT" for each call that reached the gate. The other
// has a line of JSON for each write and command. Lines of earlier releases end
// after the tool.

// maxAbout limits the description of a call in the log, in bytes.
const maxAbout = 120

// aboutCall describes a call in one line of at most maxAbout bytes. It is empty if
// calls are not recorded.
func (h *handler) aboutCall() string {
	e := &h.event
	text := e.DelegateTo
	switch {
	case h.repo.settings.Record == resources.RecordNone:
		return ""
	case e.Command != "":
		text = h.recordedCommand()
	case len(e.Paths) > 0:
		text = h.trimRoot(strings.Join(e.Paths[:min(len(e.Paths), maxFiles)], ", "))
	}
	text = strings.Map(printable, text)
	return strings.ToValidUTF8(text[:min(len(text), maxAbout)], "")
}

// recordedCommand returns the command line of the event for a log, or only the program if command lines are not
// recorded.
func (h *handler) recordedCommand() string {
	words := strings.Fields(h.event.Command[:min(len(h.event.Command), maxCommand)])
	if h.repo.settings.Record == resources.RecordFull {
		return commandText(words)
	}
	for _, word := range words {
		if !strings.Contains(word, "=") { // not an assignment
			return toolWord(path.Base(word))
		}
	}
	return ""
}

// toolWord returns a tool's name as one word for the log.
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

// callsOf reads the log of calls of a session, given the name of its record.
func callsOf(root Root, session string) []memory.ExportCall {
	var calls []memory.ExportCall
	for at, rest := range timedLines(notesOf(root, session, notesCalls)) {
		calls = append(calls, callIn(at, rest))
	}
	return calls
}

// callIn parses the rest of a line of the log of calls.
func callIn(at time.Time, rest string) memory.ExportCall {
	tool, rest, _ := strings.Cut(rest, " ")
	agent, what, _ := strings.Cut(rest, " ")
	return memory.ExportCall{Time: resources.NewTime(at), Tool: tool, Agent: strings.TrimPrefix(agent, "-"), Object: what}
}

// timedLines returns the lines of a log that start with a time in Unix milliseconds: the
// time and the rest. It skips other lines.
func timedLines(log []byte) iter.Seq2[time.Time, string] {
	return func(yield func(time.Time, string) bool) {
		for line := range strings.Lines(string(log)) {
			at, rest, found := strings.Cut(strings.TrimSpace(line), " ")
			if ms, err := strconv.ParseInt(at, 10, 64); found && err == nil && !yield(time.UnixMilli(ms), rest) {
				return
			}
		}
	}
}

// ToolsOf returns how often a session called each tool, given the name of its
// record.
func ToolsOf(root Root, session string) map[string]int { return toolsIn(callsOf(root, session)) }

// toolsIn returns the number of calls of each tool.
func toolsIn(calls []memory.ExportCall) map[string]int {
	tools := map[string]int{}
	for _, call := range calls {
		tools[call.Tool]++
	}
	return tools
}

// Sizes of the log of writes and commands, in bytes. At the end of a turn, a
// log over maxDone is cut to doneKept.
const (
	maxDone  = 512 << 10
	doneKept = 256 << 10
)

// noteDone logs the writes and the command of a call, with the outcome, unless
// config.record is none.
func (h *handler) noteDone(c resources.Checkpoint) {
	if h.repo.settings.Record == resources.RecordNone {
		return
	}
	c.Session, c.Summary = "", ""
	h.appendNoteLine(notesDone, c)
}

// noteLine logs a whole command line. The parts that count for a task are in
// checkpoints.
func (h *handler) noteLine(files []string) {
	c := h.checkpoint()
	c.Command, c.FilesModified = h.recordedCommand(), files
	if !h.event.OutcomeUnknown {
		succeeded := !h.event.Failed
		c.Succeeded = &succeeded
	}
	h.measured(&c)
	h.noteDone(c)
}

// Limits of the writes and commands in an export.
const (
	maxExportCalls    = 100
	maxExportFiles    = 200
	maxExportCommands = 100
)

// addDone adds the writes and commands in a log of a session to an export.
func addDone(e *memory.Export, log []byte) {
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
			// The newest command is last. Each line occurs once, with the number of its runs.
			ran := memory.ExportCommand{Line: c.Command, Succeeded: c.Succeeded, ExitCode: c.ExitCode, Times: 1}
			if at := slices.IndexFunc(e.Commands, func(before memory.ExportCommand) bool { return before.Line == c.Command }); at >= 0 {
				ran.Times += e.Commands[at].Times
				e.Commands = slices.Delete(e.Commands, at, at+1)
			}
			e.Commands = append(e.Commands, ran)
		}
	}
	e.Commands = e.Commands[max(0, len(e.Commands)-maxExportCommands):]
}

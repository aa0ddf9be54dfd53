package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/memory"
)

// What is counted and what was denied is appended to files of the session, so that no call
// rewrites the session's record for it: a line for each call (see calllog.go), a line for
// each denial, and one for each write. The record takes the counts over whenever it is written.

// counted are the counters that a log of the session is ahead of: a line of it for each.
var counted = [...]struct {
	log   string
	count func(*resources.SessionCounters) *int
}{
	{notesCalls, func(c *resources.SessionCounters) *int { return &c.ToolCalls }},
	{notesDenials, func(c *resources.SessionCounters) *int { return &c.Denials }},
	{notesWrites, func(c *resources.SessionCounters) *int { return &c.Writes }},
}

// catchUp takes over what the logs count.
func catchUp(c *resources.SessionCounters, log func(what string) []byte) {
	for _, row := range counted {
		n := row.count(c)
		*n = max(*n, bytes.Count(log(row.log), []byte{'\n'}))
	}
}

// CatchUp brings a session's counters up to what was counted so far: its record may be a
// minute behind.
func CatchUp(root Root, session string, c *resources.SessionCounters) {
	catchUp(c, func(what string) []byte { return notesOf(root, session, what) })
}

// maxSaidKept is how much is kept of an agent's last words, in bytes.
const maxSaidKept = 8 << 10

// keepSaid keeps the agent's last words of a turn, for the session's export, and what it found of all
// turns.
func (h *handler) keepSaid() {
	text := h.event.Text
	if text == "" {
		return
	}
	text = strings.ToValidUTF8(text[max(0, len(text)-maxSaidKept):], "")
	_ = h.writeNotes(notesSaid, []byte(text))
	known := string(h.readNotes(notesFound))
	var more strings.Builder
	for _, found := range memory.Findings(text) {
		if !strings.Contains("\n"+known, "\n"+found+"\n") {
			more.WriteString(found + "\n")
		}
	}
	if more.Len() > 0 && len(known) < maxSaidKept {
		h.appendNotes(notesFound, []byte(more.String()))
	}
}

// LastWords returns what the agent of a session said last, as far as its host told, by the
// name of the session's record.
func LastWords(root Root, session string) string {
	return string(notesOf(root, session, notesSaid))
}

// recordDenial keeps a denial, for telling a retry.
func (h *handler) recordDenial(d admission.Denial) {
	h.appendNoteLine(notesDenials, d)
}

// maxCall is how much of a call is written down, in bytes.
const maxCall = 500

// violation writes down and counts a call that mode log lets pass and mode enforce
// would have denied. The session does not work on what it was not to write: the next
// call is judged as it would have been after a denial.
func (h *handler) violation(call admission.Call, v admission.Verdict) {
	h.report(resources.ReasonWouldDeny, call, v, true)
	h.keepLate(v, false)
}

// violationOf is what is written down of a call beside the sentence for people.
func (h *handler) violationOf(call admission.Call, v admission.Verdict) *resources.Violation {
	text := h.callText(call)
	return &resources.Violation{
		Session: h.sessionName(), Agent: h.event.Agent, Tool: call.Tool, Rule: v.Reason.Rule, Task: v.Task,
		Call: strings.ToValidUTF8(text[:min(len(text), maxCall)], ""), Digest: h.digest(call),
	}
}

// tallyOutcome counts how calls end: failures in a row, and calls in a row that the
// person stopped.
func (h *handler) tallyOutcome() {
	if _, known := h.repo.Session(h.sessionName()); !known || h.event.Unsettled && !h.event.Cancelled {
		return
	}
	h.updateSession(func(s *resources.SessionSpec) {
		c := &s.Counters
		switch {
		case h.event.Cancelled:
			c.Cancels++
			s.Enter(resources.StateStopped)
		case h.event.Failed:
			c.Cancels, c.Failures, c.Repeats = 0, c.Failures+1, h.sameError()
		default:
			c.Cancels, c.Failures = 0, 0
			if c.Repeats > 0 && h.event.Action == admission.Shell {
				c.Repeats = h.sameError()
			}
		}
	})
}

// sameError returns the count of the most frequent error that was not overcome since; see runsOf.
func (h *handler) sameError() int {
	most := 0
	for run, n := range runsOf(resources.TriggerError, h.past(), time.Time{}) {
		if strings.HasPrefix(run, errorRun) {
			most = max(most, n)
		}
	}
	return most
}

// lastDenial returns the last denial of a call, nil if it was not denied.
func (h *handler) lastDenial(signature string) *admission.Denial {
	return h.lastNoted(notesDenials, signature)
}

// lastNoted returns the last line about a call in some notes, nil if there is none.
func (h *handler) lastNoted(what, signature string) *admission.Denial {
	log := h.readNotes(what)
	call, _ := json.Marshal(signature)
	for at := bytes.LastIndex(log, call); at >= 0; at = bytes.LastIndex(log[:at], call) {
		line := log[bytes.LastIndexByte(log[:at], '\n')+1:]
		line, _, _ = bytes.Cut(line, []byte{'\n'})
		var d admission.Denial
		if json.Unmarshal(line, &d) == nil && d.Call == signature {
			return &d
		}
	}
	return nil
}

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

// Counts and denials are appended to files of the session, so that a call need
// not rewrite the session's record. The files have a line for each call (see
// calllog.go), for each denial and for each write. The counts are copied to the
// record whenever it is written.

// counted lists the counters for which a log has one line each. The log may be
// ahead of the record.
var counted = [...]struct {
	log   string
	count func(*resources.SessionCounters) *int
}{
	{notesCalls, func(c *resources.SessionCounters) *int { return &c.ToolCalls }},
	{notesDenials, func(c *resources.SessionCounters) *int { return &c.Denials }},
	{notesWrites, func(c *resources.SessionCounters) *int { return &c.Writes }},
}

// catchUp updates the counters from the logs.
func catchUp(c *resources.SessionCounters, log func(what string) []byte) {
	for _, row := range counted {
		n := row.count(c)
		*n = max(*n, bytes.Count(log(row.log), []byte{'\n'}))
	}
}

// CatchUp updates a session's counters from its logs. The record may be a
// minute older.
func CatchUp(root Root, session string, c *resources.SessionCounters) {
	catchUp(c, func(what string) []byte { return notesOf(root, session, what) })
}

// maxSaidKept limits the saved last message of an agent, in bytes.
const maxSaidKept = 8 << 10

// keepSaid saves the agent's last message of a turn for the session's export,
// and its findings of all turns, if config.record is full.
func (h *handler) keepSaid() {
	text := h.event.Text
	if text == "" || h.repo.settings.Record != resources.RecordFull {
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

// LastWords returns the last message of a session's agent, if the host sent it,
// given the name of the session's record.
func LastWords(root Root, session string) string {
	return string(notesOf(root, session, notesSaid))
}

// recordDenial records a denial, for detecting a retry.
func (h *handler) recordDenial(d admission.Denial) {
	h.appendNoteLine(notesDenials, d)
}

// maxCall limits the recorded text of a call, in bytes.
const maxCall = 500

// violation records and counts a call that mode log allows and mode enforce
// would have denied, and saves the text for its result. The session's task is not
// changed by the call, so that the next call is judged as after a denial.
func (h *handler) violation(call admission.Call, v admission.Verdict) {
	h.report(resources.ReasonWouldDeny, call, v, true)
	h.keepLate(v, false)
}

// violationOf returns the record of a call for an event, in addition to the
// sentence for people.
func (h *handler) violationOf(call admission.Call, v admission.Verdict) *resources.Violation {
	text := strings.Join(resources.MaskSecrets(strings.Fields(h.callText(call))), " ")
	return &resources.Violation{
		Session: h.sessionName(), Agent: h.event.Agent, Tool: call.Tool, Rule: v.Reason.Rule, Task: v.Task,
		Call: strings.ToValidUTF8(text[:min(len(text), maxCall)], ""), Digest: h.callDigest(call),
	}
}

// tallyOutcome counts consecutive failures, and consecutive calls that the
// person stopped.
func (h *handler) tallyOutcome() {
	if _, known := h.repo.Session(h.sessionName()); !known || h.event.OutcomeUnknown && !h.event.Cancelled {
		return
	}
	h.updateSession(func(s *resources.SessionSpec) {
		switch c := &s.Counters; {
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

// sameError returns the count of the most frequent error that has not been
// overcome; see runsOf.
func (h *handler) sameError() int {
	most := 0
	for run, n := range runsOf(resources.TriggerError, h.callLog(), time.Time{}) {
		if strings.HasPrefix(run, errorRun) {
			most = max(most, n)
		}
	}
	return most
}

// lastDenial returns the last denial of a call, or nil.
func (h *handler) lastDenial(signature string) *admission.Denial {
	return h.lastNoted(notesDenials, signature)
}

// lastNoted returns the last line about a call in some notes, or nil.
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

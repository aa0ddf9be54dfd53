package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Some calls run although they are against the rules: mode log lets them, the host did not
// wait for the gate's answer, or never asked. Once such a call has run, its agent is told:
// beside its result where mode log let it pass, and in its result's place where it was not to
// run at all, as far as the host can do that.

// late is what is to be said of a call once it has run, a line of the session's file for it.
type late struct {
	Call   string `json:"call"` // the host's id
	What   string `json:"what"` // equal for equal calls
	At     int64  `json:"at"`   // when the gate judged it, in Unix milliseconds
	Denied bool   `json:"denied,omitempty"`
	Text   string `json:"text"`
}

// maxLate is the size of that file from which on it begins anew, in bytes. Most that is in
// it is never asked for: of what is denied, hosts tell nothing more.
const maxLate = 64 << 10

// keepLate keeps what a call against the rules is to be told, should it run.
func (h *handler) keepLate(v admission.Verdict, denied bool) {
	if h.event.CallID == "" || h.sessionName() == "" {
		return
	}
	h.removeNotes(notesLate, maxLate)
	_, text, _ := strings.Cut(v.Reason.Text(), "\n\n") // without the line that says that it was denied
	h.appendNoteLine(notesLate, late{h.event.CallID, h.callID(), h.repo.now.UnixMilli(), denied, text})
}

// lateOf returns what was kept of this very call, if the gate was not asked about it again
// since.
func (h *handler) lateOf() (late, bool) {
	var found late
	if h.event.CallID == "" || h.sessionName() == "" {
		return found, false
	}
	for line := range bytes.Lines(h.readNotes(notesLate)) {
		var l late
		if bytes.Contains(line, []byte(h.event.CallID)) && json.Unmarshal(line, &l) == nil && l.Call == h.event.CallID {
			found = l
		}
	}
	if found.Call == "" || found.What != h.callID() {
		return late{}, false
	}
	again := func(at time.Time) bool { return at.UnixMilli() > found.At }
	return found, !slices.ContainsFunc(h.asked(found.What), again)
}

// What stands before a call's reason when it is given after the fact.
const (
	letPass    = "GOVERNANCE (mode log): this call ran, and mode enforce would have denied it.\n\n"
	gotThrough = "GOVERNANCE: this call ran although it is against the rules: "
	undo       = "\n\nDo not build on its result. Put back what it changed if that needs no other call against the rules, and tell the user."
)

// afterTheFact answers a call that ran and should not have. Of one that failed nothing is
// said: it did nothing, or nobody knows what.
func (h *handler) afterTheFact() hosts.Answer {
	mode := h.repo.settings.Mode
	if mode == admission.ModeOff || h.event.Failed || h.event.Cancelled {
		return hosts.Answer{}
	}
	kept, found := h.lateOf()
	switch {
	case found && !kept.Denied:
		return hosts.Answer{Context: letPass + kept.Text}
	case found:
		h.report(resources.ReasonGotThrough, admission.Call{Tool: h.event.Tool, Action: h.event.Action, Paths: given(h.event.Paths), Command: h.event.Command}, admission.Verdict{
			Reason: admission.Reason{Rule: "gate", What: "The host ran \"" + h.event.Tool + "\" although it was denied."},
		}, true)
		return hosts.Answer{Late: gotThrough + "the host did not heed the denial.\n\n" + kept.Text + undo}
	case mode == admission.ModeEnforce && !h.wasGated():
		return h.decideLate()
	}
	return hosts.Answer{}
}

// wasGated reports whether the gate was asked about this call, or whether that cannot be told.
// What only looks, asks or governs is not looked into: it harms nothing.
func (h *handler) wasGated() bool {
	switch h.event.Action {
	case admission.Read, admission.Ask, admission.Governance:
		return true
	}
	if _, known := h.repo.Session(h.sessionName()); !known || h.event.Unread != "" {
		return true
	}
	return len(h.asked(h.callID())) > 0
}

// decideLate decides about a call that the gate was not asked about.
func (h *handler) decideLate() hosts.Answer {
	call, err := h.call()
	if err != nil {
		return hosts.Answer{}
	}
	v := h.decide(call)
	if v.Outcome != admission.Deny {
		return hosts.Answer{}
	}
	h.report(resources.ReasonGotThrough, call, v, true)
	_, text, _ := strings.Cut(v.Reason.Text(), "\n\n")
	return hosts.Answer{Late: gotThrough + "the gate was not asked, or its answer came too late.\n\n" + text + undo}
}

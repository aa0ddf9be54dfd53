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

// A call may run although it breaks a rule: mode log lets it run, the host did
// not wait for the gate's answer, or the host did not ask the gate. After such
// a call the hook tells the agent. The text is shown next to the result if mode
// log let the call run. It replaces the result if the call should not have run
// and the host supports that.

// lateDenial is the text for a call after it has run. It is one line of a notes file
// of the session.
type lateDenial struct {
	Call     string `json:"call"` // the host's id
	CallHash string `json:"what"` // equal for equal calls
	Judged   int64  `json:"at"`   // when the gate judged it, in Unix milliseconds
	Denied   bool   `json:"denied,omitempty"`
	Text     string `json:"text"`
}

// maxLate is the size in bytes at which the notes file starts again. Most of
// its lines are never read, because hosts send no event after a denied call.
const maxLate = 64 << 10

// keepLate saves the text for a call that breaks a rule, in case the call runs.
func (h *handler) keepLate(v admission.Verdict, denied bool) {
	if h.event.CallID == "" || h.sessionName() == "" {
		return
	}
	h.removeNotes(notesLate, maxLate)
	_, text, _ := strings.Cut(v.Reason.Text(), "\n\n") // without the first line, which states that the call was denied
	h.appendNoteLine(notesLate, lateDenial{h.event.CallID, h.callID(), h.repo.now.UnixMilli(), denied, text})
}

// lateOf returns the saved text for this call, unless the gate has judged the
// call again since.
func (h *handler) lateOf() (lateDenial, bool) {
	var found lateDenial
	if h.event.CallID == "" || h.sessionName() == "" {
		return found, false
	}
	for line := range bytes.Lines(h.readNotes(notesLate)) {
		var l lateDenial
		if bytes.Contains(line, []byte(h.event.CallID)) && json.Unmarshal(line, &l) == nil && l.Call == h.event.CallID {
			found = l
		}
	}
	if found.Call == "" || found.CallHash != h.callID() {
		return lateDenial{}, false
	}
	again := func(at time.Time) bool { return at.UnixMilli() > found.Judged }
	return found, !slices.ContainsFunc(h.judgedTimes(found.CallHash), again)
}

// Texts around the reason of a call that has already run.
const (
	letPass    = "GOVERNANCE (mode log): this call ran, and mode enforce would have denied it.\n\n"
	gotThrough = "GOVERNANCE: this call ran although it breaks the rules: "
	undo       = "\n\nDo not use its result. Undo its changes if the rules allow it, and tell the user."
)

// reportLate answers a call that ran although it should not have. It is
// silent about a failed call, because the call changed nothing or its effect is
// unknown.
func (h *handler) reportLate() hosts.Answer {
	mode := h.repo.settings.Mode
	if mode == admission.ModeOff || h.event.Failed || h.event.Cancelled {
		return hosts.Answer{}
	}
	switch kept, found := h.lateOf(); {
	case found && !kept.Denied:
		return hosts.Answer{Context: letPass + kept.Text}
	case found:
		h.report(resources.ReasonGotThrough, admission.Call{Tool: h.event.Tool, Action: h.event.Action, Paths: fromPaths(h.event.Paths), Command: h.event.Command}, admission.Verdict{
			Reason: admission.Reason{Rule: "gate", What: "The host ran \"" + h.event.Tool + "\" although it was denied."},
		}, true)
		return hosts.Answer{LateReason: gotThrough + "the host did not heed the denial.\n\n" + kept.Text + undo}
	case mode == admission.ModeEnforce && !h.wasGated():
		return h.decideLate()
	}
	return hosts.Answer{}
}

// wasGated reports whether the gate judged this call, or whether that is
// unknown. It returns true for calls that only read, ask or govern: such
// calls are harmless.
func (h *handler) wasGated() bool {
	switch h.event.Action {
	case admission.Read, admission.Ask, admission.Governance:
		return true
	}
	if _, known := h.repo.Session(h.sessionName()); !known || h.event.UnreadReason != "" {
		return true
	}
	return len(h.judgedTimes(h.callID())) > 0
}

// decideLate judges a call that the gate has not judged.
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
	return hosts.Answer{LateReason: gotThrough + "the gate was not asked, or its answer came too late.\n\n" + text + undo}
}

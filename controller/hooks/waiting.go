package hooks

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// The record of a session that waits for its person contains the expected input,
// the start of the wait and the question. The record is written only when one of these
// changes.

// maxAsked limits the saved question, in bytes.
const maxAsked = 200

// endWait records that the session no longer waits for the person.
func (h *handler) endWait() {
	if h.record().State == resources.StateWaiting {
		h.updateSession(func(s *resources.SessionSpec) { s.Enter(resources.StateWorking) })
	}
}

// wait records the expected input. If the turn ended with a question, a
// later idle notification changes nothing.
func (h *handler) wait() {
	asks := h.question()
	h.updateSession(func(s *resources.SessionSpec) {
		if s.WaitsFor != resources.WaitsForAnswer || h.event.WaitsFor != resources.WaitsForInput {
			s.Wait(h.event.WaitsFor, asks, resources.NewTime(h.repo.now))
		}
	})
}

// question returns the question for the person: for a permission the tool and
// the call, else the text of the event.
func (h *handler) question() string {
	text := h.words(h.event.Text)
	if h.event.Tool != "" && h.event.WaitsFor == resources.WaitsForPermission {
		text = h.event.Tool + " " + h.aboutCall()
	}
	return maskedLine(text)
}

// words returns a text of an agent or a host, or "" if words are not recorded.
func (h *handler) words(text string) string {
	if h.repo.settings.Record != resources.RecordFull {
		return ""
	}
	return text
}

// maskedLine returns a text as one line of limited length, with likely secrets
// masked.
func maskedLine(text string) string {
	text = admission.Plain(strings.Join(resources.MaskSecrets(strings.Fields(text[:min(len(text), 4*maxAsked)])), " "))
	if len(text) > maxAsked {
		text = strings.ToValidUTF8(text[:maxAsked-len("…")], "") + "…"
	}
	return text
}

// endTurn records the end of the turn. The session now waits for an answer or
// for the next prompt.
func (h *handler) endTurn(s *resources.SessionSpec) {
	switch now := resources.NewTime(h.repo.now); {
	case h.event.Waiting:
		s.Enter(resources.StateBetweenTurns)
	case asksPerson(h.event.Text):
		s.Wait(resources.WaitsForAnswer, maskedLine(lastLine(h.words(h.event.Text))), now)
	default:
		s.Wait(resources.WaitsForInput, "", now)
	}
}

// midTurn reports whether a turn is running. A turn that waits for a permission
// is running too.
func midTurn(s *resources.SessionSpec) bool {
	return s.State == resources.StateWorking || s.WaitsFor == resources.WaitsForPermission
}

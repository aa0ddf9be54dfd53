package hooks

import (
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A session that waits for its person says so in its record: for what, since when, and what is
// asked. The record is written where that changes, and by no call that changes nothing of it.

// maxAsked is how much of what is asked is kept, in bytes.
const maxAsked = 200

// noteWaiting notes that the session waits for the person, and what ends that: a later call, how
// one ended, an answer. A prompt and the end of the turn say so themselves.
func (h *handler) noteWaiting() {
	switch h.event.Type {
	case hosts.Waits:
		h.wait()
	case hosts.BeforeTool, hosts.AfterTool:
		h.waitNoMore()
	}
}

// waitNoMore notes that the session goes on.
func (h *handler) waitNoMore() {
	if h.record().State == resources.StateWaiting {
		h.updateSession(func(s *resources.SessionSpec) { s.Enter(resources.StateWorking) })
	}
}

// wait notes what the session waits for. Where its turn ended with a question, that it stands at the
// prompt since then is no news.
func (h *handler) wait() {
	asks := h.question()
	h.updateSession(func(s *resources.SessionSpec) {
		if s.WaitsFor != resources.WaitsForAnswer || h.event.WaitsFor != resources.WaitsForInput {
			s.Wait(h.event.WaitsFor, asks, resources.NewTime(h.repo.now))
		}
	})
}

// question is what the person is asked: of a call which tool is to do what, else the words that came.
func (h *handler) question() string {
	text := h.event.Text
	if h.event.Tool != "" && h.event.WaitsFor == resources.WaitsForPermission {
		text = h.event.Tool + " " + h.aboutCall()
	}
	return asWords(text)
}

// asWords is a text as one line of words, without what looks like a secret, cut at a bound.
func asWords(text string) string {
	text = admission.Plain(strings.Join(resources.MaskSecrets(strings.Fields(text[:min(len(text), 4*maxAsked)])), " "))
	if len(text) > maxAsked {
		text = strings.ToValidUTF8(text[:maxAsked-len("…")], "") + "…"
	}
	return text
}

// endTurn notes that the turn ended: the person is to answer a question, or to say what comes next.
func (h *handler) endTurn(s *resources.SessionSpec) {
	now := resources.NewTime(h.repo.now)
	switch {
	case h.event.Waiting:
		s.Enter(resources.StateBetweenTurns)
	case asksPerson(h.event.Text):
		s.Wait(resources.WaitsForAnswer, asWords(lastLine(h.event.Text)), now)
	default:
		s.Wait(resources.WaitsForInput, "", now)
	}
}

// midTurn reports whether a turn runs, one that is held up by a question for permission among them.
func midTurn(s *resources.SessionSpec) bool {
	return s.State == resources.StateWorking || s.WaitsFor == resources.WaitsForPermission
}

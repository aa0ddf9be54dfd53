package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// What a person's prompt is like decides what goes with it. A short one ("go on") says nothing
// of its own about the work, so now and then it gets a line that does. Long ones push what the session began
// with out of sight: each adds to a score, and at purifyAt the whole pack comes again.
const (
	shortPrompt = 20  // words; a prompt of fewer is short
	longPrompt  = 30  // words; one of more is long
	purifyAt    = 100 // points
	mostPoints  = 50  // that one prompt can add: a pasted log alone is no conversation

	silentPrompts = 3 // after so many with which nothing went, a short one gets its line
)

// promptPoints is what a prompt adds to the score: for a long one, a point for every ten
// words.
func promptPoints(words int) int {
	if words <= longPrompt {
		return 0
	}
	return min(words/10, mostPoints)
}

// compactionMarks are beginnings of prompts that some hosts send in the person's place after a
// compaction of which they say nothing else.
var compactionMarks = [...]string{
	"this session is being continued from a previous conversation",
	"this conversation was compacted",
	"summary of our conversation",
	"here is a summary of our conversation",
}

// looksCompacted reports whether a prompt is what is left of a conversation.
func looksCompacted(text string) bool {
	const longest = 200
	text = strings.TrimLeft(text, " \t\r\n#*>[(")
	text = strings.ToLower(text[:min(len(text), longest)])
	for _, mark := range compactionMarks {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// sayAnew begins a new list of what was told, with the whole pack, which begins a new conversation.
func (h *handler) sayAnew(pack string) {
	told := h.repo.contexts.Given(pack)
	h.updateMemo(func(m *memo) {
		m.Given, m.Lost = nil, false
		m.give(told, false)
	})
}

// lossMarks are words of an agent that no longer knows what the conversation was about: a
// sign of a compaction that nobody told of.
var lossMarks = [...]string{
	"i'll need you to provide", "i will need you to provide",
	"can you remind me what", "could you remind me what", "can you remind me of", "could you remind me of",
	"i don't have the context of", "i don't have any context", "i no longer have the context", "i've lost the context",
}

// soundsLost reports whether an agent's last words are those of one that lost its context.
func soundsLost(text string) bool {
	const longest = 4000
	text = strings.ToLower(strings.ReplaceAll(text[max(0, len(text)-longest):], "\u2019", "'"))
	return slices.ContainsFunc(lossMarks[:], func(mark string) bool { return strings.Contains(text, mark) })
}

// noteLoss keeps whether the agent seems to have lost its context when its turn ends: then
// the next prompt brings the whole pack again.
func (h *handler) noteLoss() {
	h.updateMemo(func(m *memo) { m.Lost = soundsLost(h.event.Text) })
}

// purifies adds a prompt to the score, and reports whether the whole pack is due.
func (h *handler) purifies() (due bool) {
	compacted := looksCompacted(h.event.Text)
	h.updateMemo(func(m *memo) {
		points := promptPoints(len(strings.Fields(h.event.Text)))
		m.Score += points
		if due = compacted || m.Lost || points > 0 && m.Score >= purifyAt; due {
			m.Score, m.Silent, m.Lost = 0, 0, false
		}
	})
	return due
}

// flow is the line that goes with a short prompt: where the work stands, if nothing was said
// for some prompts. told is what is said in any case.
func (h *handler) flow(told string) string {
	text := ""
	h.updateMemo(func(m *memo) {
		m.Silent = min(m.Silent, silentPrompts) + 1
		if words := len(strings.Fields(h.event.Text)); words > 0 && words < shortPrompt && m.Silent > silentPrompts && told == "" && h.repo.trusted() {
			text = h.flowText()
		}
		if told+text != "" {
			m.Silent = 0
		}
	})
	return told + text
}

func (h *handler) flowText() string {
	t, ok := h.work()
	if !ok {
		if next := admission.OffersFor(h.self(), h.repo, 3); len(next) > 0 {
			return "FLOW: no task is yours and active; ready: " + strings.Join(next, ", ") + ".\n"
		}
		return ""
	}
	st, _ := status.DeriveTask(t, h.repo)
	text := fmt.Sprintf("FLOW: task %q [%s] of plan %q", t.Metadata.Name, st.Phase, t.Spec.WorkPlan)
	if missing := len(status.MissingEvidence(t, h.repo.Evidence(t.Metadata.Name))); missing > 0 {
		text += fmt.Sprintf("; evidence still missing: %d", missing)
	}
	return text + ".\n"
}

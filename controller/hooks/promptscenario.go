package hooks

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// The form of a person's prompt determines the context that is sent with it. A
// short prompt ("go on") does not describe the work, so now and then a line
// that does is added. Long prompts move the first context out of the model's
// attention. Each adds to a score, and at purifyAt the whole pack is sent
// again.
const (
	shortPrompt = 20  // a prompt with fewer words is short
	longPrompt  = 30  // a prompt with more words is long
	purifyAt    = 100 // points
	mostPoints  = 50  // the maximum for one prompt, because one pasted log is not a long conversation

	silentPrompts = 3 // prompts without context after which a short prompt gets its line
)

// promptPoints returns the points that a prompt adds to the score: one for
// every ten words of a long prompt.
func promptPoints(words int) int {
	if words <= longPrompt {
		return 0
	}
	return min(words/10, mostPoints)
}

// compactionMarks lists the beginnings of prompts that some hosts send after a
// compaction, if they send no compaction event.
var compactionMarks = [...]string{
	"this session is being continued from a previous conversation",
	"this conversation was compacted",
	"summary of our conversation",
	"here is a summary of our conversation",
}

// looksCompacted reports whether a prompt is the summary of a conversation.
func looksCompacted(text string) bool {
	const longest = 200
	text = strings.TrimLeft(text, " \t\r\n#*>[(")
	text = strings.ToLower(text[:min(len(text), longest)])
	return slices.ContainsFunc(compactionMarks[:], func(mark string) bool { return strings.HasPrefix(text, mark) })
}

// resetReceipts starts a new list of delivered objects with the whole pack, which
// begins a new conversation.
func (h *handler) resetReceipts(pack string) {
	told := h.repo.contexts.PackSnippets(pack)
	h.updateState(func(m *sessionState) {
		m.Receipts, m.Completed, m.LostContext = nil, nil, false
		m.addReceipts(told, false)
	})
}

// Words of a prompt that ends a conversation: it has one of the first, and no others than these.
const (
	partingWords = " thanks thank thx ty bye goodbye cheers "
	politeWords  = " you so much very a lot that's that is was all for now today great good perfect nice ok okay and everything your help the day night see later "
)

// isFarewell reports whether a prompt only thanks or says goodbye. It gets no context.
func isFarewell(text string) bool {
	parting := false
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		switch word = " " + word + " "; {
		case strings.Contains(partingWords, word):
			parting = true
		case !strings.Contains(politeWords, word):
			return false
		}
	}
	return parting
}

// lossMarks lists phrases of an agent that has lost its context. They are a
// sign of a compaction without an event.
var lossMarks = [...]string{
	"i'll need you to provide", "i will need you to provide",
	"can you remind me what", "could you remind me what", "can you remind me of", "could you remind me of",
	"i don't have the context of", "i don't have any context", "i no longer have the context", "i've lost the context",
}

// soundsLost reports whether an agent's last message shows that it has lost its
// context.
func soundsLost(text string) bool {
	const longest = 4000
	text = strings.ToLower(strings.ReplaceAll(text[max(0, len(text)-longest):], "\u2019", "'"))
	return slices.ContainsFunc(lossMarks[:], func(mark string) bool { return strings.Contains(text, mark) })
}

// purifies adds a prompt to the score, and reports whether the whole pack must
// be sent.
func (h *handler) purifies() (due bool) {
	compacted := looksCompacted(h.event.Text)
	h.updateState(func(m *sessionState) {
		points := promptPoints(len(strings.Fields(h.event.Text)))
		m.Score += points
		if due = compacted || m.LostContext || points > 0 && m.Score >= purifyAt; due {
			m.Score, m.Silent, m.LostContext = 0, 0, false
		}
	})
	return due
}

// flow returns told, the text that is sent anyway. If it is empty, the prompt is
// short and no context was sent for some prompts, flow returns a line with the
// state of the work.
func (h *handler) flow(told string) string {
	text := ""
	h.updateState(func(m *sessionState) {
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

// flowText returns a line about the state of the current task, or about the tasks that the agent
// may start. It returns "" without such tasks.
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

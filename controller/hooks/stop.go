package hooks

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxHolds is how often one turn is kept from ending. The host itself would give
// up at nine; an agent that cannot do what is asked must be able to say so.
const maxHolds = 3

// stop is the pre-stop gate: an agent does not end its turn while the tasks that
// its session works on lack evidence that they ask for.
func (h *handler) stop() hosts.Answer {
	h.noteLoss()
	h.keepSaid()
	text := h.hold()
	h.updateSession(func(s *resources.SessionSpec) {
		switch {
		case h.event.Cancelled:
			s.State = resources.StateStopped
			s.Counters.Cancels++
		case text == "":
			s.State, s.Counters.Cancels = resources.StateBetweenTurns, 0
		}
	})
	return hosts.Answer{Hold: text}
}

// subagentStop does the same for a subagent that a delegation was given to, its whole
// life being one turn. What one without a delegation left undone is its parent's to
// finish. One that ends needs its context no more.
func (h *handler) subagentStop() hosts.Answer {
	if s := h.record(); s.Delegation != "" && s.EndedAt.IsZero() && !h.composes() {
		if text := h.hold(); text != "" {
			return hosts.Answer{Hold: text}
		}
	}
	h.removeNotes(notesKnown, -1)
	return h.end()
}

// end notes that a session is over.
func (h *handler) end() hosts.Answer {
	h.updateSession(func(s *resources.SessionSpec) { s.EndedAt = resources.NewTime(h.repo.now) })
	return hosts.Answer{}
}

// hold returns what keeps the turn from ending, "" for nothing, and counts it. Only a
// person's prompt begins to count anew: hosts also wake an agent by themselves, when a
// subagent in the background ends.
func (h *handler) hold() string {
	text := ""
	if h.readMemo().Holds < maxHolds && !h.event.Waiting && h.repo.settings.Mode == admission.ModeEnforce {
		text = h.checklist()
	}
	if text != "" {
		h.updateMemo(func(m *memo) { m.Holds++ })
	}
	return text
}

// checklist says what is still missing for the session's tasks, "" if nothing is. Only
// tasks that the session started or did something for count: a session that merely
// answers a question is not kept; nor is one for what nobody trusts.
func (h *handler) checklist() string {
	s, ok := h.repo.Session(h.sessionName())
	if !ok {
		return ""
	}
	work := h.workedOn(s)
	if len(work) == 0 || !h.repo.trusted() {
		return ""
	}
	var lists []string
	for _, t := range work {
		if list := h.checklistOf(t); list != "" {
			lists = append(lists, list)
		}
	}
	return strings.Join(lists, "\n\n")
}

// workedOn lists the active tasks that a session is on: the one of its record, and
// those whose latest checkpoints are its own.
func (h *handler) workedOn(s *resources.Session) []*resources.Task {
	var tasks []*resources.Task
	if t, ok := h.repo.Task(s.Spec.ActiveTask); ok && t.Spec.State == resources.TaskActive {
		tasks = append(tasks, t)
	}
	for _, name := range h.repo.ActiveTasks() {
		t, ok := h.repo.Task(name)
		if !ok || name == s.Spec.ActiveTask || len(t.Spec.Evidence) == 0 {
			continue
		}
		last := h.repo.overlay.Evidence(name).Last
		if len(last) > 0 && !slices.ContainsFunc(last, func(c resources.Checkpoint) bool { return c.Session != s.Metadata.Name }) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// checklistOf is the list of one task, "" if nothing is missing.
func (h *handler) checklistOf(t *resources.Task) string {
	name := t.Metadata.Name
	missing := status.MissingEvidence(t, h.repo.Evidence(name))
	if len(missing) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("GOVERNANCE: task \"" + name + "\" is active and not done.\n\n")
	for _, item := range t.Spec.Evidence {
		mark := "x"
		if slices.Contains(missing, item) {
			mark = " "
		}
		b.WriteString("- [" + mark + "] " + admission.Plain(item.String()) + "\n")
	}
	b.WriteString("\nExpected: " + admission.Plain(t.Spec.ExpectedOutput) + "\n")
	b.WriteString("USE INSTEAD: do what is missing, then `idumb complete " + name + " --evidence \"...\"`. If you cannot: `idumb fail " + name +
		" --reason \"...\"`. If you need the person, say what you ask and stop again.")
	b.WriteString(h.howToProve(missing))
	return b.String()
}

// howToProve says how the outcome of a command comes to count, where the host tells what a
// command printed, and not how it ended.
func (h *handler) howToProve(missing []resources.EvidenceItem) string {
	if !h.host().HidesExits || !slices.ContainsFunc(missing, func(item resources.EvidenceItem) bool { return item.Succeeds }) {
		return ""
	}
	return " Codex does not say how a command ended: run what must succeed with the tool mcp__idumb__govern_shell (action run), which sees it."
}

package hooks

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// stop is the pre-stop gate. It keeps an agent from ending its turn while the
// tasks of its session lack required evidence.
func (h *handler) stop() hosts.Answer {
	// If the agent seems to have lost its context, the whole pack is sent with the next prompt.
	h.updateState(func(m *sessionState) { m.LostContext = m.LostContext || soundsLost(h.event.Text) })
	h.keepSaid()
	if end, size := h.repo.lastNotes(h.sessionName(), notesDone, doneKept); size > maxDone {
		_ = h.writeNotes(notesDone, end) // a line that is added at the same time is lost
	}
	text := h.hold()
	h.updateSession(func(s *resources.SessionSpec) {
		switch {
		case h.event.Cancelled:
			s.Enter(resources.StateStopped)
			s.Counters.Cancels++
		case text == "":
			h.endTurn(s)
			s.Counters.Cancels = 0
		}
	})
	if text == "" {
		h.exportTurn()
	} else {
		h.updateState(func(m *sessionState) { m.HeldWith = text })
	}
	return hosts.Answer{Hold: text}
}

// end records the end of a session and exports it.
func (h *handler) end() hosts.Answer {
	h.updateSession(func(s *resources.SessionSpec) {
		if s.State == resources.StateWaiting {
			s.Enter(resources.StateBetweenTurns)
		}
		s.EndedAt = resources.NewTime(h.repo.now)
	})
	h.exportEnd()
	return hosts.Answer{}
}

// hold returns the text that prolongs the turn, or an empty text. Undelivered
// instructions always prolong it, and open work only once a turn, which hold
// records. Only a person's prompt begins a new turn, because hosts also wake an
// agent when a background subagent ends.
func (h *handler) hold() string {
	if h.repo.settings.Mode == admission.ModeEnforce {
		if text := h.untoldInstruction(); text != "" {
			return text
		}
	}
	if h.readState().HeldOnce || h.event.Waiting || h.repo.settings.Mode != admission.ModeEnforce || asksPerson(h.event.Text) || h.halted() {
		return ""
	}
	text := h.checklist()
	if text != "" {
		h.updateState(func(m *sessionState) { m.HeldOnce, m.Held = true, true })
	}
	return text
}

// asksPerson reports whether an agent's last message ends in a question.
func asksPerson(words string) bool {
	return strings.ContainsRune(lastLine(words), '?')
}

// lastLine returns the last non-empty line of a text without its markup.
func lastLine(words string) string {
	words = strings.TrimRight(words, " \t\n*_`)\"'")
	return words[strings.LastIndexByte(words, '\n')+1:]
}

// claimsDone reports whether an agent's last message states that something is
// done.
func claimsDone(words string) bool {
	isEnd := func(r rune) bool { return !unicode.IsLetter(r) }
	before := ""
	for word := range strings.FieldsFuncSeq(strings.ToLower(words), isEnd) {
		switch word {
		case "done", "completed", "finished", "implemented":
			if before != "not" && before != "t" && before != "be" {
				return true
			}
		}
		before = word
	}
	return false
}

// checklist returns what is open for the session's tasks, or an empty text. It
// includes only tasks that the session started or worked on. It applies only
// in a turn that worked on a task, or with a message that claims completion, so
// that a session that only answers a question is not held. It does not apply in
// an untrusted repository.
func (h *handler) checklist() string {
	s, ok := h.repo.Session(h.sessionName())
	if !ok || s.Spec.Counters.QuietTurns > 0 && !claimsDone(h.event.Text) || !h.repo.trusted() {
		return ""
	}
	var lists []string
	for _, t := range h.workedOn(s) {
		if list := h.checklistOf(t); list != "" {
			lists = append(lists, list)
		}
	}
	return h.inTools(strings.Join(lists, "\n\n"))
}

// workedOn returns the active tasks of a session: the task of its record, and
// tasks with latest checkpoints from the session.
func (h *handler) workedOn(s *resources.Session) []*resources.Task {
	var tasks []*resources.Task
	if t, ok := h.repo.Task(s.Spec.ActiveTask); ok && h.mayWorkOn(t) {
		tasks = append(tasks, t)
	}
	for _, name := range h.repo.ActiveTasks() {
		t, ok := h.repo.Task(name)
		if !ok || name == s.Spec.ActiveTask || len(t.Spec.Evidence) == 0 || !h.mayWorkOn(t) {
			continue
		}
		last := h.repo.overlay.Evidence(name).Last
		if len(last) > 0 && !slices.ContainsFunc(last, func(c resources.Checkpoint) bool { return c.Session != s.Metadata.Name }) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// mayWorkOn reports whether the acting agent may write for a task now.
func (h *handler) mayWorkOn(t *resources.Task) bool {
	return t.Spec.State == resources.TaskActive && status.InFocus(t, h.repo) && admission.Permitted(h.self(), admission.For, t, h.repo) == nil
}

// checklistOf returns what is open for a task and the next step. A task with
// complete evidence only needs the complete command, and its dependents wait for
// that. A task that requires no evidence is listed if the session states that it
// is done, or worked on it and left something broken; without that only once in
// a session, because a further request in each turn would cost more than it
// brings. A subagent is not held for such a task, because its answer would
// replace its report to the agent that started it. No agent is held for a task that
// it cannot complete, because it is blocked or its role completes none.
func (h *handler) checklistOf(t *resources.Task) string {
	name := t.Metadata.Name
	if len(t.Spec.Evidence) == 0 && h.event.Type == hosts.SubagentStop {
		return ""
	}
	if st, _ := status.DeriveTask(t, h.repo); st.Phase == resources.TaskBlocked || !(admission.Rights{Call: h.self(), View: h.repo}).MayRun("idumb complete "+name) {
		return ""
	}
	broken, other := h.openPoints(t)
	if len(t.Spec.Evidence) == 0 && !claimsDone(h.event.Text) {
		own := func(c resources.Checkpoint) bool { return c.Session == h.sessionName() }
		worked := slices.ContainsFunc(h.repo.overlay.Evidence(name).Last, own)
		if !worked || len(broken) == 0 && h.readState().Held {
			return ""
		}
	}
	missing := status.MissingEvidence(t, h.repo.Evidence(name))
	complete := "`idumb complete " + name + " --evidence \"...\"`"
	next := "If the expected output exists: " + complete + "; the tasks that depend on it can start then. If work is left, report it and end your turn."
	head := "is still active."
	switch {
	case len(missing) > 0:
		head = "is active and not done. Missing evidence:"
		next = h.proving(name, missing, complete) + " If you cannot: `idumb fail " + name + " --reason \"...\"`. If you need the user, ask your question and end your turn."
	case len(t.Spec.Evidence) > 0:
		head = "has all of its evidence and is still active."
	}
	if c := status.HeldBy(t.Key(), h.repo); c != nil {
		next = "Answer the comment that holds it: `" + admission.AnswerTo(c) + "`. " + next
	}
	var b strings.Builder
	b.WriteString("GOVERNANCE: task \"" + name + "\" " + head + "\n")
	for _, item := range missing {
		b.WriteString("- " + admission.Plain(item.String()) + "\n")
	}
	for _, item := range slices.Concat(broken, other) {
		b.WriteString("- " + item + "\n")
	}
	b.WriteString("Expected: " + admission.Plain(t.Spec.ExpectedOutput) + "\nUSE INSTEAD: " + next)
	return b.String()
}

// maxOpenPoints limits the points of each kind that a checklist lists.
const maxOpenPoints = 3

// openPoints returns what else is open for the files written for a task. broken
// contains names that other files still import, and documents without a file or
// without a link to the task. other contains many uncommitted changes.
func (h *handler) openPoints(t *resources.Task) (broken, other []string) {
	name := t.Metadata.Name
	files := h.repo.overlay.Evidence(name).Files
	if h.repo.code != nil {
		names := h.repo.code.Broke(files[:min(len(files), maxWrittenFiles)])
		for _, b := range names[:min(len(names), maxOpenPoints)] {
			broken = append(broken, b.Text)
		}
	}
	broken = append(broken, h.unlinkedDocuments(t, files)...)
	if n := h.notCommitted(name); n >= manyUncommitted {
		other = append(other, fmt.Sprintf("%d files written for it are not committed: commit finished changes, if the user lets you.", n))
	}
	return broken, other
}

// maxWrittenFiles limits the files whose exports a checklist compares.
const maxWrittenFiles = 50

// unlinkedDocuments names the tracked documents among the files of a task that
// are missing, or that cover neither the task nor its plan.
func (h *handler) unlinkedDocuments(t *resources.Task, files []string) (points []string) {
	for _, file := range files {
		for _, a := range h.repo.ArtifactsAt(file) {
			covered := resources.CoveredKeys(a)
			linked := slices.Contains(covered, t.Key()) || slices.Contains(covered, resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan})
			switch {
			case len(points) == maxOpenPoints || !resources.OpenArtifact(a):
			case !exists(h.repo.Abs(file)):
				points = append(points, "artifact "+a.Metadata.Name+" is not saved: "+admission.Plain(file)+" does not exist.")
			case !linked:
				points = append(points, "artifact "+a.Metadata.Name+" is not linked: `idumb artifact adopt "+admission.Plain(file)+" --covers task/"+t.Metadata.Name+"`.")
			}
		}
	}
	return points
}

// proving returns how to record missing evidence. A single command also
// completes the task in one call. idumb run is used because some hosts do not
// send exit codes.
func (h *handler) proving(task string, missing []resources.EvidenceItem, complete string) string {
	switch first := missing[0].Command; {
	case len(missing) == 1 && first != "":
		return "In the shell, `idumb run --complete " + task + " -- " + admission.Plain(first) + "`: it completes the task if the command succeeds."
	case h.host().HidesExits && slices.ContainsFunc(missing, func(item resources.EvidenceItem) bool { return item.Succeeds }):
		return "Produce the missing evidence: run each command by `idumb run -- COMMAND`, because Codex does not report exit codes; then " + complete + "."
	}
	return "Produce the missing evidence, then " + complete + "."
}

package hooks

import (
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// handler answers one event in one repository.
type handler struct {
	repo     *repo
	state    *heldState // the session's state while an event is answered; nil to read and write it at each access
	event    hosts.Event
	env      environment
	limit    int         // the host's limit for context, in UTF-16 code units
	id       string      // ID of the event's call; computed on demand
	pid      func() int  // returns the process ID of the hook, or 0 if unknown; may be nil
	timedOut func() bool // reports whether the answer will not be delivered; may be nil

	ended     *Ended           // the outcome of the event's command line, if iDumb ran it
	notice    string           // about a controller that was started for this event; may be empty
	reading   *command.Reading // the interpreted command line of the event
	readingOf *hosts.CommandLine

	startsTask bool // the call started the session's task

	dryRun  bool   // a question is being answered: nothing may change
	allowed string // the text for the agent about a grant that its call used; may be empty

	asOf time.Time // the time of the last returned context; zero for now
}

// host returns the capabilities of the event's host.
func (h *handler) host() hosts.Traits { return hosts.TraitsOf(h.event.Host) }

// composes reports whether the host requests context for each request. Such a
// host ignores text in the answer to a prompt.
func (h *handler) composes() bool { return h.host().OneProcess }

// handle answers the event, and masks text that may not be shown.
func (h *handler) handle() hosts.Answer {
	defer h.repo.hold()()
	defer h.holdState()()
	h.countComments()
	return h.redact(h.postponed(h.withComments(h.answer())))
}

// postponed keeps context of an answer before a call for the answer after the
// call, if the host needs that.
func (h *handler) postponed(a hosts.Answer) hosts.Answer {
	if !h.host().LateContext {
		return a
	}
	switch h.event.Type {
	case hosts.BeforeTool:
		if a.Context != "" {
			h.updateState(func(m *sessionState) { m.Postponed = inLines(m.Postponed, a.Context) })
			a.Context = ""
		}
	case hosts.AfterTool:
		if text := h.readState().Postponed; text != "" {
			h.updateState(func(m *sessionState) { m.Postponed = "" })
			a.Context = inLines(text, a.Context)
		}
	}
	return a
}

// answer answers the event. In mode off it prints nothing but still records the
// work, so that the evidence is complete if governance is enabled again.
func (h *handler) answer() hosts.Answer {
	silent := h.repo.settings.Mode == admission.ModeOff
	// A later call, the end of a call or an answer ends the wait for the person.
	// A prompt and the end of the turn are recorded elsewhere.
	switch h.event.Type {
	case hosts.Waits:
		h.wait()
	case hosts.BeforeTool, hosts.AfterTool:
		h.endWait()
	}
	switch h.event.Type {
	case hosts.AfterTool:
		return h.afterCall(silent)
	case hosts.Waits:
		return hosts.Answer{}
	case hosts.SessionEnd:
		return h.end()
	case hosts.SubagentStop:
		// A subagent has only one turn. In mode enforce, open work of its delegation holds it.
		// Without a delegation the parent finishes the work.
		if s := h.record(); s.Delegation != "" && s.EndedAt.IsZero() && !h.composes() {
			if text := h.hold(); text != "" {
				return hosts.Answer{Hold: text}
			}
		}
		h.removeNotes(notesKnown, -1) // a subagent that ended needs no context
		return h.end()
	}
	if silent {
		if h.event.Type == hosts.BeforeTool {
			h.nameCaller()
		}
		return hosts.Answer{}
	}
	h.tighten()
	h.noteAgent()
	if h.env.get(admission.DelegationVariable) != "" {
		h.bind()
	}
	return h.governed()
}

// governed answers an event according to its type, unless the mode is off.
func (h *handler) governed() hosts.Answer {
	switch h.event.Type {
	case hosts.BeforeTool:
		return h.beforeCall()
	case hosts.Prompt:
		if held := h.readState().HeldWith; held != "" && strings.TrimSpace(h.event.Text) == strings.TrimSpace(held) {
			return hosts.Answer{} // the host sends the reason for not stopping as a prompt
		}
		answer := h.withConflicts(h.withUncommitted(h.prompt()))
		answer.Notice += h.brokeNotice()
		if text := h.readState().LeftOpen; text != "" {
			h.updateState(func(m *sessionState) { m.TurnContext, m.LeftOpen = m.TurnContext+text, "" })
		}
		return answer
	case hosts.SessionStart:
		return h.withLeftOpen(h.sessionStart())
	case hosts.BeforeCompact:
		return h.beforeCompact()
	case hosts.SubagentStart:
		h.bind()
		// A subagent has not received its parent's context. It gets a record
		// with the task of its parent or its delegation, and the complete context.
		h.updateSession(func(*resources.SessionSpec) {})
		h.noteDelegation()
		return hosts.Answer{Context: h.fullPack(0, "")}
	case hosts.Stop:
		return h.stop()
	case hosts.SettingsChange:
		return h.settingsChange()
	}
	return hosts.Answer{}
}

// beforeCall judges a call. If the call is allowed, it adds the memory about
// the touched files.
func (h *handler) beforeCall() hosts.Answer {
	if h.repo.readsFiles && h.watchesSpecs() && h.repo.outdated(h.repo.specs.ledger()) {
		h.repo.findLost()
	}
	h.bind()
	answer := h.beforeTool()
	if h.event.Action == admission.Delegate && answer.Deny == "" {
		s := spawn{Call: h.event.CallID, Parent: h.sessionName(), Agent: h.event.DelegateTo, Name: h.event.DelegateName, Handed: tags(h.event.Text), Tasks: tagged(h.event.Text, taskTag), Time: h.repo.now}
		if h.event.Session != "" { // a session's subagents share its id and its notes
			h.noteSpawn(resources.NameOfID(h.event.Session), s)
		}
		if h.host().SharesSession && h.event.DelegateTo != "" {
			h.updateState(func(m *sessionState) { m.Agents = append(m.Agents, h.event.DelegateTo) })
		}
	}
	answer.Context += h.lateDelegation()
	if answer.Deny != "" {
		return answer
	}
	if h.event.WaitsFor != "" {
		h.wait()
	}
	h.beginSpecs()
	answer.Context = inLines(answer.Context, h.touchSnippets(), h.expiredSnippets())
	return answer
}

// afterCall records the effect of a call. Unless silent, it also returns texts
// about the outcome.
func (h *handler) afterCall(silent bool) hosts.Answer {
	queued := ""
	if !silent {
		queued = h.queued()
	}
	if h.event.Action == admission.Delegate {
		h.endAgent()
	}
	answer, task := h.reportLate(), h.record().ActiveTask
	h.afterTool()
	answer.Context = queued + answer.Context
	if silent {
		return answer
	}
	answer = h.withSpecs(answer)
	if h.event.Action == admission.Delegate {
		h.gathered() // the call's output contains them
	}
	answer.Context = inLines(h.afterLoss(), answer.Context, h.switched(task), h.failureSnippets(), h.breakageSnippets(), h.expiredSnippets(), h.completedElsewhere())
	if h.event.Action == admission.Write {
		answer = h.withUncommitted(answer)
	}
	return answer
}

// inLines joins texts with line breaks.
func inLines(texts ...string) string {
	all := ""
	for _, text := range texts {
		if all != "" && text != "" && !strings.HasSuffix(all, "\n") {
			all += "\n"
		}
		all += text
	}
	return all
}

// settingsChange prevents changed settings from being applied to a running
// agent, because an agent could disable its gate. A change by a person applies
// from the next session on.
func (h *handler) settingsChange() hosts.Answer {
	if h.repo.settings.Mode != admission.ModeEnforce {
		return hosts.Answer{}
	}
	file := "The agent's settings"
	if h.event.File != "" {
		file = admission.Plain(h.event.File)
	}
	text := "iDumb: " + file + " changed while an agent works, and it decides which hooks run. The change does not apply to this session; it applies from the next session."
	return hosts.Answer{Refuse: text, Notice: text}
}

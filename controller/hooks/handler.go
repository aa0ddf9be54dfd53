package hooks

import (
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// handler answers one event in one repository.
type handler struct {
	repo  *repo
	event hosts.Event
	env   environment
	limit int         // of the host, for context, in UTF-16 code units
	id    string      // of the event's call, once asked for
	pid   func() int  // of the hook's process, 0 if that is not known; nil: it never is
	late  func() bool // nobody is given what this comes to; nil: it is not known to be so

	ended     *Ended           // how the event's command line ended, where that was seen
	notice    string           // of a controller that was started for this event, "" for none
	reading   *command.Reading // of the event's command line, see interpreted
	readingOf *hosts.CommandLine

	startsTask bool // the call started the session's task

	looks   bool   // a question is answered: nothing may change by it
	allowed string // what the agent is told of a grant that its call used, "" for none

	asOf time.Time // of when the context is that was asked for last; zero: of now
}

// host is what the event's host can do.
func (h *handler) host() hosts.Traits { return hosts.TraitsOf(h.event.Host) }

// composes reports whether the host asks for the context of each request by itself, in
// which case nobody would hear what is said at a prompt.
func (h *handler) composes() bool { return h.host().Lasts }

// handle answers the event, with as much as may be shown.
func (h *handler) handle() hosts.Answer {
	defer h.repo.hold()()
	h.countComments()
	return h.shown(h.withComments(h.answer()))
}

// answer answers the event. Mode off is silent, but what was done is recorded,
// so that governance can be switched on again with its evidence complete.
func (h *handler) answer() hosts.Answer {
	silent := h.repo.settings.Mode == admission.ModeOff
	h.noteWaiting()
	switch h.event.Type {
	case hosts.AfterTool:
		return h.afterCall(silent)
	case hosts.Waits:
		return hosts.Answer{}
	case hosts.SessionEnd:
		return h.end()
	case hosts.SubagentStop:
		return h.subagentStop() // which holds nothing back unless mode enforces
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

// governed answers an event that mode off has nothing to say about.
func (h *handler) governed() hosts.Answer {
	switch h.event.Type {
	case hosts.BeforeTool:
		return h.beforeCall()
	case hosts.Prompt:
		answer := h.withConflicts(h.withUncommitted(h.prompt()))
		answer.Notice += h.brokeNotice()
		return answer
	case hosts.SessionStart:
		return h.sessionStart()
	case hosts.BeforeCompact:
		return h.beforeCompact()
	case hosts.SubagentStart:
		h.bind()
		return h.subagentStart()
	case hosts.Stop:
		return h.stop()
	case hosts.SettingsChange:
		return h.settingsChange()
	}
	return hosts.Answer{}
}

// beforeCall judges a call, and tells whoever may make it what they touch.
func (h *handler) beforeCall() hosts.Answer {
	if h.repo.alone && h.watchesSpecs() && h.repo.outdated(h.repo.specs.ledger()) {
		h.repo.findLost()
	}
	h.bind()
	answer := h.beforeTool()
	if h.event.Action == admission.Delegate && answer.Deny == "" {
		h.rememberSpawn(h.event.CallID, h.event.Text)
	}
	answer.Context += h.lateDelegation()
	if answer.Deny != "" {
		return answer
	}
	if h.event.WaitsFor != "" {
		h.wait()
	}
	h.beginSpecs()
	answer.Context = inLines(answer.Context, h.atTouch(), h.atEnd())
	return answer
}

// afterCall records what a call did, and unless that is to be silent tells what came of it.
func (h *handler) afterCall(silent bool) hosts.Answer {
	queued := ""
	if !silent {
		queued = h.queued()
	}
	answer, task := h.afterTheFact(), h.record().ActiveTask
	h.afterTool()
	answer.Context = queued + answer.Context
	if silent {
		return answer
	}
	answer = h.withSpecs(answer)
	answer.Context = inLines(answer.Context, h.switched(task), h.atFailure(), h.atBreak(), h.atEnd())
	if h.event.Action == admission.Write {
		answer = h.withUncommitted(answer)
	}
	return answer
}

// inLines puts texts one below the other.
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

// settingsChange keeps settings that were changed while an agent works from being
// applied to it: an agent could switch off its own gate. A person's change holds
// from the next session on.
func (h *handler) settingsChange() hosts.Answer {
	if h.repo.settings.Mode != admission.ModeEnforce {
		return hosts.Answer{}
	}
	file := "The agent's settings"
	if h.event.File != "" {
		file = admission.Plain(h.event.File)
	}
	text := "iDumb: " + file + " changed while an agent works, and decides which hooks hold it. The change is not applied to this session; it holds from the next one on."
	return hosts.Answer{Refuse: text, Notice: text}
}

package hosts

import (
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// Claude speaks the hooks of Claude Code, as its 2.1 client runs them.
type Claude struct{}

func (Claude) Name() string { return "claude" }

// Traits: of more context than that the model sees a preview.
func (Claude) Traits() Traits { return Traits{ContextLimit: 10000, Asks: true} }

// claudeInput is what the client sends: the fields of all events.
type claudeInput struct{ Object }

// name returns an agent's name. Some hosts and versions send the whole definition
// of the agent in its place; then its name counts.
func (in claudeInput) name(field string) string {
	if s := in.Text(field); s != "" {
		return s
	}
	definition := in.Object.Object(field)
	if s := definition.Text("name"); s != "" {
		return s
	}
	return definition.Text("id")
}

// agent is who acts: inside a subagent its type, else what the session runs as.
func (in claudeInput) agent() string {
	if s := in.name("agent_type"); s != "" {
		return s
	}
	return in.name("agent")
}

// inBackground reports whether a shell command was only launched.
func (in claudeInput) inBackground() bool {
	return in.Object.Object("tool_response").Text("backgroundTaskId") != ""
}

// stopped reports whether the person stopped a call while it ran.
func (in claudeInput) stopped() bool {
	return in.Flag("is_interrupt") || in.Object.Object("tool_response").Flag("interrupted")
}

// waits reports whether something still runs that will wake the agent up. Commands in
// the background do not count: a server among them runs for as long as the session.
func (in claudeInput) waits() bool {
	for _, item := range Items(in.Object["background_tasks"]) {
		if task, err := ReadObject(item); err == nil && task.Text("type") != "shell" {
			return true
		}
	}
	return false
}

func (c Claude) Parse(input []byte) (Event, error) {
	fields, err := ReadObject(input)
	if err != nil {
		return Event{}, err
	}
	in := claudeInput{fields}
	e := Event{
		Host: c.Name(), Session: in.Text("session_id"), Agent: in.agent(), Subagent: in.name("agent_id"),
		Cwd: in.Text("cwd"), Transcript: in.Text("transcript_path"), CallID: in.Text("tool_use_id"),
	}
	name := in.Text("hook_event_name")
	if name == "" {
		return e, errors.New("the event has no hook_event_name")
	}
	in.moment(&e, name)
	if e.Moment != BeforeTool && e.Moment != AfterTool {
		return e, nil
	}
	tool := in.Text("tool_name")
	if tool == "" {
		return e, errors.New("the event has no tool_name")
	}
	describeClaudeTool(&e, tool, in.Object.Object("tool_input"))
	return e, nil
}

// moment fills in when the event happens, and what the client tells of that moment.
func (in claudeInput) moment(e *Event, name string) {
	switch name {
	case "PreToolUse":
		e.Moment = BeforeTool
	case "PostToolUse", "PostToolUseFailure":
		e.Moment, e.Failed = AfterTool, name == "PostToolUseFailure"
		e.Cancelled = in.stopped()
		e.Unsettled = e.Cancelled || in.inBackground()
	case "UserPromptSubmit":
		// The end of a background agent comes as a prompt as well, of no person.
		if text := in.Text("prompt"); !strings.HasPrefix(strings.TrimSpace(text), "<task-notification>") {
			e.Moment, e.Text = Prompt, text
		}
	case "SessionStart":
		source := in.Text("source")
		e.Moment, e.Compacted, e.Resumed = SessionStart, source == "compact", source == "resume" || source == "fork"
	case "SubagentStart":
		e.Moment = SubagentStart
	case "SubagentStop":
		// The client's own helpers, as the one that writes a compaction's summary,
		// end like subagents of no type; nothing of them ever began.
		if e.Agent != "" && e.Subagent != "" {
			e.Moment = SubagentStop
		}
	case "PreCompact":
		e.Moment = BeforeCompact
	case "Stop":
		e.Moment, e.Waiting, e.Text = Stop, in.waits(), in.Text("last_assistant_message")
	case "ConfigChange":
		// What an administrator sets holds at once, and skills run no hooks.
		if source := in.Text("source"); source != "policy_settings" && source != "skills" {
			e.Moment, e.File = SettingsChange, in.Text("file_path")
		}
	case "SessionEnd":
		e.Moment = SessionEnd
	}
}

func (Claude) GuessGate(input []byte) bool { return guessGate(input, claudeTools[:]) }

func (Claude) Encode(e Event, a Answer) []byte {
	switch e.Moment {
	case BeforeTool:
		out := hookAnswer{Event: "PreToolUse", Context: a.Context}
		switch {
		case a.Deny != "":
			out.Decision, out.Reason = "deny", a.Deny
		case a.Ask != "":
			out.Decision, out.Reason = "ask", a.Ask
		case a.Allow && e.Action == admission.Governance && e.Own && !e.Runs: // a command is the person's to permit
			out.Decision = "allow"
		default:
			return hookContext("PreToolUse", a)
		}
		return hookOutput{Notice: a.Notice, Specific: &out}.Line()
	case AfterTool: // its result stays, and the reason stands beside it
		return hookLate(a)
	case Prompt:
		return hookContext("UserPromptSubmit", a)
	case SessionStart:
		return hookContext("SessionStart", a)
	case SubagentStart:
		return hookContext("SubagentStart", a)
	case BeforeCompact: // plain text: all of it becomes part of the summary's instructions
		return []byte(a.Context)
	case Stop, SubagentStop:
		return hookHold(a)
	case SettingsChange:
		if a.Refuse != "" {
			return hookOutput{Decision: "block", Reason: a.Refuse, Notice: a.Notice}.Line()
		}
	}
	return nil
}

package hooks

import "errors"

// codex speaks the hooks of Codex CLI, as its 0.169 client runs them. They look
// like Claude Code's; what differs is small and opens the gate: a field that the
// client does not know, "ask", and an "allow" that changes nothing all make it
// drop the answer and run the tool.
type codex struct{}

func (codex) Name() string { return "codex" }

// Traits: the limit is what the client passes on whole.
func (codex) Traits() Traits { return Traits{ContextLimit: 10000, HidesExits: true, Types: true} }

func (c codex) Parse(input []byte) (Event, error) {
	in, err := readObject(input)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		Host: c.Name(), Session: in.text("session_id"), Agent: in.text("agent_type"), Subagent: in.text("agent_id"),
		Cwd: in.text("cwd"), Transcript: in.text("transcript_path"), CallID: in.text("tool_use_id"),
	}
	switch in.text("hook_event_name") {
	case "PreToolUse":
		e.Moment = BeforeTool
	case "PostToolUse":
		e.Moment = AfterTool
	case "UserPromptSubmit":
		e.Moment, e.Text = Prompt, in.text("prompt")
	case "SessionStart":
		e.Moment, e.Compacted, e.Resumed = SessionStart, in.text("source") == "compact", in.text("source") == "resume"
	case "SubagentStart":
		e.Moment = SubagentStart
	case "SubagentStop":
		e.Moment = SubagentStop
	case "Stop":
		e.Moment, e.Text = Stop, in.text("last_assistant_message")
	case "SessionEnd":
		e.Moment = SessionEnd
	case "":
		return e, errors.New("the event has no hook_event_name")
	}
	if e.Moment != BeforeTool && e.Moment != AfterTool {
		return e, nil
	}
	tool := in.text("tool_name")
	if tool == "" {
		return e, errors.New("the event has no tool_name")
	}
	describeCodexTool(&e, tool, in.object("tool_input"))
	// After a command the client says what it printed, not how it ended.
	e.Unsettled = e.Moment == AfterTool && e.Command != ""
	return e, nil
}

func (codex) GuessGate(input []byte) bool { return guessGate(input, codexTools[:]) }

// Encode never allows: the client takes that only together with a changed input.
func (codex) Encode(e Event, a Answer) []byte {
	switch e.Moment {
	case BeforeTool:
		if a.Deny == "" {
			return hookContext("PreToolUse", a)
		}
		return hookOutput{Notice: a.Notice, Specific: &hookAnswer{Event: "PreToolUse", Decision: "deny", Reason: a.Deny, Context: a.Context}}.line()
	case AfterTool: // the reason stands in place of its result
		return hookLate(a)
	case Prompt:
		return hookContext("UserPromptSubmit", a)
	case SessionStart:
		return hookContext("SessionStart", a)
	case SubagentStart:
		return hookContext("SubagentStart", a)
	case Stop, SubagentStop:
		return hookHold(a)
	}
	return nil
}

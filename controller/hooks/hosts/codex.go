package hosts

import "errors"

// Codex speaks the hooks of Codex CLI, as its 0.169 client runs them. They look
// like Claude Code's; what differs is small and opens the gate: a field that the
// client does not know, "ask", and an "allow" that changes nothing all make it
// drop the answer and run the tool.
type Codex struct{}

func (Codex) Name() string { return "codex" }

// Traits: the limit is what the client passes on whole.
func (Codex) Traits() Traits { return Traits{ContextLimit: 10000, HidesExits: true, Types: true} }

func (c Codex) Parse(input []byte) (Event, error) {
	in, err := ReadObject(input)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		Host: c.Name(), Session: in.Text("session_id"), Agent: in.Text("agent_type"), Subagent: in.Text("agent_id"),
		Cwd: in.Text("cwd"), Transcript: in.Text("transcript_path"), CallID: in.Text("tool_use_id"),
	}
	switch in.Text("hook_event_name") {
	case "PreToolUse":
		e.Moment = BeforeTool
	case "PostToolUse":
		e.Moment = AfterTool
	case "UserPromptSubmit":
		e.Moment, e.Text = Prompt, in.Text("prompt")
	case "SessionStart":
		e.Moment, e.Compacted, e.Resumed = SessionStart, in.Text("source") == "compact", in.Text("source") == "resume"
	case "SubagentStart":
		e.Moment = SubagentStart
	case "SubagentStop":
		e.Moment = SubagentStop
	case "Stop":
		e.Moment, e.Text = Stop, in.Text("last_assistant_message")
	case "SessionEnd":
		e.Moment = SessionEnd
	case "":
		return e, errors.New("the event has no hook_event_name")
	}
	if e.Moment != BeforeTool && e.Moment != AfterTool {
		return e, nil
	}
	tool := in.Text("tool_name")
	if tool == "" {
		return e, errors.New("the event has no tool_name")
	}
	describeCodexTool(&e, tool, in.Object("tool_input"))
	// After a command the client says what it printed, not how it ended.
	e.Unsettled = e.Moment == AfterTool && e.Command != ""
	return e, nil
}

func (Codex) GuessGate(input []byte) bool { return guessGate(input, codexTools[:]) }

// Encode never allows: the client takes that only together with a changed input.
func (Codex) Encode(e Event, a Answer) []byte {
	switch e.Moment {
	case BeforeTool:
		if a.Deny == "" {
			return hookContext("PreToolUse", a)
		}
		return hookOutput{Notice: a.Notice, Specific: &hookAnswer{Event: "PreToolUse", Decision: "deny", Reason: a.Deny, Context: a.Context}}.Line()
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

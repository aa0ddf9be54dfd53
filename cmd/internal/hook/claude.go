package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// claude speaks the hooks of Claude Code, as its 2.1 client runs them.
type claude struct{}

func (claude) Name() string { return "claude" }

// ContextLimit is what the client passes on whole; of more the model sees a preview.
func (claude) ContextLimit() int { return 10000 }

// claudeInput is what the client sends: the fields of all events.
type claudeInput struct{ object }

// name returns an agent's name. Some hosts and versions send the whole definition
// of the agent in its place; then its name counts.
func (in claudeInput) name(field string) string {
	if s := in.text(field); s != "" {
		return s
	}
	definition := in.object.object(field)
	if s := definition.text("name"); s != "" {
		return s
	}
	return definition.text("id")
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
	response := in.object.object("tool_response")
	return response.text("backgroundTaskId") != "" || response.flag("interrupted")
}

// waits reports whether something still runs that will wake the agent up.
func (in claudeInput) waits() bool {
	return len(items(in.object["background_tasks"])) > 0
}

func (c claude) Parse(input []byte) (Event, error) {
	fields, err := readObject(input)
	if err != nil {
		return Event{}, err
	}
	in := claudeInput{fields}
	e := Event{Host: c.Name(), Session: in.text("session_id"), Agent: in.agent(), Subagent: in.name("agent_id"), Cwd: in.text("cwd")}
	switch name := in.text("hook_event_name"); name {
	case "PreToolUse":
		e.Moment = BeforeTool
	case "PostToolUse", "PostToolUseFailure":
		e.Moment, e.Failed = AfterTool, name == "PostToolUseFailure"
		e.Unsettled = in.flag("is_interrupt") || in.inBackground()
	case "UserPromptSubmit":
		// The end of a background agent comes as a prompt as well, of no person.
		if !strings.HasPrefix(strings.TrimSpace(in.text("prompt")), "<task-notification>") {
			e.Moment = Prompt
		}
	case "SessionStart":
		e.Moment, e.Compacted = SessionStart, in.text("source") == "compact"
	case "PreCompact":
		e.Moment = BeforeCompact
	case "Stop":
		e.Moment, e.AlreadyHeld, e.Waiting = Stop, in.flag("stop_hook_active"), in.waits()
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
	describeClaudeTool(&e, tool, in.object.object("tool_input"))
	return e, nil
}

func (claude) GuessGate(input []byte) bool {
	return strings.Contains(string(input), `PreToolUse`)
}

// claudeOutput is the strict form of an answer.
type claudeOutput struct {
	Decision string        `json:"decision,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Specific *claudeAnswer `json:"hookSpecificOutput,omitempty"`
}

type claudeAnswer struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

func (claude) Encode(e Event, a Answer) []byte {
	switch e.Moment {
	case BeforeTool:
		out := claudeAnswer{Event: "PreToolUse", Context: a.Context}
		switch {
		case a.Deny != "":
			out.Decision, out.Reason = "deny", a.Deny
		case a.Allow && e.Action == admission.Governance && e.Own:
			out.Decision = "allow"
		case a.Context == "":
			return nil
		}
		return line(claudeOutput{Specific: &out})
	case Prompt:
		return claudeContext("UserPromptSubmit", a.Context)
	case SessionStart:
		return claudeContext("SessionStart", a.Context)
	case BeforeCompact: // plain text: all of it becomes part of the summary's instructions
		return []byte(a.Context)
	case Stop:
		if a.Hold != "" {
			return line(claudeOutput{Decision: "block", Reason: a.Hold})
		}
	}
	return nil
}

func claudeContext(event, text string) []byte {
	if text == "" {
		return nil
	}
	return line(claudeOutput{Specific: &claudeAnswer{Event: event, Context: text}})
}

// line is v as one line of JSON. Every v here is strings, which always encode.
func line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}

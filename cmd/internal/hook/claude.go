package hook

import (
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

// claudeInput is what the client sends: a union over all events.
type claudeInput struct {
	Event      string            `json:"hook_event_name"`
	Session    string            `json:"session_id"`
	Cwd        string            `json:"cwd"`
	AgentID    name              `json:"agent_id"`
	AgentType  *name             `json:"agent_type"`
	Agent      name              `json:"agent"`
	Tool       string            `json:"tool_name"`
	Input      json.RawMessage   `json:"tool_input"`
	Response   json.RawMessage   `json:"tool_response"`
	Interrupt  bool              `json:"is_interrupt"`
	Prompt     string            `json:"prompt"`
	Source     string            `json:"source"`
	HeldBefore bool              `json:"stop_hook_active"`
	Background []json.RawMessage `json:"background_tasks"`
}

// name is an agent's name. Some hosts and versions send the whole definition of
// the agent in its place; then its name counts.
type name string

// UnmarshalJSON takes a string, or an object with a name or an id.
func (n *name) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*n = name(text)
		return nil
	}
	var object struct {
		Name name `json:"name"`
		ID   name `json:"id"`
	}
	if json.Unmarshal(data, &object) == nil {
		*n = object.Name
		if *n == "" {
			*n = object.ID
		}
	}
	return nil
}

func (c claude) Parse(input []byte) (Event, error) {
	var in claudeInput
	err := json.Unmarshal(input, &in)
	var wrongType *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &wrongType) {
		return Event{}, err
	}
	e := Event{Host: c.Name(), Session: in.Session, Agent: in.agent(), Subagent: string(in.AgentID), Cwd: in.Cwd}
	switch in.Event {
	case "PreToolUse":
		e.Moment = BeforeTool
	case "PostToolUse", "PostToolUseFailure":
		e.Moment = AfterTool
		e.Failed = in.Event == "PostToolUseFailure"
		e.Unsettled = in.Interrupt || inBackground(in.Response)
	case "UserPromptSubmit":
		if !strings.HasPrefix(strings.TrimSpace(in.Prompt), "<task-notification>") {
			e.Moment = Prompt
		}
	case "SessionStart":
		e.Moment, e.Compacted = SessionStart, in.Source == "compact"
	case "PreCompact":
		e.Moment = BeforeCompact
	case "Stop":
		e.Moment, e.AlreadyHeld, e.Waiting = Stop, in.HeldBefore, len(in.Background) > 0
	case "SessionEnd":
		e.Moment = SessionEnd
	case "":
		return e, errors.New("the event has no hook_event_name")
	}
	if e.Moment != BeforeTool && e.Moment != AfterTool {
		return e, nil
	}
	if in.Tool == "" {
		return e, errors.New("the event has no tool_name")
	}
	describeClaudeTool(&e, in.Tool, in.Input)
	return e, nil
}

// agent is who acts: inside a subagent its type, else what the session runs as.
func (in claudeInput) agent() string {
	if in.AgentType != nil && *in.AgentType != "" {
		return string(*in.AgentType)
	}
	return string(in.Agent)
}

// inBackground reports whether a shell command was only launched.
func inBackground(response json.RawMessage) bool {
	var r struct {
		Task        string `json:"backgroundTaskId"`
		Interrupted bool   `json:"interrupted"`
	}
	return len(response) > 0 && json.Unmarshal(response, &r) == nil && (r.Task != "" || r.Interrupted)
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
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(out, '\n')
}

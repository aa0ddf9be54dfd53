package hosts

import (
	"bytes"
	"encoding/json"

	"github.com/idumb-dev/idumb/resources"
)

// hookOutput and hookAnswer are the answer as Claude Code and Codex take it. Each
// host fills in only what it knows.
type hookOutput struct {
	Decision string      `json:"decision,omitempty"`
	Reason   string      `json:"reason,omitempty"`
	Notice   string      `json:"systemMessage,omitempty"` // to the person
	Specific *hookAnswer `json:"hookSpecificOutput,omitempty"`
}

type hookAnswer struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

// hookContext passes on what is told beside what happens; nothing if there is nothing.
func hookContext(event string, a Answer) []byte {
	out := hookOutput{Notice: a.Notice}
	if a.Context != "" {
		out.Specific = &hookAnswer{Event: event, Context: a.Context}
	}
	if out == (hookOutput{}) {
		return nil
	}
	return out.Line()
}

// hookLate answers a call that has run.
func hookLate(a Answer) []byte {
	if a.Late == "" {
		return hookContext("PostToolUse", a)
	}
	return hookOutput{Decision: "block", Reason: a.Late, Notice: a.Notice}.Line()
}

// hookHold keeps an agent from stopping.
func hookHold(a Answer) []byte {
	out := hookOutput{Notice: a.Notice}
	if a.Hold != "" {
		out.Decision, out.Reason = "block", a.Hold
	}
	if out == (hookOutput{}) {
		return nil
	}
	return out.Line()
}

// Line is the answer as one line of JSON, see line.
func (o hookOutput) Line() []byte {
	b := append(make([]byte, 0, 2<<10), '{')
	b = resources.AppendMember(b, "decision", o.Decision, false)
	b = resources.AppendMember(b, "reason", o.Reason, false)
	b = resources.AppendMember(b, "systemMessage", o.Notice, false)
	if o.Specific != nil {
		b = append(o.Specific.appendTo(append(b, `"hookSpecificOutput":`...)), ',')
	}
	return append(resources.CloseObject(b), '\n')
}

func (a *hookAnswer) appendTo(b []byte) []byte {
	b = append(b, `{"hookEventName":`...)
	b = append(resources.AppendText(b, a.Event, false), ',')
	b = resources.AppendMember(b, "permissionDecision", a.Decision, false)
	b = resources.AppendMember(b, "permissionDecisionReason", a.Reason, false)
	return resources.CloseObject(resources.AppendMember(b, "additionalContext", a.Context, false))
}

// Line is v as one line of JSON. Every v here is strings, which always encode.
func Line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}

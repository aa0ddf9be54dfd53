package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Answer is the result of a tool call.
type Answer struct {
	JSON  []byte // one JSON object
	Error bool   // JSON is a refusal: the call was refused or failed
}

// answer contains the fields of a successful answer in order. Empty fields are omitted from the
// JSON.
type answer []field

// field is a field of an answer.
type field struct {
	name  string
	value any
}

// empty reports whether the field has no value.
func (f field) empty() bool {
	v := reflect.ValueOf(f.value)
	return !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

func (a answer) add(name string, value any) answer { return append(a, field{name, value}) }

// listAnswer returns an answer with the first lines of a list and the number of remaining lines. If all
// is 0, the value is "none".
func listAnswer[T any](name string, lines []T, all int) answer {
	if all == 0 {
		return answer{{name, "none"}}
	}
	lines = lines[:min(maxListed, len(lines))]
	return answer{}.add(name, lines).add("more", all-len(lines))
}

// refusal returns an error that explains why a tool did not do an action: what
// was tried, why it is refused, a step that works as printed, and where to look
// it up. It has no cause, so it is sent unchanged.
func refusal(what, why, step, evidence string) *apierrors.Refusal {
	return &apierrors.Refusal{What: what, Why: why, Step: step, Evidence: evidence}
}

// encodeRefusal encodes the four parts of a refusal. Each part is escaped and shortened, because it may
// quote untrusted text.
func encodeRefusal(r *apierrors.Refusal) Answer {
	return Answer{Error: true, JSON: encodeJSON(append(answer{{"status", "error"}}, refusalFields(r)...))}
}

// refusalFields returns the four parts of a refusal.
func refusalFields(r *apierrors.Refusal) answer {
	return answer{
		{"what", admission.Plain(r.What)}, {"why", admission.Plain(r.Why)},
		{"useInstead", strings.TrimSpace(r.Step)}, {"evidence", admission.Plain(r.Evidence)},
	}
}

// MarshalJSON encodes the fields in order. JSON escapes < and >, so text from a resource cannot
// forge a tag in an agent's context.
func (a answer) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for _, f := range a {
		if f.empty() {
			continue
		}
		data, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%s", f.name, data)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON decodes the output of MarshalJSON and keeps the order.
func (a *answer) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
			*a = append(*a, field{fmt.Sprint(name), value})
		}
	}
	return err
}

// step formats a call of a tool for a refusal: the tool's name and its arguments, given as pairs of
// name and value. The call can be made as printed.
func step(tool string, pairs ...any) string {
	var b strings.Builder
	b.WriteString(tool + " {")
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(pairs[i+1])
		if err != nil {
			continue
		}
		name, _ := pairs[i].(string)
		b.WriteString(`"` + name + `":` + string(value))
	}
	return b.String() + "}"
}

// startStep returns the call that starts a task.
func startStep(task string) string { return step("govern_task", "action", "start", "task", task) }

// statusStep returns the call that shows the status of tasks.
func statusStep() string { return step("govern_task", "action", "status") }

// repeat returns the current call with one argument changed.
func (c *call) repeat(name string, value any) string {
	pairs := []any{"action", c.action.name}
	for _, p := range c.tool.params {
		switch {
		case p.name == name:
			pairs = append(pairs, name, value)
		case c.args.has(p.name):
			pairs = append(pairs, p.name, c.args[p.name])
		}
	}
	return step(c.tool.name, pairs...)
}

// repeatWithout returns the current call without one argument.
func (c *call) repeatWithout(name string) string {
	if kept, given := c.args[name]; given {
		delete(c.args, name)
		defer func() { c.args[name] = kept }()
	}
	return c.repeat("", nil)
}

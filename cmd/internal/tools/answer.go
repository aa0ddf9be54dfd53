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

// Answer is what a tool says: one JSON object, and whether it is an error.
type Answer struct {
	JSON  []byte
	Error bool
}

// answer is the fields of a good answer, in their order. Empty ones are left out.
type answer []field

type field struct {
	name  string
	value any
}

// empty reports whether the field says nothing.
func (f field) empty() bool {
	v := reflect.ValueOf(f.value)
	return !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// with adds a field.
func (a answer) with(name string, value any) answer { return append(a, field{name, value}) }

// listed is the answer that lists some of all there are; "none" where there are none.
func listed[T any](name string, lines []T, all int) answer {
	if all == 0 {
		return answer{{name, "none"}}
	}
	lines = lines[:min(most, len(lines))]
	return answer{}.with(name, lines).with("more", all-len(lines))
}

// success writes a good answer.
func success(a answer) Answer {
	return Answer{JSON: encoded(append(answer{{"status", "success"}}, a...))}
}

// refusal is why a tool did not do what it was called for: what was tried and what is in
// the way, why, a step that works as printed, and where to look it up. It has no cause: it
// is told as it is.
func refusal(what, why, step, evidence string) *apierrors.Refusal {
	return &apierrors.Refusal{What: what, Why: why, Step: step, Evidence: evidence}
}

// refused writes the four parts; each is made safe to show and cut, because it may
// quote what strangers wrote.
func refused(r *apierrors.Refusal) Answer {
	return Answer{Error: true, JSON: encoded(answer{
		{"status", "error"},
		{"what", admission.Plain(r.What)}, {"why", admission.Plain(r.Why)},
		{"useInstead", strings.TrimSpace(r.Step)}, {"evidence", admission.Plain(r.Evidence)},
	})}
}

// MarshalJSON writes an object in the order of its fields. JSON's own escapes keep < and
// > out, so that no text of a resource can forge a tag in an agent's context.
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

// UnmarshalJSON reads what MarshalJSON wrote, in its order.
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

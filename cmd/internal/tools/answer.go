package tools

import (
	"bytes"
	"encoding/json"
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

// success writes a good answer.
func success(a answer) Answer {
	return Answer{JSON: write(append(answer{{"status", "success"}}, a...))}
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
	return Answer{Error: true, JSON: write(answer{
		{"status", "error"},
		{"what", admission.Plain(r.What)}, {"why", admission.Plain(r.Why)},
		{"useInstead", strings.TrimSpace(r.Step)}, {"evidence", admission.Plain(r.Evidence)},
	})}
}

// write writes an object in the order of its fields. JSON's own escapes keep < and
// > out, so that no text of a resource can forge a tag in an agent's context.
func write(a answer) []byte {
	var b bytes.Buffer
	for _, f := range a {
		if f.empty() {
			continue
		}
		data, err := json.Marshal(f.value)
		if err != nil {
			continue // of our own types none can fail
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + f.name + `":`)
		b.Write(data)
	}
	return []byte("{" + b.String() + "}")
}

// Package merge3 merges two changes of one object's file, field by field: what only one of two
// people changed is as they left it, and of what both changed to different values the team's stands
// and the other one is told. Bytes that need not change do not. It is pure.
package merge3

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// Conflict is a field that both changed to different values. What is not there is nil.
type Conflict struct {
	Field  string          `json:"field"` // "spec.title"
	Base   json.RawMessage `json:"base,omitempty"`
	Ours   json.RawMessage `json:"ours,omitempty"`
	Theirs json.RawMessage `json:"theirs,omitempty"` // this one stands
}

// silent are the fields that say who wrote a file last, or when it was looked at: they differ
// whenever two people work, and nobody is to be asked about them. The later of two values stands.
var silent = []string{
	"metadata.annotations." + resources.AnnotationUpdatedBy,
	"metadata.annotations." + resources.AnnotationValidatedAt,
}

// Merge returns what stands when ours and theirs were both made of base, which may be nil: nothing
// is known of it. The kind says which lists are merged item by item. Where ours and theirs differ in
// the fields of yield, theirs stands and there is a conflict, whoever changed it. An error is about
// ours or theirs, which must be JSON objects.
func Merge(kind *resources.Kind, base, ours, theirs []byte, yield ...string) ([]byte, []Conflict, error) {
	o, err := parse(ours)
	if err != nil {
		return nil, nil, fmt.Errorf("what stands here cannot be merged: %w", err)
	}
	t, err := parse(theirs)
	if err != nil {
		return nil, nil, fmt.Errorf("what the team has cannot be merged: %w", err)
	}
	b, err := parse(base)
	if err != nil { // a base that cannot be read says nothing
		b = nil
	}
	m := merger{yield: yield}
	text := string(theirs[:t.start]) + m.object("", kind.Fields(), b, o, t) + string(theirs[t.end:])
	merged, err := parse([]byte(text))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("what comes of both cannot be read: %w", err)
	case equal(merged, t):
		text = string(theirs)
	case equal(merged, o):
		text = string(ours)
	}
	return []byte(text), m.conflicts, nil
}

// merger merges one pair of texts.
type merger struct {
	yield     []string
	conflicts []Conflict
}

// outcome is what becomes of one member.
type outcome int

const (
	keep  outcome = iota // theirs stands as it is
	take                 // ours does
	write                // a text that is neither
)

// member decides about one field. The text is that of write.
func (m *merger) member(path string, f *resources.Field, b, o, t *node) (outcome, string) {
	differ := !equal(o, t)
	switch {
	case !differ:
		return keep, ""
	case slices.Contains(m.yield, path):
		m.conflict(path, b, o, t)
		return keep, ""
	case o.kind() == '{' && t.kind() == '{' && (b.kind() == '{' || byField(path, f)):
		return write, m.object(path, f, b, o, t)
	case equal(b, o):
		return keep, ""
	case equal(b, t):
		return take, ""
	case f != nil && f.Set && listed(o) && listed(t):
		return m.set(b, o, t)
	case slices.Contains(silent, path) && o != nil && t != nil:
		if unquoted(o.text()) > unquoted(t.text()) {
			return take, ""
		}
		return keep, ""
	}
	m.conflict(path, b, o, t)
	return keep, ""
}

// byField reports whether an object that was not there before is merged by its fields: the parts
// that every object has, and names and values. Others are one value.
func byField(path string, f *resources.Field) bool {
	return path == "metadata" || path == "spec" || f != nil && f.Shape == resources.MapShape
}

func (m *merger) conflict(path string, b, o, t *node) {
	m.conflicts = append(m.conflicts, Conflict{path, b.raw(), o.raw(), t.raw()})
}

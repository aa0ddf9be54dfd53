package exchange

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// Conflict is a field that both sides changed to different values. A missing
// value is nil.
type Conflict struct {
	Field  string          `json:"field"` // such as "spec.title"
	Base   json.RawMessage `json:"base,omitempty"`
	Ours   json.RawMessage `json:"ours,omitempty"`
	Theirs json.RawMessage `json:"theirs,omitempty"` // the value in effect
}

// ignoredFields lists fields with the last author or the time of a check. They differ
// with every concurrent change, so they cause no conflict. The later of two
// values wins.
var ignoredFields = []string{
	"metadata.annotations." + resources.AnnotationUpdatedBy,
	"metadata.annotations." + resources.AnnotationValidatedAt,
}

// MergeObject merges ours and theirs, which are both based on base. A nil base means
// that it is unknown. kind determines which lists are merged item by item. In
// the fields of yield the remote value wins, and a difference is a conflict,
// whichever side changed it. An error concerns ours or theirs, which must be
// JSON objects.
func MergeObject(kind *resources.Kind, base, ours, theirs []byte, yield ...string) ([]byte, []Conflict, error) {
	o, err := parse(ours)
	if err != nil {
		return nil, nil, fmt.Errorf("parse the local version: %w", err)
	}
	t, err := parse(theirs)
	if err != nil {
		return nil, nil, fmt.Errorf("parse the team's version: %w", err)
	}
	b, err := parse(base)
	if err != nil { // an unreadable base is ignored
		b = nil
	}
	m := merger{yield: yield}
	text := string(theirs[:t.start]) + m.object("", kind.Fields(), b, o, t) + string(theirs[t.end:])
	merged, err := parse([]byte(text))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("parse the merged version: %w", err)
	case equal(merged, t):
		text = string(theirs)
	case equal(merged, o):
		text = string(ours)
	}
	return []byte(text), m.conflicts, nil
}

// merger merges two versions of a JSON object field by field.
type merger struct {
	yield     []string
	conflicts []Conflict
}

// outcome is the result for one member.
type outcome int

const (
	keep  outcome = iota // use the remote value
	take                 // use the local value
	write                // use a new text
)

// member decides about one field. It returns the text for write.
func (m *merger) member(path string, f *resources.Field, b, o, t *node) (outcome, string) {
	switch differ := !equal(o, t); {
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
	case f != nil && f.Set && isList(o) && isList(t):
		return m.set(b, o, t)
	case slices.Contains(ignoredFields, path) && o != nil && t != nil:
		if unquoted(o.text()) > unquoted(t.text()) {
			return take, ""
		}
		return keep, ""
	}
	m.conflict(path, b, o, t)
	return keep, ""
}

// byField reports whether an object without a base is merged by its fields:
// metadata, spec and maps. Other objects are merged as one value.
func byField(path string, f *resources.Field) bool {
	return path == "metadata" || path == "spec" || f != nil && f.Shape == resources.MapShape
}

// conflict records that both sides changed a field to different values.
func (m *merger) conflict(path string, b, o, t *node) {
	m.conflicts = append(m.conflicts, Conflict{path, b.raw(), o.raw(), t.raw()})
}

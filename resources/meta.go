package resources

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// Group is the API group of every kind.
	Group = "idumb.dev"
	// Version is the only API version.
	Version = "v1alpha1"
	// APIVersion is the value of apiVersion in every file.
	APIVersion = Group + "/" + Version
)

// Meta is the metadata of an object, with Kubernetes' field names.
type Meta struct {
	Name              string            `json:"name,omitempty" idumb:"format=dns1123" doc:"The object's name; the file is called <name>.json."`
	UID               string            `json:"uid,omitempty" doc:"Assigned by the command that created the object. For a file written by hand the status carries one."`
	CreationTimestamp Time              `json:"creationTimestamp,omitzero" doc:"When the object was created. Without it the time of the file's last change counts."`
	Labels            map[string]string `json:"labels,omitempty" doc:"Names and values that selectors (-l) match."`
	Annotations       map[string]string `json:"annotations,omitempty" doc:"Names and values for people and tools. Selectors do not use them."`
}

// Annotations that iDumb reads.
const (
	// AnnotationValidatedAt is an RFC 3339 time of a manual confirmation. The age of the
	// object counts from this time.
	AnnotationValidatedAt = Group + "/validated-at"
	// AnnotationUpdatedBy names the command that last wrote the file. Only describe uses
	// it.
	AnnotationUpdatedBy = Group + "/updated-by"
	// AnnotationImportDigest is the suffix of an annotation that an import sets, after a
	// prefix of its format. The value is a digest of the imported object.
	AnnotationImportDigest = "import-digest"
	// AnnotationMadeBy names the agent session that created a plan, task, delegation or
	// mem, or set the focus. It is "agent" if no hook recorded the session. Agents may relax
	// and remove these plans and tasks. Objects without the annotation belong to the user.
	AnnotationMadeBy = Group + "/made-by"
	// AnnotationTodoList identifies the to-do list of an agent of which a plan was made.
	AnnotationTodoList = Group + "/todo-list"
	// AnnotationDeferredBy names the session of the agent that set spec.planAhead of a task, "agent" if no hook
	// recorded one. If it is missing, a user deferred the task.
	AnnotationDeferredBy = Group + "/deferred-by"
)

// Time is a time in RFC 3339 format in UTC with a resolution of one second, as in
// Kubernetes. The zero Time is omitted.
type Time struct{ time.Time }

// NewTime returns t in UTC, truncated to seconds.
func NewTime(t time.Time) Time { return Time{t.UTC().Truncate(time.Second)} }

// MarshalJSON encodes the time in RFC 3339 format, or as null for the zero Time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + t.UTC().Format(time.RFC3339) + `"`), nil
}

// UnmarshalJSON decodes an RFC 3339 string and truncates it to seconds. null and "" decode
// to the zero Time.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*t = Time{}
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	var err error
	*t, err = parseTime([]byte(text))
	return err
}

// parseTime parses an RFC 3339 time. An empty text is the zero Time. It rejects
// times outside of the years 0 to 9999 in UTC, because they cannot be encoded.
func parseTime(text []byte) (Time, error) {
	if len(text) == 0 {
		return Time{}, nil
	}
	var t time.Time
	if err := t.UnmarshalText(text); err != nil {
		return Time{}, err
	}
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return Time{}, fmt.Errorf("%s is not in the years 0 to 9999 in UTC", text)
	}
	return NewTime(t), nil
}

// Header contains the fields of an object other than spec and status.
type Header struct {
	Schema     string `json:"$schema,omitempty" doc:"A JSON Schema for editors; iDumb keeps it and ignores it."`
	APIVersion string `json:"apiVersion,omitempty" doc:"idumb.dev/v1alpha1, or left out."`
	Kind       string `json:"kind,omitempty" doc:"The kind, or left out: the folder gives it."`
	Metadata   Meta   `json:"metadata,omitzero" doc:"Who this object is."`

	unknown []UnknownField // unknown fields of the file; empty but not nil if the text is known to have no others
}

// Origin describes the file that an object was read from. It is never written to a file.
type Origin struct {
	Revision string    // hash of the file's content (Revision); empty for an object that was never stored
	ModTime  time.Time // modification time of the file; the default for creationTimestamp
}

// Common is the part that the statuses of all kinds share.
type Common struct {
	Phase            string      `json:"phase,omitempty" doc:"The observed phase, in contrast to the claimed spec.state."`
	ObservedRevision string      `json:"observedRevision,omitempty" doc:"The hash of the file that this status is about."`
	UID              string      `json:"uid,omitempty" doc:"For a file that carries no metadata.uid: one made from kind and name."`
	Conditions       []Condition `json:"conditions,omitempty" doc:"Observations, each with a reason, sorted by type."`
}

// Visible maps the runes of untrusted text to runes that are safe to display to
// agents and users. Line terminators become "\n", and noncharacters U+FFFD. It
// returns -1 for invisible and terminal control characters.
func Visible(r rune) rune {
	switch {
	case r == '\n', r == '\t':
		return r
	case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
		return '\n'
	case r < ' ', unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Variation_Selector), isBlank(r):
		return -1
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef: // noncharacters, which XML does not allow
		return utf8.RuneError
	}
	return r
}

// isBlank reports whether a letter or mark is invisible: the grapheme joiner, the Hangul
// and Khmer fillers, and the unassigned tag block.
func isBlank(r rune) bool {
	return r >= 0xe0000 && r <= 0xe0fff || strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0", r)
}

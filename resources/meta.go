package resources

import (
	"encoding/json"
	"fmt"
	"time"
)

const (
	// Group is the API group of every kind.
	Group = "idumb.dev"
	// Version is the one version of the API that there is.
	Version = "v1alpha1"
	// APIVersion is what apiVersion holds in every file.
	APIVersion = Group + "/" + Version
)

// Meta is what every object says about itself, with Kubernetes' field names.
type Meta struct {
	Name              string            `json:"name,omitempty" idumb:"format=dns1123" doc:"The object's name; the file is called <name>.json."`
	UID               string            `json:"uid,omitempty" doc:"Assigned by the command that created the object. For a file written by hand the status carries one."`
	CreationTimestamp Time              `json:"creationTimestamp,omitzero" doc:"When the object was created. Without it the time of the file's last change counts."`
	Labels            map[string]string `json:"labels,omitempty" doc:"Names and values that selectors (-l) match."`
	Annotations       map[string]string `json:"annotations,omitempty" doc:"Names and values for people and tools; nothing is selected by them."`
}

// Annotations that iDumb itself reads.
const (
	// AnnotationValidatedAt holds an RFC 3339 time at which someone checked that
	// an object still holds; its age counts from there.
	AnnotationValidatedAt = Group + "/validated-at"
	// AnnotationUpdatedBy names the command that last wrote the file, for
	// describe only.
	AnnotationUpdatedBy = Group + "/updated-by"
	// AnnotationImportDigest ends the annotation that an import sets, behind a prefix of its format:
	// a digest of the object as it was made.
	AnnotationImportDigest = "import-digest"
	// AnnotationMadeBy names the session of the agent that made a plan, a task, a delegation or a mem, "agent" where
	// no hook recorded one: those plans and tasks agents may loosen and remove. What has none is a person's.
	AnnotationMadeBy = Group + "/made-by"
)

// Time is an instant as RFC 3339 in UTC, to the second, as Kubernetes writes it.
// The zero Time is omitted.
type Time struct{ time.Time }

// NewTime returns t in UTC, cut to the second.
func NewTime(t time.Time) Time { return Time{t.UTC().Truncate(time.Second)} }

// MarshalJSON writes RFC 3339 to the second, or null for the zero Time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + t.UTC().Format(time.RFC3339) + `"`), nil
}

// UnmarshalJSON reads an RFC 3339 string, with or without a fraction of a
// second, which is cut off; null and "" are the zero Time.
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

// parseTime reads RFC 3339; no text is the zero Time. A time that is in the year
// 10000 in UTC could not be written again, and is refused.
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

// Header is what every object carries besides spec and status.
type Header struct {
	Schema     string `json:"$schema,omitempty" doc:"A JSON Schema for editors; iDumb keeps it and ignores it."`
	APIVersion string `json:"apiVersion,omitempty" doc:"idumb.dev/v1alpha1, or left out."`
	Kind       string `json:"kind,omitempty" doc:"The kind, or left out: the folder gives it."`
	Metadata   Meta   `json:"metadata,omitzero" doc:"Who this object is."`

	unknown []UnknownField // what else the file holds; not nil but empty where a text said that there is nothing else
}

// Origin is where an object was read. It is never written to a file.
type Origin struct {
	Revision string    // hash of the file's bytes (Revision); "" for an object that was never stored
	ModTime  time.Time // of the file; stands in for a missing creationTimestamp
}

// Common is what the statuses of all kinds share.
type Common struct {
	Phase            string      `json:"phase,omitempty" doc:"What holds, as opposed to what spec.state claims."`
	ObservedRevision string      `json:"observedRevision,omitempty" doc:"The hash of the file that this status is about."`
	UID              string      `json:"uid,omitempty" doc:"For a file that carries no metadata.uid: one made from kind and name."`
	Conditions       []Condition `json:"conditions,omitempty" doc:"Observations, each with a reason, sorted by type."`
}

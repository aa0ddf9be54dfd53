package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Prefix begins the labels and annotations that a conversion of a format sets: "beads.idumb.dev/".
func Prefix(format string) string { return format + "." + resources.Group + "/" }

// Names, behind the prefix, of annotations that a conversion reads again.
const (
	IDKey     = "id"            // the record's id in its source
	DigestKey = "import-digest" // of the object as it was made
)

// maxValue is the longest label, and the longest name of a label or annotation behind
// its prefix, as in Kubernetes.
const maxValue = 63

// KeyOf returns a field's name as the part of a key behind the prefix: what was cut off or
// replaced is told apart by a digest.
func KeyOf(field string) string {
	key := strings.Trim(mapped(field, func(r rune) bool { return isLabelRune(r) && r != '_' }), "-.")
	if strings.ReplaceAll(field, "_", "-") == key && len(key) <= maxValue {
		return key
	}
	return strings.Trim(key[:min(len(key), maxValue-9)]+"-"+DigestOf(field), "-.")
}

// LabelValue returns text as a label's value.
func LabelValue(text string) string {
	value := mapped(text, isLabelRune)
	return strings.Trim(value[:min(len(value), maxValue)], "-._")
}

// IsLabelValue reports whether text can be a label's value, or the name of one without a
// prefix: Kubernetes' rule.
func IsLabelValue(text string) bool { return LabelValue(text) == text }

func isLabelRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// Compare returns the objects that have to be written: those that are not there yet, and
// those whose source changed since they were made and that nobody edited. It signs each
// with a digest under the prefix, and fills in the report.
func Compare(prefix string, wanted []resources.Object, existing func(resources.Key) (resources.Object, bool), r *Report) []resources.Object {
	var changed []resources.Object
	for _, o := range wanted {
		Sign(prefix, o)
		key := o.Key()
		before, found := existing(key)
		if !found {
			r.Created, changed = append(r.Created, key), append(changed, o)
			continue
		}
		made := before.Head().Metadata.Annotations[prefix+DigestKey]
		switch {
		case made == o.Head().Metadata.Annotations[prefix+DigestKey]:
			r.Unchanged = append(r.Unchanged, key)
		case made == contentDigest(prefix, before):
			o.Head().Schema, o.Head().Metadata.UID = before.Head().Schema, before.Head().Metadata.UID
			r.Updated, changed = append(r.Updated, key), append(changed, o)
		default:
			r.Edited = append(r.Edited, key)
		}
	}
	return changed
}

// Sign puts the digest of an object as it is now into its annotations.
func Sign(prefix string, o resources.Object) {
	meta := &o.Head().Metadata
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[prefix+DigestKey] = contentDigest(prefix, o)
}

// contentDigest identifies what a conversion sets: spec, labels and annotations. What the
// store adds (uid, $schema) does not count.
func contentDigest(prefix string, o resources.Object) string {
	m := o.Head().Metadata
	annotations := maps.Clone(m.Annotations)
	delete(annotations, prefix+DigestKey)
	delete(annotations, resources.AnnotationUpdatedBy)
	content, err := json.Marshal([]any{o.SpecPointer(), m.Labels, annotations})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

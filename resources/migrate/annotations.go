package migrate

import (
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

// mapped puts '-' in the place of each rune that is not allowed.
func mapped(text string, allowed func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if allowed(r) {
			return r
		}
		return '-'
	}, text)
}

package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxTag is the maximum length of a label name without prefix and of a label value, as in
// Kubernetes.
const maxTag = 63

// CheckLabel rejects a label whose key or value cannot be used in a selector.
func CheckLabel(name, value string) error {
	if err := checkTagKey("label", name); err != nil {
		return err
	}
	if value != "" && !isTagWord(value) {
		return fmt.Errorf("invalid label value %q: a value consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, and has at most %d characters; for other texts use idumb annotate", value, maxTag)
	}
	return nil
}

// CheckAnnotation rejects an annotation whose key cannot be used on a command line. Values
// are not limited.
func CheckAnnotation(name, _ string) error { return checkTagKey("annotation", name) }

// checkTagKey rejects an invalid key of a label or an annotation. noun is the word for the error.
func checkTagKey(noun, name string) error {
	prefix, short, prefixed := strings.Cut(name, "/")
	if !prefixed {
		prefix, short = "", name
	}
	if prefixed && resources.CheckName(prefix) != nil || !isTagWord(short) {
		return fmt.Errorf("invalid %s key %q: a key consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, has at most %d characters, and may follow a domain and a '/' (for example example.com/area)", noun, name, maxTag)
	}
	return nil
}

// checkTags checks the labels and annotations that a change adds. Existing ones may stay,
// so that objects edited by hand can still be changed.
func checkTags(o, before resources.Object) (errs []resources.FieldError) {
	var old resources.Meta
	if before != nil {
		old = before.Head().Metadata
	}
	meta := o.Head().Metadata
	for _, field := range [...]struct {
		name     string
		now, was map[string]string
		check    func(name, value string) error
	}{
		{"metadata.labels", meta.Labels, old.Labels, CheckLabel},
		{"metadata.annotations", meta.Annotations, old.Annotations, CheckAnnotation},
	} {
		for _, name := range slices.Sorted(maps.Keys(field.now)) {
			if was, there := field.was[name]; there && was == field.now[name] {
				continue
			}
			if err := field.check(name, field.now[name]); err != nil {
				errs = append(errs, resources.FieldError{Field: field.name, Detail: err.Error()})
			}
		}
	}
	return errs
}

// isTagWord reports whether a text is a valid name or value of a label: letters, digits, '-', '_'
// and '.', with a letter or digit at both ends, at most maxTag bytes.
func isTagWord(s string) bool {
	if s == "" || len(s) > maxTag || !isAlnum(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte("-_.", s[i]) < 0 {
			return false
		}
	}
	return true
}

// isAlnum reports whether a byte is an ASCII letter or digit.
func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxTag is how long the name of a label, without its prefix, and the value of a
// label may be; as in Kubernetes.
const maxTag = 63

// CheckLabel refuses a label that a selector could not name: its key, or its value.
func CheckLabel(name, value string) error {
	if err := checkTagKey("label", name); err != nil {
		return err
	}
	if value != "" && !isTagWord(value) {
		return fmt.Errorf("invalid label value %q: a value consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, and has at most %d characters; for other texts use idumb annotate", value, maxTag)
	}
	return nil
}

// CheckAnnotation refuses an annotation whose key nobody could write on a command line;
// its value may be any text.
func CheckAnnotation(name, _ string) error { return checkTagKey("annotation", name) }

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

// checkTags are the labels and annotations that a change brings which commands would not
// take. What was there before may stay, so that an object which somebody wrote by hand can
// still be worked on.
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

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

package main

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxTag is how long the name of a label, without its prefix, and the value of a
// label may be; as in Kubernetes.
const maxTag = 63

// checkTag refuses a label or annotation that a selector could not name.
func (t tagging) checkTag(name, value string) error {
	prefix, short, prefixed := strings.Cut(name, "/")
	if !prefixed {
		prefix, short = "", name
	}
	if prefixed && resources.CheckName(prefix) != nil || !isTagWord(short) {
		return fmt.Errorf("invalid %s key %q: a key consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, has at most %d characters, and may follow a domain and a '/' (for example example.com/area)", t.name, name, maxTag)
	}
	if t.name == "label" && value != "" && !isTagWord(value) {
		return fmt.Errorf("invalid label value %q: a value consists of letters, digits, '-', '_' and '.', begins and ends with a letter or a digit, and has at most %d characters; for other texts there is idumb annotate", value, maxTag)
	}
	return nil
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

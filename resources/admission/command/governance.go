package command

import (
	"path"
	"slices"
	"strings"
)

// filters may follow an idumb command in a pipe: they only show less of it.
var filters = []string{"cat", "head", "tail", "grep", "jq", "wc"}

// Governance reports whether the line does nothing but run idumb: then it is
// how an agent gets on, whatever tools it may use. Looking around (cd, echo) and
// filters behind a pipe are allowed with it; anything that writes is not.
func (l Line) Governance() bool {
	if l.Dynamic || len(l.Writes) > 0 {
		return false
	}
	found := false
	for _, c := range l.Commands {
		switch {
		case len(c.Words) == 0 || c.Assigned:
			return false
		case IsIdumb(c.Words[0]):
			found = true
		case c.Filter && slices.Contains(filters, c.Words[0]):
		case c.Words[0] == "cd", c.Words[0] == "echo", c.Words[0] == "true":
		default:
			return false
		}
	}
	return found
}

// IsIdumb reports whether a command word is our own command: by its bare name
// or as an absolute path. A relative path could be a script of the same name.
func IsIdumb(word string) bool {
	return word == "idumb" || path.IsAbs(word) && strings.HasSuffix(word, "/idumb")
}

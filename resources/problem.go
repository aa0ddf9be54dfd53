package resources

import (
	"fmt"
	"strings"
)

// Problem is a mistake in a file that a user must correct, as listed by doctor.
type Problem struct {
	Key    Key    `json:"-"`
	Object string `json:"object,omitempty"` // "tasks/foo"
	File   string `json:"file"`             // from the repository's root, with '/'
	Line   int    `json:"line,omitempty"`   // from 1; 0 if unknown
	Column int    `json:"column,omitempty"` // from 1, in bytes
	Field  string `json:"field,omitempty"`  // "spec.dependsOn[1]"
	Reason string `json:"reason"`           // the mistake, a sentence without a full stop
	Remedy string `json:"remedy"`           // the next step
}

// Error returns "file:line:column: field: reason; remedy". It omits empty parts.
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Reason)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return b.String()
}

package resources

import (
	"fmt"
	"strings"
)

// Problem is something that a person has to mend, as doctor lists it.
type Problem struct {
	Key    Key    `json:"-"`
	Object string `json:"object,omitempty"` // "tasks/foo"
	File   string `json:"file"`             // from the repository's root, with '/'
	Line   int    `json:"line,omitempty"`   // from 1; 0 where there is none
	Column int    `json:"column,omitempty"` // from 1, in bytes
	Field  string `json:"field,omitempty"`  // "spec.dependsOn[1]"
	Reason string `json:"reason"`           // what is wrong, a sentence without a full stop
	Remedy string `json:"remedy"`           // what to do next
}

// Error returns "file:line:column: field: reason; remedy", without the parts that are not known.
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

package resources

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// step is one element of a path: a member name or a list index.
type step struct {
	name  string
	index int // -1 for a member
}

// push enters a field or an element in the current path.
func (s *scanner) push(next step) {
	if s.path == nil {
		s.path = make([]step, 0, 8) // sufficient for most objects
	}
	s.path = append(s.path, next)
}

// pop leaves the last step of the current path.
func (s *scanner) pop() { s.path = s.path[:len(s.path)-1] }

// at returns the path of the current value.
func (s *scanner) at() string { return pathOf(s.path) }

// pathOf formats a path: "spec.dependsOn[1]". It is only called for messages. Names are
// untrusted input: pathOf quotes special characters and truncates long names.
func pathOf(path []step) string {
	var b strings.Builder
	for i, p := range path {
		switch {
		case p.index >= 0:
			b.WriteString("[" + strconv.Itoa(p.index) + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(safeName(p.name))
	}
	return b.String()
}

// maxShown is the maximum length of untrusted text in a message, in bytes.
const maxShown = 80

// safeName returns a name in a form that is safe for messages.
func safeName(name string) string {
	name = shortened(name)
	if quoted := strconv.Quote(name); quoted[1:len(quoted)-1] != name || strings.Contains(name, " ") {
		return quoted
	}
	return name
}

// shortened truncates text for a message.
func shortened(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "..."
}

// note records the offset of the current value if it is the value whose position is searched.
func (s *scanner) note() {
	if s.target != nil && s.foundAt < 0 && slices.Equal(s.path, s.target) {
		s.foundAt = s.pos
	}
}

// find returns the offset of the value of a field such as "spec.dependsOn[1]",
// or -1 if the field is absent. It returns false if the text is not a JSON
// object or is nested too deeply.
func find(data []byte, field string) (int, bool) {
	s := scanner{data: data, foundAt: -1}
	for part := range strings.FieldsFuncSeq(field, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		next := step{part, -1}
		if n, err := strconv.Atoi(part); err == nil {
			next = step{"", n}
		}
		s.target = append(s.target, next)
	}
	ok := tooDeep(data) < 0 && s.peek() == '{' && s.object(nil, reflect.Value{})
	return s.foundAt, ok
}

// textAt returns the string value of a field, or "" if the field is absent or not a string.
func textAt(data []byte, field string) string {
	at, ok := find(data, field)
	if !ok || at < 0 || data[at] != '"' {
		return ""
	}
	s := scanner{data: data, pos: at}
	text, _ := s.str()
	return string(text)
}

// Position returns the line and column, from 1, of the value of a field such as
// "spec.dependsOn[1]". If the field is absent, it returns the position of the
// closest enclosing field that is present, or 1, 1. It returns 0, 0 if the text
// is not a JSON object.
func Position(data []byte, field string) (line, column int) {
	at, ok := find(data, field)
	switch cut := strings.LastIndexAny(field, ".["); {
	case !ok:
		return 0, 0
	case at < 0 && cut < 0:
		return 1, 1
	case at < 0:
		return Position(data, field[:cut])
	}
	p := problemAt(data, at, "", "", "")
	return p.Line, p.Column
}

const fixJSON = "correct the JSON; a JSON-aware editor shows the place"

// problem records an error at an offset, unless there is one. It returns false.
func (s *scanner) problem(at int, reason, remedy string) bool {
	if s.fail == nil {
		s.fail = problemAt(s.data, at, s.at(), reason, remedy)
	}
	return false
}

// unexpected reports the byte at pos, or the end of the file. It has specific messages for
// common mistakes such as comments.
func (s *scanner) unexpected(wanted string) bool {
	if s.pos >= len(s.data) {
		return s.problem(len(s.data), "the file ends before the JSON does: "+wanted+" was expected", "the file may still be being written; else complete it")
	}
	before := bytes.TrimRight(s.data[:s.pos], " \t\r\n")
	r, _ := utf8.DecodeRune(s.data[s.pos:])
	switch {
	case (r == '}' || r == ']') && bytes.HasSuffix(before, []byte(",")):
		return s.problem(len(before)-1, fmt.Sprintf("trailing comma before %q", r), "remove the comma")
	case r == '/' || r == '#':
		return s.problem(s.pos, "JSON has no comments", "remove the comment")
	case r == '\'' || r == '\u201c' || r == '\u201d' || r == '\u2018' || r == '\u2019':
		return s.problem(s.pos, fmt.Sprintf("%s was expected, found %q", wanted, r), `write names and strings in straight double quotes: "..."`)
	}
	return s.problem(s.pos, fmt.Sprintf("%s was expected, found %q", wanted, r), fixJSON)
}

// wantedShape names the JSON type of a field for an error.
func wantedShape(f *Field) string {
	return [...]string{StringShape: "a string", IntegerShape: "a whole number", BooleanShape: "true or false", TimeShape: "a time as a string",
		ObjectShape: "an object", MapShape: "an object of strings", CountsShape: "an object of numbers"}[f.Shape]
}

// startsNumber reports whether a byte can start a JSON number.
func startsNumber(c byte) bool { return c == '-' || c >= '0' && c <= '9' }

// startsValue reports whether a JSON value can begin with c.
func startsValue(c byte) bool {
	return startsNumber(c) || strings.IndexByte(`"{[tfn`, c) >= 0
}

// describe names the type of a value that begins with c.
func describe(c byte) string {
	switch {
	case c == '"':
		return "a string"
	case c == '{':
		return "an object"
	case c == '[':
		return "a list"
	case c == 't' || c == 'f':
		return "true or false"
	case c == 'n':
		return "null"
	case startsNumber(c):
		return "a number"
	}
	return "invalid JSON"
}

package resources

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// scanner reads a JSON text once, against the table of fields, and stops at the
// first thing that is wrong, which it can place and name. encoding/json alone
// takes duplicate keys and keys in any case, and does not say where it is.
type scanner struct {
	data []byte
	pos  int
	fail *Problem

	// With target set, the scanner notes where that path begins.
	target string
	found  int
}

// where is a place in the document, as a list towards the root; nothing is put
// together until a message or a look-up needs it.
type where struct {
	parent *where
	name   string
	index  int // -1: an object's member
}

func (w *where) String() string {
	switch {
	case w == nil:
		return ""
	case w.index >= 0:
		return w.parent.String() + "[" + strconv.Itoa(w.index) + "]"
	case w.parent == nil:
		return w.name
	}
	return w.parent.String() + "." + w.name
}

func (s *scanner) problem(at int, w *where, reason, remedy string) bool {
	if s.fail == nil {
		s.fail = problemAt(s.data, at, w.String(), reason, remedy)
	}
	return false
}

const fixJSON = "correct the JSON; a JSON-aware editor shows the place"

// unexpected reports the byte at pos, or the end of the file.
func (s *scanner) unexpected(w *where, wanted string) bool {
	if s.pos >= len(s.data) {
		return s.problem(len(s.data), w, "the file ends before the JSON does: "+wanted+" was expected", "the file may still be being written; else complete it")
	}
	return s.problem(s.pos, w, fmt.Sprintf("%s was expected, found %q", wanted, s.data[s.pos]), fixJSON)
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
		default:
			return s.data[s.pos]
		}
	}
	return 0
}

// document reads the whole text, which must be one object of f.
func (s *scanner) document(f *Field) bool {
	if c := s.peek(); c != '{' {
		if c == 0 {
			return s.unexpected(nil, "an object")
		}
		return s.problem(s.pos, nil, "the file must hold one JSON object, found "+describe(c), `begin it with "{"`)
	}
	if !s.object(f, nil) {
		return false
	}
	if s.peek() != 0 || s.pos < len(s.data) {
		return s.problem(s.pos, nil, "there is something after the end of the object", "remove it; a file holds one object")
	}
	return true
}

// value reads one value that must be what f says; f nil: anything.
func (s *scanner) value(f *Field, w *where) bool {
	c := s.peek()
	if s.target != "" && s.found < 0 && w.String() == s.target {
		s.found = s.pos
	}
	switch {
	case c == 'n':
		return s.literal("null", w)
	case f == nil:
		return s.anything(c, w)
	case f.Repeated:
		return s.list(f, w)
	}
	return s.single(f, c, w)
}

// single reads one value of f's shape.
func (s *scanner) single(f *Field, c byte, w *where) bool {
	switch {
	case f.Shape == ObjectShape && c == '{':
		return s.object(f, w)
	case (f.Shape == MapShape || f.Shape == CountsShape) && c == '{':
		return s.object(f, w)
	case f.Shape == BooleanShape && c == 't':
		return s.literal("true", w)
	case f.Shape == BooleanShape && c == 'f':
		return s.literal("false", w)
	case f.Shape == IntegerShape && (c == '-' || c >= '0' && c <= '9'):
		return s.integer(w)
	case f.Shape == StringShape && c == '"':
		_, ok := s.str(w)
		return ok
	case f.Shape == TimeShape && c == '"':
		return s.time(w)
	case c == 0:
		return s.unexpected(w, "a value")
	}
	return s.problem(s.pos, w, wantedShape(f)+" is expected, found "+describe(c), "see idumb explain")
}

func wantedShape(f *Field) string {
	return [...]string{StringShape: "a string", IntegerShape: "a whole number", BooleanShape: "true or false", TimeShape: "a time as a string",
		ObjectShape: "an object", MapShape: "an object of strings", CountsShape: "an object of numbers"}[f.Shape]
}

// describe names the sort of value that begins with c.
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
	case c == '-' || c >= '0' && c <= '9':
		return "a number"
	}
	return strconv.QuoteRune(rune(c))
}

// anything reads a value whose content does not matter.
func (s *scanner) anything(c byte, w *where) bool {
	switch {
	case c == '{':
		return s.object(nil, w)
	case c == '[':
		return s.list(nil, w)
	case c == '"':
		_, ok := s.str(w)
		return ok
	case c == 't':
		return s.literal("true", w)
	case c == 'f':
		return s.literal("false", w)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(w)
	}
	return s.unexpected(w, "a value")
}

func (s *scanner) literal(word string, w *where) bool {
	if !strings.HasPrefix(string(s.data[s.pos:min(len(s.data), s.pos+len(word))]), word) {
		if s.pos+len(word) > len(s.data) && strings.HasPrefix(word, string(s.data[s.pos:])) {
			s.pos = len(s.data)
		}
		return s.unexpected(w, "a value")
	}
	s.pos += len(word)
	return true
}

// list reads the elements of f, each of f's shape; f nil: anything.
func (s *scanner) list(f *Field, w *where) bool {
	if s.peek() != '[' {
		if s.pos >= len(s.data) {
			return s.unexpected(w, "a list")
		}
		return s.problem(s.pos, w, "a list is expected, found "+describe(s.data[s.pos]), `put the value into square brackets: ["..."]`)
	}
	s.pos++
	if s.peek() == ']' {
		s.pos++
		return true
	}
	for i := 0; ; i++ {
		at := &where{parent: w, index: i}
		if !s.element(f, at) {
			return false
		}
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return true
		default:
			return s.unexpected(at, `"," or "]"`)
		}
	}
}

func (s *scanner) element(f *Field, at *where) bool {
	c := s.peek()
	if f == nil {
		return s.value(nil, at)
	}
	if s.target != "" && s.found < 0 && at.String() == s.target {
		s.found = s.pos
	}
	return s.single(f, c, at)
}

// object reads the members of f; f nil or a map: any names.
func (s *scanner) object(f *Field, w *where) bool {
	s.pos++ // the caller saw the brace
	if s.peek() == '}' {
		s.pos++
		return true
	}
	var seen names
	for {
		if !s.member(f, w, &seen) {
			return false
		}
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return true
		default:
			return s.unexpected(w, `"," or "}"`)
		}
	}
}

// names remembers the members of one object: those of the table by their place,
// others by name.
type names struct {
	bits  uint64
	other map[string]bool
}

// add reports whether the name is new. i is its place in the table, or -1.
func (n *names) add(i int, name string) bool {
	if i >= 0 && i < 64 {
		isNew := n.bits&(1<<i) == 0
		n.bits |= 1 << i
		return isNew
	}
	if n.other[name] {
		return false
	}
	if n.other == nil {
		n.other = map[string]bool{}
	}
	n.other[name] = true
	return true
}

// mapValue is what a map of strings, and one of numbers, holds.
var mapValue, countValue = &Field{Shape: StringShape}, &Field{Shape: IntegerShape}

func (s *scanner) member(f *Field, w *where, seen *names) bool {
	if s.peek() != '"' {
		return s.unexpected(w, "a name in double quotes")
	}
	at := s.pos
	name, ok := s.str(w)
	if !ok {
		return false
	}
	here := &where{parent: w, name: name, index: -1}
	child, place, ok := s.child(f, name, at, here)
	if !ok {
		return false
	}
	if !seen.add(place, name) {
		return s.problem(at, here, "the name stands there twice", "keep one of the two")
	}
	if s.peek() != ':' {
		return s.unexpected(here, `":"`)
	}
	s.pos++
	return s.value(child, here)
}

// child finds what a member must be: nil for anything.
func (s *scanner) child(f *Field, name string, at int, here *where) (*Field, int, bool) {
	switch {
	case f == nil:
		return nil, -1, true
	case f.Shape == MapShape:
		return mapValue, -1, true
	case f.Shape == CountsShape:
		return countValue, -1, true
	case here.parent == nil && name == "status":
		return nil, 63, true // ignored, whatever it holds
	}
	i, ok := f.byName[name]
	if ok {
		return f.Fields[i], i, true
	}
	reason, remedy := "unknown field", "remove it; idumb explain lists the fields"
	if near := Nearest(name, f.FieldNames()); strings.EqualFold(near, name) {
		reason, remedy = "unknown field: names are case-sensitive", fmt.Sprintf("write %q", near)
	} else if near != "" {
		remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return nil, 0, s.problem(at, here, reason, remedy)
}

// integer reads a number that must be a whole one.
func (s *scanner) integer(w *where) bool {
	at := s.pos
	if !s.number(w) {
		return false
	}
	if _, err := strconv.Atoi(string(s.data[at:s.pos])); err != nil {
		return s.problem(at, w, fmt.Sprintf("a whole number is expected, found %s", s.data[at:min(s.pos, at+40)]), "see idumb explain")
	}
	return true
}

// number reads a number as RFC 8259 has it.
func (s *scanner) number(w *where) bool {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
	} else if s.digits() == 0 {
		return s.unexpected(w, "a digit")
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if s.digits() == 0 {
			return s.unexpected(w, "a digit")
		}
	}
	if s.pos < len(s.data) && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		if s.digits() == 0 {
			return s.unexpected(w, "a digit")
		}
	}
	return true
}

func (s *scanner) digits() int {
	from := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - from
}

// time reads a string that must be an RFC 3339 time, or empty.
func (s *scanner) time(w *where) bool {
	at := s.pos
	text, ok := s.str(w)
	if !ok || text == "" {
		return ok
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return s.problem(at, w, fmt.Sprintf("%q is no time", text), `write it as RFC 3339 has it: "2026-11-21T07:50:00Z"`)
	}
	return true
}

// str reads a string, with its escapes.
func (s *scanner) str(w *where) (string, bool) {
	from := s.pos
	s.pos++
	escaped := false
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			if !escaped {
				return string(s.data[from+1 : s.pos-1]), true
			}
			return s.unescape(from, w)
		case c == '\\':
			escaped = true
			s.pos++
		case c < ' ':
			return "", s.problem(s.pos, w, fmt.Sprintf("control character 0x%02x in a string", c), `write it as an escape, such as \n for a line break`)
		}
	}
	s.pos = len(s.data)
	return "", s.unexpected(w, `the closing '"' of a string`)
}

func (s *scanner) unescape(from int, w *where) (string, bool) {
	var text string
	if err := json.Unmarshal(s.data[from:s.pos], &text); err != nil {
		return "", s.problem(from, w, "invalid escape in a string", `use \" \\ \/ \b \f \n \r \t or \u and four hex digits`)
	}
	return text, true
}

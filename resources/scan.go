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
	path []step
	fail *Problem

	// With target set, the scanner notes where that path begins.
	target string
	found  int
}

// step is one step of the way from the root to a value: a member's name, or an
// index into a list.
type step struct {
	name  string
	index int // -1: a member
}

// at returns the path of the value that is being read: "spec.dependsOn[1]".
func (s *scanner) at() string { return pathOf(s.path) }

func pathOf(path []step) string {
	var b strings.Builder
	for i, p := range path {
		switch {
		case p.index >= 0:
			b.WriteString("[" + strconv.Itoa(p.index) + "]")
		case i > 0:
			b.WriteString("." + p.name)
		default:
			b.WriteString(p.name)
		}
	}
	return b.String()
}

func (s *scanner) push(name string, index int) { s.path = append(s.path, step{name, index}) }
func (s *scanner) pop()                        { s.path = s.path[:len(s.path)-1] }

// note remembers where a value begins, if it is the one that is looked for.
func (s *scanner) note() {
	if s.target != "" && s.found < 0 && s.at() == s.target {
		s.found = s.pos
	}
}

func (s *scanner) problem(at int, reason, remedy string) bool {
	if s.fail == nil {
		s.fail = problemAt(s.data, at, s.at(), reason, remedy)
	}
	return false
}

const fixJSON = "correct the JSON; a JSON-aware editor shows the place"

// unexpected reports the byte at pos, or the end of the file.
func (s *scanner) unexpected(wanted string) bool {
	if s.pos >= len(s.data) {
		return s.problem(len(s.data), "the file ends before the JSON does: "+wanted+" was expected", "the file may still be being written; else complete it")
	}
	return s.problem(s.pos, fmt.Sprintf("%s was expected, found %q", wanted, s.data[s.pos]), fixJSON)
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
			return s.unexpected("an object")
		}
		return s.problem(s.pos, "the file must hold one JSON object, found "+describe(c), `begin it with "{"`)
	}
	if !s.object(f) {
		return false
	}
	if s.peek() != 0 || s.pos < len(s.data) {
		return s.problem(s.pos, "there is something after the end of the object", "remove it; a file holds one object")
	}
	return true
}

// value reads one value that must be what f says; f nil: anything.
func (s *scanner) value(f *Field) bool {
	c := s.peek()
	s.note()
	switch {
	case c == 'n':
		return s.literal("null")
	case f == nil:
		return s.anything(c)
	case f.Repeated:
		return s.list(f)
	}
	return s.single(f, c)
}

// single reads one value of f's shape.
func (s *scanner) single(f *Field, c byte) bool {
	switch {
	case f.Shape == ObjectShape && c == '{':
		return s.object(f)
	case (f.Shape == MapShape || f.Shape == CountsShape) && c == '{':
		return s.object(f)
	case f.Shape == BooleanShape && c == 't':
		return s.literal("true")
	case f.Shape == BooleanShape && c == 'f':
		return s.literal("false")
	case f.Shape == IntegerShape && (c == '-' || c >= '0' && c <= '9'):
		return s.integer()
	case f.Shape == StringShape && c == '"':
		return s.text()
	case f.Shape == TimeShape && c == '"':
		return s.time()
	case c == 0:
		return s.unexpected("a value")
	}
	return s.problem(s.pos, wantedShape(f)+" is expected, found "+describe(c), "see idumb explain")
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
func (s *scanner) anything(c byte) bool {
	switch {
	case c == '{':
		return s.object(nil)
	case c == '[':
		return s.list(nil)
	case c == '"':
		return s.text()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	return s.unexpected("a value")
}

func (s *scanner) literal(word string) bool {
	rest := s.data[s.pos:]
	if len(rest) < len(word) && string(rest) == word[:len(rest)] {
		s.pos = len(s.data)
	}
	if len(rest) < len(word) || string(rest[:len(word)]) != word {
		return s.unexpected("a value")
	}
	s.pos += len(word)
	return true
}

// list reads the elements of f, each of f's shape; f nil: anything.
func (s *scanner) list(f *Field) bool {
	if s.peek() != '[' {
		if s.pos >= len(s.data) {
			return s.unexpected("a list")
		}
		return s.problem(s.pos, "a list is expected, found "+describe(s.data[s.pos]), `put the value into square brackets: ["..."]`)
	}
	s.pos++
	if s.peek() == ']' {
		s.pos++
		return true
	}
	for i := 0; ; i++ {
		s.push("", i)
		if !s.element(f) {
			return false
		}
		s.pop()
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return true
		default:
			return s.unexpected(`"," or "]"`)
		}
	}
}

func (s *scanner) element(f *Field) bool {
	if f == nil {
		return s.value(nil)
	}
	c := s.peek()
	s.note()
	return s.single(f, c)
}

// object reads the members of f; f nil or a map: any names.
func (s *scanner) object(f *Field) bool {
	s.pos++ // the caller saw the brace
	if s.peek() == '}' {
		s.pos++
		return true
	}
	var seen names
	for {
		if !s.member(f, &seen) {
			return false
		}
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return true
		default:
			return s.unexpected(`"," or "}"`)
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

func (s *scanner) member(f *Field, seen *names) bool {
	if s.peek() != '"' {
		return s.unexpected("a name in double quotes")
	}
	at := s.pos
	raw, escaped, ok := s.quoted()
	if !ok {
		return false
	}
	child, place := s.known(f, raw)
	name := ""
	if place >= 0 {
		name = child.Name
	} else if name, ok = s.named(raw, escaped); !ok {
		return false
	}
	s.push(name, -1)
	if place < 0 {
		if child, place, ok = s.child(f, name, at); !ok {
			return false
		}
	}
	if !s.first(at, seen, place, name) {
		return false
	}
	ok = s.value(child)
	s.pop()
	return ok
}

// known finds a member of the table by the bytes of its name, without making a
// string of them; -1 where it is not found that way.
func (s *scanner) known(f *Field, raw []byte) (*Field, int) {
	if f == nil {
		return nil, -1
	}
	if i, ok := f.byName[string(raw)]; ok && (len(s.path) > 0 || string(raw) != "status") {
		return f.Fields[i], i
	}
	return nil, -1
}

func (s *scanner) named(raw []byte, escaped bool) (string, bool) {
	if !escaped {
		return string(raw), true
	}
	return s.unescape(raw)
}

// first reports whether the name is new in its object and a colon follows.
func (s *scanner) first(at int, seen *names, place int, name string) bool {
	if !seen.add(place, name) {
		return s.problem(at, "the name stands there twice", "keep one of the two")
	}
	if s.peek() != ':' {
		return s.unexpected(`":"`)
	}
	s.pos++
	return true
}

// child finds what a member must be by its name: nil for anything.
func (s *scanner) child(f *Field, name string, at int) (*Field, int, bool) {
	switch {
	case f == nil:
		return nil, -1, true
	case f.Shape == MapShape:
		return mapValue, -1, true
	case f.Shape == CountsShape:
		return countValue, -1, true
	case len(s.path) == 1 && name == "status":
		return nil, 63, true // ignored, whatever it holds
	}
	if i, ok := f.byName[name]; ok { // written with escapes
		return f.Fields[i], i, true
	}
	reason, remedy := "unknown field", "remove it; idumb explain lists the fields"
	if near := Nearest(name, f.FieldNames()); strings.EqualFold(near, name) {
		reason, remedy = "unknown field: names are case-sensitive", fmt.Sprintf("write %q", near)
	} else if near != "" {
		remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return nil, 0, s.problem(at, reason, remedy)
}

// integer reads a number that must be a whole one.
func (s *scanner) integer() bool {
	at := s.pos
	if !s.number() {
		return false
	}
	if _, err := strconv.Atoi(string(s.data[at:s.pos])); err != nil {
		return s.problem(at, fmt.Sprintf("a whole number is expected, found %s", s.data[at:min(s.pos, at+40)]), "see idumb explain")
	}
	return true
}

// number reads a number as RFC 8259 has it.
func (s *scanner) number() bool {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
	} else if s.digits() == 0 {
		return s.unexpected("a digit")
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if s.digits() == 0 {
			return s.unexpected("a digit")
		}
	}
	if s.pos < len(s.data) && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		if s.digits() == 0 {
			return s.unexpected("a digit")
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
func (s *scanner) time() bool {
	at := s.pos
	raw, escaped, ok := s.quoted()
	if !ok || len(raw) == 0 {
		return ok
	}
	text, ok := s.named(raw, escaped)
	if !ok {
		return false
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return s.problem(at, fmt.Sprintf("%q is no time", text), `write it as RFC 3339 has it: "2026-11-21T07:50:00Z"`)
	}
	return true
}

// text reads a string and checks its escapes, without making one.
func (s *scanner) text() bool {
	raw, escaped, ok := s.quoted()
	if !ok || !escaped {
		return ok
	}
	_, ok = s.unescape(raw)
	return ok
}

// quoted reads a string and returns what stands between the quotes.
func (s *scanner) quoted() (raw []byte, escaped, ok bool) {
	s.pos++
	for from := s.pos; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return s.data[from : s.pos-1], escaped, true
		case c == '\\':
			escaped = true
			s.pos++
		case c < ' ':
			return nil, false, s.problem(s.pos, fmt.Sprintf("control character 0x%02x in a string", c), `write it as an escape, such as \n for a line break`)
		}
	}
	s.pos = len(s.data)
	return nil, false, s.unexpected(`the closing '"' of a string`)
}

// unescape resolves the escapes of a string that was just read.
func (s *scanner) unescape(raw []byte) (string, bool) {
	from := s.pos - len(raw) - 2
	var text string
	if err := json.Unmarshal(s.data[from:s.pos], &text); err != nil {
		return "", s.problem(from, "invalid escape in a string", `use \" \\ \/ \b \f \n \r \t or \u and four hex digits`)
	}
	return text, true
}

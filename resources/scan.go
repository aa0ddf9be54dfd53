package resources

import (
	"fmt"
	"reflect"
	"strconv"
)

// scanner decodes a JSON text in one pass along the field table. It fills in an
// object and stops at the first mistake, with its position and field name. Its
// methods that decode return false after a mistake; fail then describes it.
// encoding/json accepts duplicate keys and keys in any case, does not report
// positions, and takes twice the time.
type scanner struct {
	data []byte
	pos  int
	fail *Problem

	path []step // current position as a path from the root

	hasStatus bool // the object has a status, which was ignored

	// keeps reports whether an unknown field is preserved; mistake is true if the name
	// resembles a known name. nil means that unknown fields are errors.
	keeps  func(u UnknownField, mistake bool) bool
	fields []UnknownField

	target  []step // path of the value that find searches for
	foundAt int    // offset of that value, or -1
	closed  func() // called at each closing brace, with pos at the brace and path at its object; may be nil
}

// document decodes the entire text, which must be one object of f, into out.
func (s *scanner) document(f *Field, out reflect.Value) bool {
	if c := s.peek(); c != '{' {
		if s.pos >= len(s.data) {
			return s.unexpected("an object")
		}
		return s.problem(s.pos, "the file must hold one JSON object, found "+describe(c), `begin it with "{"`)
	}
	if !s.object(f, out) {
		return false
	}
	if s.peek(); s.pos < len(s.data) {
		return s.problem(s.pos, "there is something after the end of the object", "remove it; a file holds one object")
	}
	return true
}

// value decodes one value of type f into out. If f is nil, it skips a value of any type.
// null means that the field is absent; metadata and spec must not be null.
func (s *scanner) value(f *Field, out reflect.Value) bool {
	c := s.peek()
	s.note()
	switch {
	case c == 'n' && f != nil && f.Shape == ObjectShape && !f.Repeated && len(s.path) == 1: // metadata or spec
		return s.problem(s.pos, "an object is expected, found null", "write {}, or leave it out")
	case c == 'n':
		return s.literal("null")
	case f == nil:
		return s.anything(c)
	case f.Repeated:
		return s.list(f, out)
	}
	return s.single(f, c, out)
}

// single decodes one value of f's shape.
func (s *scanner) single(f *Field, c byte, out reflect.Value) bool {
	if out.Kind() == reflect.Pointer {
		out.Set(reflect.New(out.Type().Elem()))
		out = out.Elem()
	}
	switch {
	case (f.Shape == ObjectShape || f.Shape == MapShape) && c == '{':
		return s.object(f, out)
	case f.Text != "" && c == '"':
		return s.shortForm(f, out)
	case f.Shape == BooleanShape && (c == 't' || c == 'f'):
		out.SetBool(c == 't')
		return s.boolean(c)
	case f.Shape == IntegerShape && startsNumber(c):
		at := s.pos
		if !s.number() {
			return false
		}
		n, err := strconv.Atoi(string(s.data[at:s.pos]))
		if err != nil {
			return s.problem(at, fmt.Sprintf("a whole number is expected, found %s", s.data[at:min(s.pos, at+40)]), "see idumb explain")
		}
		out.SetInt(int64(n))
		return true
	case f.Shape == StringShape && c == '"':
		text, ok := s.text(f)
		out.SetString(text)
		return ok
	case f.Shape == TimeShape && c == '"':
		return s.time(out.Addr().Interface().(*Time))
	case startsValue(c):
		return s.problem(s.pos, wantedShape(f)+" is expected, found "+describe(c), "see idumb explain")
	}
	return s.unexpected("a value")
}

// shortForm decodes a string in place of an object of f. The string is the value of field
// f.Text.
func (s *scanner) shortForm(f *Field, out reflect.Value) bool {
	field, ok := f.Field(f.Text)
	if !ok {
		return s.problem(s.pos, wantedShape(f)+" is expected, found a string", "see idumb explain")
	}
	return s.single(field, '"', out.FieldByIndex(field.index))
}

// anything skips a value of any type.
func (s *scanner) anything(c byte) bool {
	switch {
	case c == '{':
		return s.object(nil, reflect.Value{})
	case c == '[':
		return s.list(nil, reflect.Value{})
	case c == '"':
		_, ok := s.str()
		return ok
	case c == 't' || c == 'f':
		return s.boolean(c)
	case startsNumber(c):
		return s.number()
	}
	return s.unexpected("a value")
}

// list decodes a list of f's shape; if f is nil, it skips a list.
func (s *scanner) list(f *Field, out reflect.Value) bool {
	if c := s.peek(); c != '[' {
		if !startsValue(c) {
			return s.unexpected("a list")
		}
		return s.problem(s.pos, "a list is expected, found "+describe(c), `put the value into square brackets: ["..."]`)
	}
	s.pos++
	if f != nil {
		out.Set(reflect.MakeSlice(out.Type(), 0, 0))
	}
	if s.peek() == ']' {
		s.pos++
		return true
	}
	kept := len(s.fields)
	for i := 0; ; i++ {
		s.push(step{index: i})
		if !s.element(f, out) {
			return false
		}
		s.pop()
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			s.inList(s.fields[kept:], out)
			return true
		default:
			return s.unexpected(`"," or "]"`)
		}
	}
}

// element decodes one element and appends it to the list in out.
func (s *scanner) element(f *Field, out reflect.Value) bool {
	if f == nil {
		return s.value(nil, out)
	}
	c := s.peek()
	if texts, ok := out.Addr().Interface().(*[]string); ok && c == '"' {
		s.note()
		text, ok := s.text(f)
		*texts = append(*texts, text)
		return ok
	}
	s.note()
	n := out.Len()
	out.Grow(1)
	out.SetLen(n + 1)
	return s.single(f, c, out.Index(n))
}

// object decodes the members of f. If f is nil or a map, it accepts any names.
func (s *scanner) object(f *Field, out reflect.Value) bool {
	s.pos++ // the opening brace
	var seen names
	for first := true; ; first = false {
		if !(first && s.peek() == '}') && !s.member(f, out, &seen) {
			return false
		}
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			if s.closed != nil {
				s.closed()
			}
			s.pos++
			return true
		default:
			return s.unexpected(`"," or "}"`)
		}
	}
}

// member reads one member of an object into out and checks its name. It returns false after an
// error.
func (s *scanner) member(f *Field, out reflect.Value, seen *names) bool {
	if s.peek() != '"' {
		return s.unexpected("a name in double quotes")
	}
	at := s.pos
	raw, ok := s.str()
	if !ok {
		return false
	}
	child, place := f.child(raw, seen.next)
	seen.next = place + 1
	name := child.called(raw)
	s.push(step{name: name, index: -1})
	unknown := child == nil && f != nil && f.Shape == ObjectShape && !s.atStatus()
	if unknown && !s.unknown(f, name, at) {
		return false
	}
	if !seen.add(place, name) {
		return s.problem(at, "duplicate name", "keep one of the two")
	}
	if s.peek() != ':' {
		return s.unexpected(`":"`)
	}
	s.pos++
	if unknown {
		ok = s.keep(at)
	} else {
		ok = s.memberValue(f, child, out)
	}
	s.pop()
	return ok
}

// memberValue decodes the value of a member. It ignores a status with any content.
func (s *scanner) memberValue(f, child *Field, out reflect.Value) bool {
	switch {
	case f == nil:
		return s.value(nil, reflect.Value{})
	case s.atStatus():
		s.hasStatus = s.peek() != 'n'
		return s.value(nil, reflect.Value{})
	case f.Shape == MapShape:
		return s.entry(out.Addr().Interface().(*map[string]string))
	}
	return s.value(child, out.FieldByIndex(child.index))
}

// entry decodes a value of a map of strings. The last element of the path is its key.
func (s *scanner) entry(out *map[string]string) bool {
	if *out == nil {
		*out = map[string]string{}
	}
	var text string
	if c := s.peek(); c == 'n' {
		return s.value(nil, reflect.Value{})
	}
	if !s.value(mapValue, reflect.ValueOf(&text).Elem()) {
		return false
	}
	(*out)[s.path[len(s.path)-1].name] = text
	return true
}

// mapValue is the field of a value in a map of strings.
var mapValue = &Field{Shape: StringShape}

// atStatus reports whether the scanner is at the object's status.
func (s *scanner) atStatus() bool { return len(s.path) == 1 && s.path[0].name == "status" }

// child returns the member with a name and its index in the table. It returns nil and -1 if
// the member does not exist, or if f accepts any name. The search starts at index from,
// because most files contain the fields in table order.
func (f *Field) child(name []byte, from int) (*Field, int) {
	if f == nil {
		return nil, -1
	}
	n := len(f.Fields)
	for i := range n {
		if place := (from + i) % n; f.Fields[place].Name == string(name) {
			return f.Fields[place], place
		}
	}
	return nil, -1
}

// called returns the name as a string. It does not allocate for a field of the table.
func (f *Field) called(name []byte) string {
	if f != nil {
		return f.Name
	}
	return string(name)
}

// names records the members of one object: table fields by index, and unknown fields by
// name.
type names struct {
	next    int // index after the last member
	bits    uint64
	unknown map[string]bool
}

// add records a name and reports whether it is new. i is its index in the table, or -1.
func (n *names) add(i int, name string) bool {
	if i >= 0 && i < 64 {
		isNew := n.bits&(1<<i) == 0
		n.bits |= 1 << i
		return isNew
	}
	if n.unknown[name] {
		return false
	}
	if n.unknown == nil {
		n.unknown = map[string]bool{}
	}
	n.unknown[name] = true
	return true
}

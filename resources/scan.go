package resources

import (
	"reflect"
)

// scanner reads a JSON text once, along the table of fields, fills in an object as
// it goes, and stops at the first thing that is wrong, which it can place and
// name. encoding/json takes duplicate keys and keys in any case, does not say
// where it is, and needs twice the time.
type scanner struct {
	data []byte
	pos  int
	fail *Problem

	path []step // where the scanner is, from the root

	hasStatus bool // the object has a status, which was ignored

	// keeps says whether a field that is not known is kept, and whether it looks like a
	// known one that is misspelt; nil: none is.
	keeps func(u UnknownField, mistake bool) bool
	kept  []UnknownField

	target []step // the path of a value, of which the scanner notes where it begins
	found  int    // there; -1: nowhere yet
	closed func() // is told of the closing brace at pos, of the object at the path; may be nil
}

// document reads the whole text, which must be one object of f, into out.
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

// value reads one value, which must be what f says, into out; f nil: anything, kept
// nowhere. null is as if the field were not there, except for metadata and spec.
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

// single reads one value of f's shape.
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
		return s.integer(out)
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

// shortForm reads a text that stands for an object of f with that one field.
func (s *scanner) shortForm(f *Field, out reflect.Value) bool {
	field, ok := f.Field(f.Text)
	if !ok {
		return s.problem(s.pos, wantedShape(f)+" is expected, found a string", "see idumb explain")
	}
	return s.single(field, '"', out.FieldByIndex(field.index))
}

// anything reads a value whose content does not matter.
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

// list reads the elements of f, each of f's shape; f nil: anything.
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
	kept := len(s.kept)
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
			s.inList(s.kept[kept:], out)
			return true
		default:
			return s.unexpected(`"," or "]"`)
		}
	}
}

// element reads one element and appends it to the list in out.
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

// object reads the members of f; f nil or a map: any names.
func (s *scanner) object(f *Field, out reflect.Value) bool {
	s.pos++ // the caller saw the brace
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
		return s.problem(at, "the name stands there twice", "keep one of the two")
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

// memberValue reads what stands behind a name. A status in a file is ignored,
// whatever it holds.
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

// entry reads a value of a map of strings; the name is the last step of the path.
func (s *scanner) entry(out *map[string]string) bool {
	if *out == nil {
		*out = map[string]string{}
	}
	var text string
	c := s.peek()
	if c == 'n' {
		return s.value(nil, reflect.Value{})
	}
	if !s.value(mapValue, reflect.ValueOf(&text).Elem()) {
		return false
	}
	(*out)[s.path[len(s.path)-1].name] = text
	return true
}

// mapValue is what a map of strings holds.
var mapValue = &Field{Shape: StringShape}

// atStatus reports whether the path is that of the object's status.
func (s *scanner) atStatus() bool { return len(s.path) == 1 && s.path[0].name == "status" }

// child finds the member of that name and its place in the table; nil, -1 if there
// is none, or if f takes any name. The search begins at a place: most files hold
// the fields in the order of the table.
func (f *Field) child(name []byte, from int) (*Field, int) {
	if f == nil {
		return nil, -1
	}
	n := len(f.Fields)
	for i := range n {
		place := (from + i) % n
		if f.Fields[place].Name == string(name) {
			return f.Fields[place], place
		}
	}
	return nil, -1
}

// called is the name as a string, without making a new one for a field of the table.
func (f *Field) called(name []byte) string {
	if f != nil {
		return f.Name
	}
	return string(name)
}

// names remembers the members of one object: those of the table by their place,
// others by name.
type names struct {
	next  int // the place behind the last one
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

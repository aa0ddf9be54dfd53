package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// UnknownField is a field in an object's file that this build does not know. A newer build may
// have written it, so it stays in the file, byte for byte, whoever writes the object next.
type UnknownField struct {
	within  []step // the path of the object that it stands in
	name    string
	member  string // name and value, as they stand in the file
	element any    // what was known of the list's element that it stands in; nil outside lists
	of      int    // how many elements the list had
}

// Field is the path of the field, such as "spec.phases[].colour".
func (u UnknownField) Field() string {
	var b strings.Builder
	for _, s := range u.within {
		if s.index >= 0 {
			b.WriteString("[]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	return b.String() + shown(u.name)
}

// Unknown returns the fields of the object's file that this build does not know, in the
// order of the file. The slice is shared and must not be changed.
func (h *Header) Unknown() []UnknownField { return h.unknown }

// KeepUnknown carries over to o the fields of before that this build does not know and that
// o lacks.
func KeepUnknown(o, before Object) {
	head := o.Head()
	for _, u := range before.Head().unknown {
		if !slices.ContainsFunc(head.unknown, u.same) {
			head.unknown = append(slices.Clip(head.unknown), u)
		}
	}
}

// Complete reports whether the object was read as DecodeOver reads one: the text said all
// that is to stand in the file, the fields that this build does not know included.
func (h *Header) Complete() bool { return h.unknown != nil }

// same reports whether two are the same field; any element of a list counts as any other.
func (u UnknownField) same(other UnknownField) bool {
	return u.name == other.name && slices.EqualFunc(u.within, other.within, func(a, b step) bool {
		return a.name == b.name && (a.index < 0) == (b.index < 0)
	})
}

// saysTheSame reports whether two members have values that mean the same, however they are
// laid out: a person's editor showed YAML, or a patch went over them.
func (u UnknownField) saysTheSame(other UnknownField) bool {
	var values [2]map[string]any
	for i, member := range [...]string{u.member, other.member} {
		if json.Unmarshal([]byte("{"+member+"}"), &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// DecodeOver is Decode for a text that is to replace an object which was read from a file:
// what that file holds and this build does not know may stand in the text as well. What of
// it the text leaves out, a person took out.
func DecodeOver(key Key, data []byte, before Object) (Object, []string, error) {
	known := before.Head().unknown
	object, warnings, err := decode(key, data, func(u UnknownField, _ bool) bool { return slices.ContainsFunc(known, u.same) })
	if err != nil {
		return nil, nil, err
	}
	head := object.Head()
	if head.unknown == nil {
		head.unknown = []UnknownField{}
	}
	for i, u := range head.unknown {
		for _, was := range known {
			if u.same(was) && u.saysTheSame(was) {
				head.unknown[i].member = was.member
			}
		}
	}
	return object, warnings, nil
}

// DecodeFile is Decode for what stands in a file already. A teammate's newer build may have
// written it, so a field that is not known is kept (Header.Unknown), except where it is
// likely to be a mistake, one or two letters away from a known one, and in the kinds that
// say what is forbidden: a rule that is not understood must not be one that is not there.
func DecodeFile(key Key, data []byte) (Object, []string, error) {
	kind, ok := KindOf(key.Kind)
	object, warnings, err := decode(key, data, func(_ UnknownField, mistake bool) bool { return ok && !kind.Forbids && !mistake })
	if err == nil && len(object.Head().unknown) > 0 {
		if p := older(kind, data); p != nil {
			p.Key, p.Object = key, key.String()
			return nil, nil, *p
		}
	}
	return object, warnings, err
}

// unknown judges a name that f does not have: it is kept, or it is what is wrong.
func (s *scanner) unknown(f *Field, name string, at int) bool {
	near := Nearest(name, f.FieldNames())
	mistake := near != "" && editDistance(strings.ToLower(name), strings.ToLower(near), 2) <= 2
	if s.keeps != nil && s.keeps(UnknownField{within: s.path[:s.depth-1], name: name}, mistake) {
		return true
	}
	reason, remedy := "unknown field", "remove it; idumb explain lists the fields"
	if strings.EqualFold(near, name) {
		reason, remedy = "unknown field: names are case-sensitive", fmt.Sprintf("write %q", near)
	} else if near != "" {
		remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return s.problem(at, reason, remedy)
}

// maxUnknown is how many fields that are not known are kept in one file: strangers' files are
// not to cost more than their size is worth.
const maxUnknown = 1000

// keep reads the value of a field that is not known, and keeps the member that begins at
// that place.
func (s *scanner) keep(at int) bool {
	if len(s.kept) == maxUnknown {
		return s.problem(at, fmt.Sprintf("more than %d fields of this file are unknown", maxUnknown), "a newer idumb may know them: upgrade; else remove them")
	}
	if !s.value(nil, reflect.Value{}) {
		return false
	}
	within := slices.Clone(s.path[:s.depth-1])
	s.kept = append(s.kept, UnknownField{within: within, name: s.path[s.depth-1].name, member: string(s.data[at:s.pos])})
	return true
}

// inList notes in which elements of the list that was just read, the one at the path, those
// fields stood.
func (s *scanner) inList(kept []UnknownField, list reflect.Value) {
	for i := range kept {
		if u := &kept[i]; u.element == nil {
			u.element, u.of = list.Index(u.within[s.depth].index).Interface(), list.Len()
		}
	}
}

// withUnknown adds to the text of an object, as layOut laid it out, the fields of its file that
// this build does not know, each at the end of the object that it stood in. What stood in a
// part that is gone is gone with it.
func withUnknown(text []byte, o Object) []byte {
	unknown := o.Head().unknown
	if len(unknown) == 0 {
		return text
	}
	kind, _ := KindOf(o.Key().Kind)
	root := &additions{}
	for _, u := range unknown {
		if within, there := u.place(kind.rules(), reflect.ValueOf(o).Elem()); there {
			root.at(within).members = append(root.at(within).members, u.member)
		}
	}
	w := weaver{scanner: scanner{data: text}, to: make([]byte, 0, 2*len(text))}
	w.value(root, 0)
	return append(w.to, text[w.copied:]...)
}

// place is where the object that the field stood in is now: an element of a list may have
// moved.
func (u UnknownField) place(f *Field, value reflect.Value) (within []step, there bool) {
	for _, next := range u.within {
		if next.index >= 0 {
			if next.index = u.indexIn(value, next.index); next.index < 0 {
				return nil, false
			}
			value = value.Index(next.index)
		} else {
			f, _ = f.Field(next.name)
			value = value.FieldByIndex(f.index)
		}
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				return nil, false
			}
			value = value.Elem()
		}
		within = append(within, next)
	}
	return within, true
}

// farthest is how far away an element is looked for that moved in its list.
const farthest = 64

// indexIn finds the element of a list that the field stood in: the nearest one that still
// says the same, or the one at its place if none came or went; -1 if it is gone.
func (u UnknownField) indexIn(list reflect.Value, was int) int {
	for away := range farthest {
		for _, i := range [...]int{was - away, was + away} {
			if i >= 0 && i < list.Len() && reflect.DeepEqual(list.Index(i).Interface(), u.element) {
				return i
			}
		}
	}
	if was < list.Len() && list.Len() == u.of {
		return was
	}
	return -1
}

// additions are what is added to a value of a text, and to those inside it.
type additions struct {
	members []string
	inner   map[step]*additions
	steps   []step // the keys of inner, in the order in which they came
}

// at is what is added at a path.
func (a *additions) at(path []step) *additions {
	for _, next := range path {
		if a.inner[next] == nil {
			if a.inner == nil {
				a.inner = map[step]*additions{}
			}
			a.inner[next] = &additions{}
			a.steps = append(a.steps, next)
		}
		a = a.inner[next]
	}
	return a
}

// weaver goes over a text that layOut laid out and copies it, with additions.
type weaver struct {
	scanner
	to     []byte
	copied int // up to where
}

// value goes over the value at pos, on that level of indentation.
func (w *weaver) value(a *additions, depth int) {
	if a == nil {
		w.scanner.value(nil, reflect.Value{})
		return
	}
	list := w.peek() == '['
	placed := map[step]bool{}
	for i := 0; ; i++ {
		w.pos++ // the bracket, or the comma behind the last one
		if c := w.peek(); c == '}' || c == ']' {
			break
		}
		next := step{index: i}
		if !list {
			name, _ := w.str()
			next = step{name: string(name), index: -1}
			w.pos++ // the colon
			w.peek()
		}
		placed[next] = true
		w.value(a.inner[next], depth+1)
		if w.peek() != ',' {
			break
		}
	}
	if !list {
		w.copy()
		w.add(a, placed, depth+1)
	}
	w.pos++
}

// copy copies what was gone over, without the white space at its end.
func (w *weaver) copy() {
	w.to = append(w.to, bytes.TrimRight(w.data[w.copied:w.pos], " \n")...)
	w.copied = w.pos
}

// add writes the members of an object whose closing brace comes next, and the brace's
// indentation. Objects inside it that the text left out, because nothing of them is known,
// are members as well.
func (w *weaver) add(a *additions, placed map[step]bool, depth int) {
	for _, member := range a.members {
		w.begin(depth)
		w.to = append(w.to, member...)
	}
	for _, next := range a.steps {
		if !placed[next] {
			w.begin(depth)
			name, _ := marshal(next.name) // a text always can be
			w.to = append(append(w.to, bytes.TrimSpace(name)...), ": {"...)
			w.add(a.inner[next], nil, depth+1)
			w.to = append(w.to, '}')
		}
	}
	if w.to[len(w.to)-1] != '{' {
		w.to = newline(w.to, depth-1)
	}
}

// begin begins a member of an object.
func (w *weaver) begin(depth int) {
	if w.to[len(w.to)-1] != '{' {
		w.to = append(w.to, ',')
	}
	w.to = newline(w.to, depth)
}

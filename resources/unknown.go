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
	path := pathOf(append(slices.Clone(u.within), step{u.name, -1}))
	for _, s := range u.within {
		if s.index >= 0 {
			path = strings.Replace(path, fmt.Sprintf("[%d]", s.index), "[]", 1)
		}
	}
	return path
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
	if s.keeps != nil && s.keeps(UnknownField{within: s.path[:len(s.path)-1], name: name}, mistake) {
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
	within := slices.Clone(s.path[:len(s.path)-1])
	s.kept = append(s.kept, UnknownField{within: within, name: s.path[len(s.path)-1].name, member: string(s.data[at:s.pos])})
	return true
}

// inList notes in which elements of the list that was just read, the one at the path, those
// fields stood.
func (s *scanner) inList(kept []UnknownField, list reflect.Value) {
	for i := range kept {
		if u := &kept[i]; u.element == nil {
			u.element, u.of = list.Index(u.within[len(s.path)].index).Interface(), list.Len()
		}
	}
}

// withUnknown adds to the text of an object the fields of its file that this build does not
// know, each at the end of the object that it stood in. What stood in a part that is gone is
// gone with it.
func withUnknown(text []byte, o Object) []byte {
	if len(o.Head().unknown) == 0 {
		return text
	}
	kind, _ := KindOf(o.Key().Kind)
	all := additions{byPath: map[string]*addition{}}
	for _, u := range o.Head().unknown {
		if within, there := u.place(kind.rules(), reflect.ValueOf(o).Elem()); there {
			all.to(within).add(u.member)
		}
	}
	return all.weave(text)
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

// addition is what is added to one object of a text.
type addition struct {
	within  []step // the path of the object
	members []string
	end     int // where its closing brace stands; 0: the text left it out, because nothing of it is known
}

func (a *addition) add(member string) { a.members = append(a.members, member) }

// appendTo adds the members to a text that ends inside the object, up to its closing brace.
func (a *addition) appendTo(text []byte) []byte {
	indent := "\n" + strings.Repeat("  ", len(a.within))
	for _, member := range a.members {
		if text[len(text)-1] != '{' {
			text = append(text, ',')
		}
		text = append(text, indent+"  "+member...)
	}
	return append(text, indent...)
}

// additions are those to a whole text.
type additions struct {
	list   []*addition
	byPath map[string]*addition // as pathOf writes it
}

// to is what is added to the object at a path.
func (all *additions) to(within []step) *addition {
	path := pathOf(within)
	if all.byPath[path] == nil {
		if len(within) > 0 {
			all.to(within[:len(within)-1])
		}
		all.byPath[path] = &addition{within: within}
		all.list = append(all.list, all.byPath[path])
	}
	return all.byPath[path]
}

// weave returns a text that Encode laid out with the additions.
func (all *additions) weave(text []byte) []byte {
	s := scanner{data: text}
	s.closed = func() {
		if a := all.byPath[s.at()]; a != nil {
			a.end = s.pos
		}
	}
	s.value(nil, reflect.Value{})
	slices.SortStableFunc(all.list, func(a, b *addition) int { return len(b.within) - len(a.within) })
	for _, a := range all.list { // the innermost first
		if n := len(a.within); a.end == 0 && len(a.members) > 0 {
			name, _ := json.Marshal(a.within[n-1].name) // a text always can be
			all.to(a.within[:n-1]).add(string(append(a.appendTo(append(name, ": {"...)), '}')))
		}
	}
	slices.SortFunc(all.list, func(a, b *addition) int { return a.end - b.end })
	woven, copied := make([]byte, 0, 2*len(text)), 0
	for _, a := range all.list {
		if a.end > 0 && len(a.members) > 0 {
			woven = a.appendTo(append(woven, bytes.TrimRight(text[copied:a.end], " \n")...))
			copied = a.end
		}
	}
	return append(woven, text[copied:]...)
}

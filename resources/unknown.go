package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// UnknownField is a field in an object's file that this build does not know. A newer build
// may have written it. Later writes of the object preserve it byte by byte.
type UnknownField struct {
	parent  []step // path of the enclosing object
	name    string
	member  string // name and value as in the file
	element any    // the known part of the enclosing list element; nil outside lists
	length  int    // length of the enclosing list
}

// Field returns the path of the field, such as "spec.phases[].colour".
func (u UnknownField) Field() string {
	path := pathOf(append(slices.Clone(u.parent), step{u.name, -1}))
	for _, s := range u.parent {
		if s.index >= 0 {
			path = strings.Replace(path, fmt.Sprintf("[%d]", s.index), "[]", 1)
		}
	}
	return path
}

// Unknown returns the unknown fields of the object's file in file order. The result is
// shared and must not be modified.
func (h *Header) Unknown() []UnknownField { return h.unknown }

// KeepUnknown copies the unknown fields of before to o, except fields that o already has.
func KeepUnknown(o, before Object) {
	head := o.Head()
	for _, u := range before.Head().unknown {
		if !slices.ContainsFunc(head.unknown, u.equal) {
			head.unknown = append(slices.Clip(head.unknown), u)
		}
	}
}

// Complete reports whether the object was decoded by DecodeOver: its text was the complete
// new content of the file, including unknown fields.
func (h *Header) Complete() bool { return h.unknown != nil }

// equal reports whether two fields are equal, ignoring list indexes.
func (u UnknownField) equal(other UnknownField) bool {
	return u.name == other.name && slices.EqualFunc(u.parent, other.parent, func(a, b step) bool {
		return a.name == b.name && (a.index < 0) == (b.index < 0)
	})
}

// saysTheSame reports whether two members have equal values, ignoring their format. An
// editor may convert JSON to YAML and back, and a patch reformats the text.
func (u UnknownField) saysTheSame(other UnknownField) bool {
	var values [2]map[string]any
	for i, member := range [...]string{u.member, other.member} {
		if json.Unmarshal([]byte("{"+member+"}"), &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// DecodeOver is Decode for a text that replaces an object read from a file. The text may
// contain the unknown fields of that file. Fields that it omits are deleted.
func DecodeOver(key Key, data []byte, before Object) (Object, []string, error) {
	known := before.Head().unknown
	object, warnings, err := decode(key, data, func(u UnknownField, _ bool) bool { return slices.ContainsFunc(known, u.equal) })
	if err != nil {
		return nil, nil, err
	}
	head := object.Head()
	if head.unknown == nil {
		head.unknown = []UnknownField{}
	}
	for i, u := range head.unknown {
		for _, was := range known {
			if u.equal(was) && u.saysTheSame(was) {
				head.unknown[i].member = was.member
			}
		}
	}
	return object, warnings, nil
}

// DecodeFile is Decode for a stored file, which a newer build may have written. It
// preserves unknown fields (Header.Unknown). A name that differs from a known name by one
// or two letters is an error, because it is probably a typing mistake. All unknown fields
// are errors in kinds that define prohibitions: an ignored rule would permit what a newer
// build forbids.
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

// unknown handles a name that f does not have. It reports whether the field is
// preserved; if not, it records a problem.
func (s *scanner) unknown(f *Field, name string, at int) bool {
	near := Nearest(name, f.FieldNames())
	mistake := near != "" && editDistance(strings.ToLower(name), strings.ToLower(near), 2) <= 2
	if s.keeps != nil && s.keeps(UnknownField{parent: s.path[:len(s.path)-1], name: name}, mistake) {
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

// maxUnknown limits the unknown fields of one file, so that an untrusted file cannot cause
// excessive work.
const maxUnknown = 1000

// keep scans the value of an unknown field and records the member that begins at offset at.
func (s *scanner) keep(at int) bool {
	if len(s.fields) == maxUnknown {
		return s.problem(at, fmt.Sprintf("more than %d fields of this file are unknown", maxUnknown), "a newer idumb may know them: upgrade; else remove them")
	}
	if !s.value(nil, reflect.Value{}) {
		return false
	}
	within := slices.Clone(s.path[:len(s.path)-1])
	s.fields = append(s.fields, UnknownField{parent: within, name: s.path[len(s.path)-1].name, member: string(s.data[at:s.pos])})
	return true
}

// inList records the list elements that contain unknown fields, after a list was decoded.
func (s *scanner) inList(kept []UnknownField, list reflect.Value) {
	for i := range kept {
		if u := &kept[i]; u.element == nil {
			u.element, u.length = list.Index(u.parent[len(s.path)].index).Interface(), list.Len()
		}
	}
}

// withUnknown adds the unknown fields of an object's file to its text, each at the end of
// the enclosing object. Fields of deleted parts are omitted.
func withUnknown(text []byte, o Object) []byte {
	if len(o.Head().unknown) == 0 {
		return text
	}
	kind, _ := KindOf(o.Key().Kind)
	all := additions{byPath: map[string]*addition{}}
	for _, u := range o.Head().unknown {
		if within, there := u.place(kind.rules(), reflect.ValueOf(o).Elem()); there {
			all.additionAt(within).add(u.member)
		}
	}
	return all.weave(text)
}

// place returns the current path of the enclosing object. It accounts for moved
// list elements. there is false if the object no longer exists.
func (u UnknownField) place(f *Field, value reflect.Value) (within []step, there bool) {
	for _, next := range u.parent {
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

// farthest limits the distance at which a moved list element is searched.
const farthest = 64

// indexIn returns the current index of the enclosing list element: the nearest equal
// element. If no element is equal and the list length is unchanged, it returns the old
// index. It returns -1 if the element was removed.
func (u UnknownField) indexIn(list reflect.Value, was int) int {
	for away := range farthest {
		for _, i := range [...]int{was - away, was + away} {
			if i >= 0 && i < list.Len() && reflect.DeepEqual(list.Index(i).Interface(), u.element) {
				return i
			}
		}
	}
	if was < list.Len() && list.Len() == u.length {
		return was
	}
	return -1
}

// addition contains the members that are added to one object of a text.
type addition struct {
	path    []step // path of the object
	members []string
	end     int // offset of its closing brace; 0 if the text does not contain the object
}

// add adds a member, as text, to the object.
func (a *addition) add(member string) { a.members = append(a.members, member) }

// appendTo adds the members to a text that ends inside the object, just before its closing
// brace.
func (a *addition) appendTo(text []byte) []byte {
	indent := "\n" + strings.Repeat("  ", len(a.path))
	for _, member := range a.members {
		if text[len(text)-1] != '{' {
			text = append(text, ',')
		}
		text = append(text, indent+"  "+member...)
	}
	return append(text, indent...)
}

// additions contains the additions to an entire text.
type additions struct {
	list   []*addition
	byPath map[string]*addition // keys are formatted by pathOf
}

// additionAt returns the addition to the object at a path. It creates it, and
// those of all enclosing objects, if necessary.
func (all *additions) additionAt(within []step) *addition {
	path := pathOf(within)
	if all.byPath[path] == nil {
		if len(within) > 0 {
			all.additionAt(within[:len(within)-1])
		}
		all.byPath[path] = &addition{path: within}
		all.list = append(all.list, all.byPath[path])
	}
	return all.byPath[path]
}

// weave inserts the additions into a text that Encode formatted.
func (all *additions) weave(text []byte) []byte {
	s := scanner{data: text}
	s.closed = func() {
		if a := all.byPath[s.at()]; a != nil {
			a.end = s.pos
		}
	}
	s.value(nil, reflect.Value{})
	slices.SortStableFunc(all.list, func(a, b *addition) int { return len(b.path) - len(a.path) })
	for _, a := range all.list { // innermost objects first
		if n := len(a.path); a.end == 0 && len(a.members) > 0 {
			name, _ := json.Marshal(a.path[n-1].name) // a string always marshals
			all.additionAt(a.path[:n-1]).add(string(append(a.appendTo(append(name, ": {"...)), '}')))
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

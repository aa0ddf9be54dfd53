package migrate

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Record is an object of a source with a memory of which of its fields were understood: the report names the others.
// Names of fields match whatever their case and with or without separators: createdAt is created_at. A nil one is empty.
type Record struct {
	Value   Value
	taken   []bool
	drafted bool // an object is made of it
}

// NewRecord begins to read a value. One that is no object is read as an object with
// one field: a string is its "title", anything else its "value".
func NewRecord(v Value) *Record {
	switch v.Type {
	case Object:
	case String:
		v = Value{Type: Object, Fields: []Field{{"title", v}}}
	default:
		v = Value{Type: Object, Fields: []Field{{"value", v}}}
	}
	return &Record{Value: v, taken: make([]bool, len(v.Fields))}
}

// Made is a record of names and what stands there: see ValueOf.
func Made(pairs ...any) *Record {
	v := Value{Type: Object}
	for i := 0; i < len(pairs); i += 2 {
		v.Fields = append(v.Fields, Field{pairs[i].(string), ValueOf(pairs[i+1])})
	}
	return NewRecord(v)
}

// find returns the first field of one of these names that is not null; -1 if there is none.
func (r *Record) find(names []string) int {
	if r == nil {
		return -1
	}
	for _, name := range names {
		if i := r.Value.index(name); i >= 0 {
			return i
		}
	}
	return -1
}

// Has reports whether there is a field of one of these names, null aside.
func (r *Record) Has(names ...string) bool { return r.find(names) >= 0 }

// Peek returns a field without taking it.
func (r *Record) Peek(names ...string) (Value, bool) {
	if i := r.find(names); i >= 0 {
		return r.Value.Fields[i].Value, true
	}
	return Value{}, false
}

// Take returns a field, which counts as understood from now on.
func (r *Record) Take(names ...string) (Value, bool) {
	i := r.find(names)
	if i < 0 {
		return Value{}, false
	}
	r.taken[i] = true
	return r.Value.Fields[i].Value, true
}

// Drop takes all fields of these names, which say nothing that is not known: where a record stands.
func (r *Record) Drop(names ...string) {
	for _, name := range names {
		r.Take(name)
	}
}

// Text takes a field that holds text: a string or a number. Of an object it returns what
// it is called, and leaves it.
func (r *Record) Text(names ...string) string {
	for _, name := range names {
		v, _ := r.Peek(name)
		if v.Type == List && len(v.Items) == 1 && v.Items[0].Type == String {
			v = v.Items[0]
		}
		text, whole := called(v)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if whole {
			r.Take(name)
		}
		return text
	}
	return ""
}

// called is the text of a value, or what an object that stands where a text was expected is called. whole: it says no more.
func called(v Value) (text string, whole bool) {
	switch v.Type {
	case Null, String, Number, Bool:
		return v.Text, true
	case Object:
		text, _ = FirstText(v, "name", "id", "key", "title")
	}
	return text, false
}

// FirstText is the first field of an object that holds text, of these names.
func FirstText(v Value, names ...string) (string, bool) {
	for _, name := range names {
		if inner, ok := v.At(name); ok && (inner.Type == String || inner.Type == Number) && strings.TrimSpace(inner.Text) != "" {
			return strings.TrimSpace(inner.Text), true
		}
	}
	return "", false
}

// Texts takes a field that holds several texts: a list of them, or one text with a
// line each, or with commas between. A list with items that are no text is left as well.
func (r *Record) Texts(names ...string) []string {
	v, _ := r.Peek(names...)
	if v.Type == Number || v.Type == String {
		r.Take(names...)
		return split(v.Text)
	}
	var list []string
	plain := v.Type == List
	for _, item := range v.Items {
		text, whole := called(item)
		if plain = plain && whole && item.Type != Bool; item.Type != Bool && strings.TrimSpace(text) != "" {
			list = append(list, text)
		}
	}
	if plain {
		r.Take(names...)
	}
	return list
}

// split takes a text with a line each, or with commas between, apart.
func split(text string) []string {
	separator := ","
	if strings.Contains(strings.TrimSpace(text), "\n") {
		separator = "\n"
	}
	return trimmed(strings.Split(text, separator)...)
}

// trimmed are texts without what stands around them, empty ones left out.
func trimmed(texts ...string) []string {
	for i, text := range texts {
		texts[i] = strings.TrimSpace(text)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// Records takes a field that holds several records: a list, or an object whose names are
// their ids, or one record alone.
func (r *Record) Records(names ...string) []*Record {
	v, _ := r.Take(names...)
	return Records(v)
}

// Records splits a value into records, see Record.Records.
func Records(v Value) []*Record {
	items := v.Items
	switch {
	case v.Type == Object && !isOne(v):
		for _, f := range v.Fields {
			items = append(items, keyed(f))
		}
	case v.Type != List:
		items = []Value{v}
	}
	var list []*Record
	for _, item := range items {
		if item.Type != Null {
			list = append(list, NewRecord(item))
		}
	}
	return list
}

// isOne tells a record from a map of records: it has a field that is no object or list, or an id.
func isOne(v Value) bool {
	if _, ok := v.At("id"); ok {
		return true
	}
	return slices.ContainsFunc(v.Fields, func(f Field) bool {
		return f.Value.Type != Object && f.Value.Type != List && f.Value.Type != Null
	})
}

// keyed is a record whose id stands before it.
func keyed(f Field) Value {
	if f.Value.Type == Null {
		return f.Value
	}
	v := NewRecord(f.Value).Value
	if v.index("id") < 0 {
		v.Fields = append([]Field{{"id", Text(f.Name)}}, v.Fields...)
	}
	return v
}

// Inner takes a field that is an object, to be read as a record of its own; nil if there is none.
// A field of another type stays.
func (r *Record) Inner(name string) *Record {
	v, ok := r.Peek(name)
	if !ok || v.Type != Object {
		return nil
	}
	r.Take(name)
	return NewRecord(v)
}

// Time takes a field that holds an instant, in any form that ParseTime knows.
func (r *Record) Time(names ...string) time.Time {
	for _, name := range names {
		v, _ := r.Peek(name)
		if t, ok := ParseTime(v); ok {
			r.Take(name)
			return t
		}
	}
	return time.Time{}
}

// Rest returns the fields that nobody took and that say something.
func (r *Record) Rest() []Field {
	if r == nil {
		return nil
	}
	var rest []Field
	for i, f := range r.Value.Fields {
		if !r.taken[i] && !f.Value.Nothing() {
			rest = append(rest, f)
		}
	}
	return rest
}

// refNames are the names under which an object says what it refers to.
const refNames = "id taskId dependsOnId dependsOn target to ref issueId key uuid name title"

// Refs takes all fields of these names that refer to other records, and returns what they refer to, each once:
// lists of ids, of objects with an id, objects whose names are ids, a text with ids. What says more than the
// ids is left as well.
func (r *Record) Refs(names ...string) []string {
	var all []string
	for i, f := range r.Value.Fields {
		if f.Value.Type == Null || !slices.ContainsFunc(names, func(name string) bool { return Fold(name) == Fold(f.Name) }) {
			continue
		}
		ids, plain := refsIn(f.Value)
		r.taken[i] = plain
		all = append(all, ids...)
	}
	return resources.Distinct(all...)
}

// refsIn returns the ids in a value; plain: it says nothing else.
func refsIn(v Value) (ids []string, plain bool) {
	switch v.Type {
	case String, Number:
		return unlinked(split(v.Text)), true
	case List:
		plain = true
		for _, item := range v.Items {
			inner, simple := refsIn(item)
			ids, plain = append(ids, inner...), plain && (simple || item.Type == Null)
		}
	case Object:
		if id, ok := FirstText(v, strings.Fields(refNames)...); ok {
			return []string{id}, false
		}
		for _, f := range v.Fields {
			if f.Value.Type != List && f.Value.Text != "false" {
				ids = append(ids, f.Name)
			}
		}
		ids = unlinked(ids)
	}
	return ids, plain
}

// unlinked takes the brackets of a link off ids, [[task-1]], and leaves out empty ones.
func unlinked(ids []string) []string {
	for i, id := range ids {
		ids[i] = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(id), "[["), "]]")
	}
	return trimmed(ids...)
}

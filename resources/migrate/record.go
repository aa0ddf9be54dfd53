package migrate

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Record is an object of a source that tracks which of its fields were used. The report
// lists the unused fields. Field names match regardless of case and separators: createdAt
// matches created_at. A nil Record is empty.
type Record struct {
	Value   Value
	used    []bool
	drafted bool // a draft was created from it
}

// NewRecord returns a record of a value. A string becomes the field "title" of an object,
// and any other value that is not an object becomes the field "value".
func NewRecord(v Value) *Record {
	switch v.Type {
	case Object:
	case String:
		v = Value{Type: Object, Fields: []Field{{"title", v}}}
	default:
		v = Value{Type: Object, Fields: []Field{{"value", v}}}
	}
	return &Record{Value: v, used: make([]bool, len(v.Fields))}
}

// Made returns a record of name and value pairs. See ValueOf.
func Made(pairs ...any) *Record {
	v := Value{Type: Object}
	for i := 0; i < len(pairs); i += 2 {
		v.Fields = append(v.Fields, Field{pairs[i].(string), ValueOf(pairs[i+1])})
	}
	return NewRecord(v)
}

// find returns the index of the first field with one of the names that is not null, or -1.
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

// Has reports whether a field with one of the names exists and is not null.
func (r *Record) Has(names ...string) bool { return r.find(names) >= 0 }

// Peek returns a field without marking it as used.
func (r *Record) Peek(names ...string) (Value, bool) {
	if i := r.find(names); i >= 0 {
		return r.Value.Fields[i].Value, true
	}
	return Value{}, false
}

// Take returns a field and marks it as used.
func (r *Record) Take(names ...string) (Value, bool) {
	i := r.find(names)
	if i < 0 {
		return Value{}, false
	}
	r.used[i] = true
	return r.Value.Fields[i].Value, true
}

// Drop marks fields as used, because their content is redundant.
func (r *Record) Drop(names ...string) {
	for _, name := range names {
		r.Take(name)
	}
}

// Text takes a text field: a string or a number. For an object it returns the object's name
// or ID, and does not mark the field as used.
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

// called returns the text of a value, or the name of an object. whole reports whether the
// value contains no other data.
func called(v Value) (text string, whole bool) {
	switch v.Type {
	case Null, String, Number, Bool:
		return v.Text, true
	case Object:
		text, _ = FirstText(v, "name", "id", "key", "title")
	}
	return text, false
}

// FirstText returns the first text field of an object with one of the names.
func FirstText(v Value, names ...string) (string, bool) {
	for _, name := range names {
		if inner, ok := v.Lookup(name); ok && (inner.Type == String || inner.Type == Number) && strings.TrimSpace(inner.Text) != "" {
			return strings.TrimSpace(inner.Text), true
		}
	}
	return "", false
}

// Texts takes a field with several texts: a list, or one text with lines or commas. A list
// with other items is not marked as used.
func (r *Record) Texts(names ...string) []string {
	v, _ := r.Peek(names...)
	if v.Type == Number || v.Type == String {
		r.Take(names...)
		return splitList(v.Text)
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

// splitList splits a text at line ends or, without line ends, at commas.
func splitList(text string) []string {
	separator := ","
	if strings.Contains(strings.TrimSpace(text), "\n") {
		separator = "\n"
	}
	return trimmed(strings.Split(text, separator)...)
}

// trimmed trims texts and removes empty ones.
func trimmed(texts ...string) []string {
	for i, text := range texts {
		texts[i] = strings.TrimSpace(text)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// Records takes a field with several records: a list, an object with IDs as field names, or
// one record.
func (r *Record) Records(names ...string) []*Record {
	v, _ := r.Take(names...)
	return Records(v)
}

// Records splits a value into records. See Record.Records.
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

// isOne reports whether an object is one record, as opposed to a map of
// records: a record has an ID, or a field that is neither an object nor a list.
func isOne(v Value) bool {
	if _, ok := v.Lookup("id"); ok {
		return true
	}
	return slices.ContainsFunc(v.Fields, func(f Field) bool {
		return f.Value.Type != Object && f.Value.Type != List && f.Value.Type != Null
	})
}

// keyed returns a record with its field name as ID.
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

// Inner takes an object field and returns it as a record. It returns nil if the field is
// not an object, and does not mark other fields as used.
func (r *Record) Inner(name string) *Record {
	v, ok := r.Peek(name)
	if !ok || v.Type != Object {
		return nil
	}
	r.Take(name)
	return NewRecord(v)
}

// Time takes a field with a time in any format of ParseTime. It returns the
// zero time if no field has a time.
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

// Rest returns the unused fields that are not empty.
func (r *Record) Rest() []Field {
	if r == nil {
		return nil
	}
	var rest []Field
	for i, f := range r.Value.Fields {
		if !r.used[i] && !f.Value.Nothing() {
			rest = append(rest, f)
		}
	}
	return rest
}

// refNames lists the field names of a reference in an object.
const refNames = "id taskId dependsOnId dependsOn target to ref issueId key uuid name title"

// Refs takes all fields with these names and returns the IDs in them, without duplicates. A
// field may be a list of IDs, a list of objects with an ID, an object with IDs as field
// names, or a text with IDs. A field with additional data is not marked as used.
func (r *Record) Refs(names ...string) []string {
	var all []string
	for i, f := range r.Value.Fields {
		if f.Value.Type == Null || !slices.ContainsFunc(names, func(name string) bool { return Fold(name) == Fold(f.Name) }) {
			continue
		}
		ids, plain := refsIn(f.Value)
		r.used[i] = plain
		all = append(all, ids...)
	}
	return resources.Distinct(all...)
}

// refsIn returns the IDs in a value. plain reports whether the value contains no other
// data.
func refsIn(v Value) (ids []string, plain bool) {
	switch v.Type {
	case String, Number:
		return unlinked(splitList(v.Text)), true
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

// unlinked removes the brackets of links such as [[task-1]], and empty IDs.
func unlinked(ids []string) []string {
	for i, id := range ids {
		ids[i] = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(id), "[["), "]]")
	}
	return trimmed(ids...)
}

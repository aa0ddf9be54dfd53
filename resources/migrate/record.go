package migrate

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Record is an object of a source with a memory of which of its fields were understood.
// Names of fields match whatever their case and with or without separators: createdAt is created_at.
type Record struct {
	At    string // where it stood, "epics[0].tasks[2]"
	Value Value
	taken []bool
}

// NewRecord begins to read a value. One that is no object is read as an object with
// one field: a string is its "title", anything else its "value".
func NewRecord(at string, v Value) *Record {
	switch v.Type {
	case Object:
	case String:
		v = Value{Type: Object, Fields: []Field{{"title", v}}}
	default:
		v = Value{Type: Object, Fields: []Field{{"value", v}}}
	}
	return &Record{At: at, Value: v, taken: make([]bool, len(v.Fields))}
}

// find returns the first field of one of these names that is not null; -1 if there is none.
func (r *Record) find(names []string) int {
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

func (r *Record) takeAll() {
	for i := range r.taken {
		r.taken[i] = true
	}
}

// Keep undoes Take: the field is left for the annotations as well.
func (r *Record) Keep(names ...string) {
	if i := r.find(names); i >= 0 {
		r.taken[i] = false
	}
}

// Text takes a field that holds text: a string or a number. Of an object it returns what
// it is called, and leaves it.
func (r *Record) Text(names ...string) string {
	for _, name := range names {
		v, ok := r.Peek(name)
		if !ok {
			continue
		}
		switch v.Type {
		case String, Number, Bool:
			if strings.TrimSpace(v.Text) == "" {
				continue
			}
			r.Take(name)
			return v.Text
		case Object:
			if inner, ok := calledIn(v); ok {
				return inner
			}
		case List:
			if len(v.Items) == 1 && v.Items[0].Type == String {
				r.Take(name)
				return v.Items[0].Text
			}
		}
	}
	return ""
}

// calledIn returns what an object that stands where a name was expected is called.
func calledIn(v Value) (string, bool) { return FirstText(v, "name", "id", "key", "title") }

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
// line each, or with commas between. Items that are no text are left, with the whole list.
func (r *Record) Texts(names ...string) []string {
	i := r.find(names)
	if i < 0 {
		return nil
	}
	v := r.Value.Fields[i].Value
	r.taken[i] = true
	switch v.Type {
	case String:
		return split(v.Text)
	case Number:
		return []string{v.Text}
	}
	var list []string
	for _, item := range v.Items {
		switch {
		case item.Type == Number || item.Type == String:
			list = append(list, item.Text)
		case item.Type == Object:
			r.taken[i] = false
			if name, ok := calledIn(item); ok {
				list = append(list, name)
			}
		case item.Type != Null:
			r.taken[i] = false
		}
	}
	if v.Type == Object || v.Type == Bool {
		r.taken[i] = false
	}
	return slices.DeleteFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" })
}

func split(text string) []string {
	var list []string
	separator := ","
	if strings.Contains(strings.TrimSpace(text), "\n") {
		separator = "\n"
	}
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Records takes a field that holds several records: a list, or an object whose names are
// their ids, or one record alone. Each is told where it stood.
func (r *Record) Records(names ...string) []*Record {
	i := r.find(names)
	if i < 0 {
		return nil
	}
	f := r.Value.Fields[i]
	at := f.Name
	if r.At != "" {
		at = r.At + "." + f.Name
	}
	r.taken[i] = true
	return Records(at, f.Value)
}

// Records splits a value into records, see Record.Records.
func Records(at string, v Value) []*Record {
	var list []*Record
	switch v.Type {
	case List:
		for i, item := range v.Items {
			if item.Type != Null {
				list = append(list, NewRecord(fmt.Sprintf("%s[%d]", at, i), item))
			}
		}
	case Object:
		if isOne(v) {
			return []*Record{NewRecord(at, v)}
		}
		for _, f := range v.Fields {
			if f.Value.Type != Null {
				list = append(list, keyed(at+"."+f.Name, f))
			}
		}
	case Null:
	default:
		list = append(list, NewRecord(at, v))
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
func keyed(at string, f Field) *Record {
	r := NewRecord(at, f.Value)
	if !r.Has("id") {
		r.Value.Fields = append([]Field{{"id", Text(f.Name)}}, r.Value.Fields...)
		r.taken = make([]bool, len(r.Value.Fields))
	}
	return r
}

// Inner takes a field that is an object, to be read as a record of its own. What is left of it has to be
// looked after by whoever takes it. nil if there is none; a field of another type stays.
func (r *Record) Inner(name string) *Record {
	i := r.find([]string{name})
	if i < 0 || r.Value.Fields[i].Value.Type != Object {
		return nil
	}
	r.taken[i] = true
	return NewRecord(strings.TrimPrefix(r.At+"."+r.Value.Fields[i].Name, "."), r.Value.Fields[i].Value)
}

// Time takes a field that holds an instant, in any form that ParseTime knows. One that
// says more than a second is left as well, so that an export can give it back.
func (r *Record) Time(names ...string) time.Time {
	for _, name := range names {
		v, ok := r.Peek(name)
		if !ok {
			continue
		}
		t, exact, ok := ParseTime(v)
		if !ok {
			continue
		}
		if r.Take(name); !exact {
			r.Keep(name)
		}
		return t
	}
	return time.Time{}
}

// Rest returns the fields that nobody took and that say something.
func (r *Record) Rest() []Field {
	var rest []Field
	for i, f := range r.Value.Fields {
		if !r.taken[i] && !f.Value.Nothing() {
			rest = append(rest, f)
		}
	}
	return rest
}

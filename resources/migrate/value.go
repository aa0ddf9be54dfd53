package migrate

import (
	"encoding/json"
	"strings"
)

// Type is the JSON type of a Value.
type Type int

// Types of values.
const (
	Null Type = iota
	Bool
	Number
	String
	List
	Object
)

// String returns the JSON name of the type.
func (t Type) String() string {
	return [...]string{"null", "bool", "number", "string", "array", "object"}[t]
}

// Value is a JSON value that preserves the order of fields, duplicate fields, and the
// notation of numbers.
type Value struct {
	Type   Type
	Text   string  // for String: decoded; for Number and Bool: as written
	Items  []Value // for List
	Fields []Field // for Object
}

// Field is one field of an object.
type Field struct {
	Name  string
	Value Value
}

// Text returns a string value.
func Text(text string) Value { return Value{Type: String, Text: text} }

// ValueOf converts a string or a list of strings to a Value. It returns a Value unchanged.
func ValueOf(what any) Value {
	switch what := what.(type) {
	case Value:
		return what
	case []string:
		v := Value{Type: List}
		for _, text := range what {
			v.Items = append(v.Items, Text(text))
		}
		return v
	}
	text, _ := what.(string)
	return Text(text)
}

// Nothing reports whether a value is equivalent to a missing field: null, "", [] or {}.
func (v Value) Nothing() bool {
	switch v.Type {
	case Null:
		return true
	case String:
		return v.Text == ""
	case List:
		return len(v.Items) == 0
	case Object:
		return len(v.Fields) == 0
	}
	return false
}

// JSON returns the value as compact JSON.
func (v Value) JSON() []byte { return v.append(nil) }

// append appends the value as JSON.
func (v Value) append(b []byte) []byte {
	switch v.Type {
	case Bool, Number:
		return append(b, v.Text...)
	case String:
		return append(b, quoted(v.Text)...)
	case List:
		return joined(b, '[', v.Items, Value.append, ']')
	case Object:
		return joined(b, '{', v.Fields, func(f Field, b []byte) []byte {
			return f.Value.append(append(append(b, quoted(f.Name)...), ':'))
		}, '}')
	}
	return append(b, "null"...)
}

// joined writes items between two brackets.
func joined[T any](b []byte, open byte, items []T, write func(T, []byte) []byte, closing byte) []byte {
	b = append(b, open)
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = write(item, b)
	}
	return append(b, closing)
}

// quoted returns a text as a JSON string.
func quoted(text string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil { // strings always encode
		return []byte(`""`)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// Plain returns the text of a string, and compact JSON for other values.
func (v Value) Plain() string {
	switch v.Type {
	case String, Number, Bool:
		return v.Text
	case Null:
		return ""
	}
	return string(v.JSON())
}

// Lookup returns the value at a path of field names, which match as in Record. It returns false
// if the value does not exist or is null.
func (v Value) Lookup(names ...string) (Value, bool) {
	for _, name := range names {
		i := v.index(name)
		if i < 0 {
			return Value{}, false
		}
		v = v.Fields[i].Value
	}
	return v, v.Type != Null
}

// index returns the index of a field by its folded name, or -1. It ignores null fields.
func (v Value) index(name string) int {
	wanted := Fold(name)
	for i, f := range v.Fields {
		if f.Value.Type != Null && Fold(f.Name) == wanted {
			return i
		}
	}
	return -1
}

// Fold normalizes a field name: createdAt, created_at and CreatedAt have the same result.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.':
			return -1
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, name)
}

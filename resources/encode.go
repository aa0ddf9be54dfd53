package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Encode returns the content of an object's file. The text has an indentation of two
// spaces, the field order of the field table and a final newline. It does not escape <, >
// and &. It contains unknown fields unchanged, and no status. Encoding the same object
// always returns the same bytes.
func Encode(object Object) ([]byte, error) {
	text, err := encode(struct {
		*Header
		Spec any `json:"spec"`
	}{object.Head(), object.SpecPointer()}, object.Key())
	if err != nil {
		return nil, err
	}
	return withUnknown(text, object), nil
}

// EncodeStatus returns the content of a status file in the format of Encode. status is a
// status such as TaskStatus, or a pointer to one.
func EncodeStatus(status any) ([]byte, error) { return new(StatusEncoder).Encode(status) }

// StatusEncoder is a reusable EncodeStatus for many statuses: it writes each status into
// the same buffer. The zero value is ready for use. It is not safe for concurrent use.
type StatusEncoder struct {
	text bytes.Buffer
	json *json.Encoder
}

// Encode returns the result of EncodeStatus. The result is valid until the next call.
func (e *StatusEncoder) Encode(status any) ([]byte, error) {
	if e.json == nil {
		e.json = encoder(&e.text, "  ")
	}
	e.text.Reset()
	if err := e.json.Encode(status); err != nil {
		return nil, fmt.Errorf("encode a status: %w", err)
	}
	return e.text.Bytes(), nil
}

// encode encodes a value as indented JSON. key is for the error.
func encode(v any, key Key) ([]byte, error) {
	text, err := marshal(v, "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", key, err)
	}
	return text, nil
}

// marshal is json.Marshal with a final newline and without escapes for <, > and &.
func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	err := encoder(&b, indent).Encode(v)
	return b.Bytes(), err
}

// encoder returns a JSON encoder that does not escape HTML.
func encoder(to *bytes.Buffer, indent string) *json.Encoder {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e
}

// Clone returns a deep copy of the object, which the caller may modify.
func Clone(object Object) Object {
	copied := deepCopy(reflect.ValueOf(object))
	return copied.Interface().(Object)
}

// deepCopy copies pointers, slices, maps and structs recursively. It does not copy
// unexported fields, so copies share the row of the table of kinds.
func deepCopy(v reflect.Value) reflect.Value {
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	switch kind := v.Kind(); {
	case kind == reflect.Struct:
		for i := range v.NumField() {
			if field := copied.Field(i); field.CanSet() {
				field.Set(deepCopy(v.Field(i)))
			}
		}
	case kind != reflect.Pointer && kind != reflect.Slice && kind != reflect.Map, v.IsNil():
	case kind == reflect.Pointer:
		copied.Set(reflect.New(v.Type().Elem()))
		copied.Elem().Set(deepCopy(v.Elem()))
	case kind == reflect.Slice:
		copied.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			copied.Index(i).Set(deepCopy(v.Index(i)))
		}
	default:
		copied.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			copied.SetMapIndex(it.Key(), deepCopy(it.Value()))
		}
	}
	return copied
}

package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Encode writes an object as its file holds it: two spaces of indentation, fields
// in the order of the table, < > & as they are, a final newline, no status; fields that
// this build does not know as they stood. The same object gives the same bytes.
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

// EncodeStatus writes a status (a TaskStatus, or a pointer to one) as its file
// holds it, in the form of Encode.
func EncodeStatus(status any) ([]byte, error) { return new(StatusEncoder).Encode(status) }

// StatusEncoder is EncodeStatus for many statuses, most of which turn out to be as they were: it
// writes each into the same memory. The zero one is ready for use, by one goroutine at a time.
type StatusEncoder struct {
	text bytes.Buffer
	json *json.Encoder
}

// Encode returns what EncodeStatus does, until it is called again.
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

func encode(v any, key Key) ([]byte, error) {
	text, err := marshal(v, "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", key, err)
	}
	return text, nil
}

// marshal is json.Marshal that leaves < > and & as they are, with a newline at the end.
func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	err := encoder(&b, indent).Encode(v)
	return b.Bytes(), err
}

func encoder(to *bytes.Buffer, indent string) *json.Encoder {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e
}

// Clone returns a copy that shares nothing with the object, to be changed freely.
func Clone(object Object) Object {
	copied := deepCopy(reflect.ValueOf(object))
	return copied.Interface().(Object)
}

// deepCopy copies pointers, slices, maps and structs of them; the row of the table
// of kinds, which is unexported and shared, stays shared.
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

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
func EncodeStatus(status any) ([]byte, error) { return encode(status, Key{}) }

func encode(v any, key Key) ([]byte, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", key, err)
	}
	return layOut(text), nil
}

// marshal is json.Marshal that leaves < > and & as they are, with a newline at the end.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Clone returns a copy that shares nothing with the object, to be changed freely.
func Clone(object Object) Object {
	copied := deepCopy(reflect.ValueOf(object))
	return copied.Interface().(Object)
}

// deepCopy copies pointers, slices, maps and structs of them; the row of the table
// of kinds, which is unexported and shared, stays shared.
func deepCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(deepCopy(v.Elem()))
		return p
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(deepCopy(v.Index(i)))
		}
		return s
	case reflect.Map:
		return copyMap(v)
	case reflect.Struct:
		return copyStruct(v)
	}
	return v
}

func copyMap(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	m := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		m.SetMapIndex(it.Key(), deepCopy(it.Value()))
	}
	return m
}

func copyStruct(v reflect.Value) reflect.Value {
	s := reflect.New(v.Type()).Elem()
	s.Set(v)
	for i := range v.NumField() {
		if s.Field(i).CanSet() {
			s.Field(i).Set(deepCopy(v.Field(i)))
		}
	}
	return s
}

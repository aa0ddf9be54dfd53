package jsonpath

import (
	"encoding/json"
	"reflect"
	"strings"
)

// fieldCache knows the JSON fields of struct types.
type fieldCache map[reflect.Type][]structField

type structField struct {
	name     string
	index    []int
	optional bool // left out of JSON when zero
}

// in returns the field's value, invalid if JSON would leave it out.
func (f structField) in(v reflect.Value) reflect.Value {
	found, err := v.FieldByIndexErr(f.index)
	if err != nil || f.optional && isZero(found) {
		return reflect.Value{}
	}
	return found
}

func isZero(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// get returns the value under a name in a struct or a map, invalid if there is none.
func (c fieldCache) get(v reflect.Value, name string) reflect.Value {
	switch v.Kind() {
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		}
	case reflect.Struct:
		for _, f := range c.of(v.Type()) {
			if f.name == name {
				return f.in(v)
			}
		}
	}
	return reflect.Value{}
}

func (c fieldCache) of(t reflect.Type) []structField {
	fields, known := c[t]
	if !known {
		if !t.Implements(reflect.TypeFor[json.Marshaler]()) { // a time is no object
			for _, f := range reflect.VisibleFields(t) {
				fields = appendField(fields, f)
			}
		}
		c[t] = fields
	}
	return fields
}

func appendField(fields []structField, f reflect.StructField) []structField {
	tag := f.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if !f.IsExported() || tag == "-" || f.Anonymous && name == "" {
		return fields
	}
	if name == "" {
		name = f.Name
	}
	optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
	return append(fields, structField{name, f.Index, optional})
}

// indirect follows pointers and interfaces; invalid at the end of a nil one.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

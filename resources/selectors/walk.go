package selectors

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// path is a sequence of steps. It starts at the root if it begins with $, and at the
// current value (@) otherwise.
type path struct {
	absolute bool
	steps    []step
}

// step appends the matches in v to out. v is neither a pointer nor an interface.
type step func(s scope, v reflect.Value, out []reflect.Value) []reflect.Value

// scope is the state that all steps of a template share.
type scope struct {
	fieldCache
	root reflect.Value // $
}

// follow returns the values that a path leads to, from a value or, for an
// absolute path, from the root. It omits nil values.
func (s scope) follow(p *path, from reflect.Value) []reflect.Value {
	if p.absolute {
		from = s.root
	}
	values := []reflect.Value{from}
	for _, take := range p.steps {
		var next []reflect.Value
		for _, v := range values {
			if v = indirect(v); v.IsValid() {
				next = take(s, v, next)
			}
		}
		values = next
	}
	return slices.DeleteFunc(values, func(v reflect.Value) bool { return !indirect(v).IsValid() })
}

// fields returns the step of .name, ['name'] and ['a','b'].
func fields(names ...string) step {
	return func(s scope, v reflect.Value, out []reflect.Value) []reflect.Value {
		for _, name := range names {
			if found := s.get(v, name); found.IsValid() {
				out = append(out, found)
			}
		}
		return out
	}
}

// all is the step of [*] and .*: it returns all items or fields.
func all(s scope, v reflect.Value, out []reflect.Value) []reflect.Value {
	return append(out, s.children(v)...)
}

// deep implements "..": the value and all nested values.
func deep(s scope, v reflect.Value, out []reflect.Value) []reflect.Value {
	out = append(out, v)
	for _, child := range s.children(v) {
		if child = indirect(child); child.IsValid() {
			out = deep(s, child, out)
		}
	}
	return out
}

// items returns the step of [0,2]. A negative number counts from the end.
func items(places []int) step {
	return func(_ scope, v reflect.Value, out []reflect.Value) []reflect.Value {
		for _, i := range places {
			if i < 0 {
				i += length(v)
			}
			if i >= 0 && i < length(v) {
				out = append(out, v.Index(i))
			}
		}
		return out
	}
}

// slice returns the step of [1:3], with optional limits.
func slice(low, high *int) step {
	return func(_ scope, v reflect.Value, out []reflect.Value) []reflect.Value {
		for i := sliceBound(low, 0, length(v)); i < sliceBound(high, length(v), length(v)); i++ {
			out = append(out, v.Index(i))
		}
		return out
	}
}

// length returns the length of a list, or 0 for other values.
func length(v reflect.Value) int {
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
		return v.Len()
	}
	return 0
}

// sliceBound converts a slice limit to an index between 0 and length. A negative limit counts
// from the end.
func sliceBound(n *int, byDefault, length int) int {
	if n == nil {
		return byDefault
	}
	i := *n
	if i < 0 {
		i += length
	}
	return min(max(i, 0), length)
}

// operand is one side of a filter. It returns its text for an item, and whether there is a
// value.
type operand func(s scope, item reflect.Value) (text string, ok bool)

// first implements operand with the first value of a path.
func (p *path) first(s scope, item reflect.Value) (string, bool) {
	found := s.follow(p, item)
	if len(found) == 0 {
		return "", false
	}
	t, err := text(found[0])
	return t, err == nil
}

// operators lists the filter operators. No operator is a prefix of a later one.
var operators = [...]struct {
	sign  string
	holds func(order int) bool
}{
	{"==", func(order int) bool { return order == 0 }},
	{"!=", func(order int) bool { return order != 0 }},
	{"<=", func(order int) bool { return order <= 0 }},
	{">=", func(order int) bool { return order >= 0 }},
	{"<", func(order int) bool { return order < 0 }},
	{">", func(order int) bool { return order > 0 }},
}

// comparison compares numerically if both sides are numbers, and as strings
// otherwise. The result is false if a side has no value.
func comparison(left, right operand, holds func(order int) bool) func(s scope, item reflect.Value) bool {
	return func(s scope, item reflect.Value) bool {
		a, okA := left(s, item)
		b, okB := right(s, item)
		x, errX := strconv.ParseFloat(a, 64)
		if y, errY := strconv.ParseFloat(b, 64); errX == nil && errY == nil {
			return okA && okB && holds(cmp.Compare(x, y))
		}
		return okA && okB && holds(cmp.Compare(a, b))
	}
}

// text formats a value: strings unchanged, all other values as JSON.
func text(v reflect.Value) (string, error) {
	v = indirect(v)
	switch {
	case !v.IsValid():
		return "", nil
	case v.Kind() == reflect.String:
		return v.String(), nil
	}
	data, err := json.Marshal(v.Interface())
	if err != nil {
		return "", err
	}
	if s, err := strconv.Unquote(string(data)); err == nil { // a time
		return s, nil
	}
	return string(data), nil
}

// fieldCache caches the JSON fields of struct types.
type fieldCache map[reflect.Type][]structField

// structField is a field of a struct with its JSON name.
type structField struct {
	name     string
	index    []int
	optional bool // omitted from JSON if zero
}

// valueIn returns the field's value, or an invalid Value if JSON omits it.
func (f structField) valueIn(v reflect.Value) reflect.Value {
	found, err := v.FieldByIndexErr(f.index)
	if err != nil || f.optional && isZero(found) {
		return reflect.Value{}
	}
	return found
}

// isZero reports whether a value is omitted from JSON with omitempty.
func isZero(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// get returns the value with a name in a struct or a map, or an invalid Value.
func (c fieldCache) get(v reflect.Value, name string) reflect.Value {
	switch v.Kind() {
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		}
	case reflect.Struct:
		list := c.fieldsOf(v.Type())
		if i := slices.IndexFunc(list, func(f structField) bool { return f.name == name }); i >= 0 {
			return list[i].valueIn(v)
		}
	}
	return reflect.Value{}
}

// children returns the items of a list, or the values of an object in the order of struct
// fields or sorted map keys.
func (c fieldCache) children(v reflect.Value) []reflect.Value {
	var out []reflect.Value
	switch v = indirect(v); v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			out = append(out, v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			out = append(out, v.MapIndex(k))
		}
	case reflect.Struct:
		for _, f := range c.fieldsOf(v.Type()) {
			if found := f.valueIn(v); found.IsValid() {
				out = append(out, found)
			}
		}
	}
	return out
}

// fieldsOf returns the JSON fields of a struct type, cached. It returns nil for a type with its own
// JSON form.
func (c fieldCache) fieldsOf(t reflect.Type) []structField {
	list, known := c[t]
	if known || t.Implements(reflect.TypeFor[json.Marshaler]()) { // a time is not an object
		return list
	}
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if !f.IsExported() || tag == "-" || f.Anonymous && name == "" {
			continue
		}
		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		list = append(list, structField{cmp.Or(name, f.Name), f.Index, optional})
	}
	c[t] = list
	return list
}

// indirect follows pointers and interfaces. It returns an invalid Value for nil.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

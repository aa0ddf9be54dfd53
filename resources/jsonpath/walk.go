package jsonpath

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// walk follows steps from current, which is also where @ stands; $ is root.
func (t *Template) walk(steps []step, rootValue, from reflect.Value) []reflect.Value {
	values := []reflect.Value{from}
	for _, s := range steps {
		if s.kind == root {
			values = []reflect.Value{rootValue}
			continue
		}
		var next []reflect.Value
		for _, v := range values {
			if v = indirect(v); v.IsValid() {
				next = t.take(next, s, rootValue, v)
			}
		}
		values = next
	}
	return slices.DeleteFunc(values, func(v reflect.Value) bool { return !indirect(v).IsValid() })
}

// take appends what one step finds in one value.
func (t *Template) take(out []reflect.Value, s step, rootValue, v reflect.Value) []reflect.Value {
	switch s.kind {
	case current:
		return append(out, v)
	case field:
		for _, name := range s.names {
			if found := t.fields.get(v, name); found.IsValid() {
				out = append(out, found)
			}
		}
	case all:
		return append(out, t.children(v)...)
	case deep:
		return t.descend(append(out, v), v)
	case where:
		for _, item := range t.children(v) {
			if t.holds(s.filter, rootValue, item) {
				out = append(out, item)
			}
		}
	case index, slice:
		return takeItems(out, s, v)
	}
	return out
}

func takeItems(out []reflect.Value, s step, v reflect.Value) []reflect.Value {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return out
	}
	if s.kind == slice {
		for i := bound(s.low, 0, v.Len()); i < bound(s.high, v.Len(), v.Len()); i++ {
			out = append(out, v.Index(i))
		}
		return out
	}
	for _, i := range s.index {
		if i < 0 {
			i += v.Len()
		}
		if i >= 0 && i < v.Len() {
			out = append(out, v.Index(i))
		}
	}
	return out
}

// bound is a limit of a slice: counted from the end if negative, and within 0 and length.
func bound(n *int, byDefault, length int) int {
	if n == nil {
		return byDefault
	}
	i := *n
	if i < 0 {
		i += length
	}
	return min(max(i, 0), length)
}

func (t *Template) descend(out []reflect.Value, v reflect.Value) []reflect.Value {
	for _, child := range t.children(v) {
		if child = indirect(child); child.IsValid() {
			out = t.descend(append(out, child), child)
		}
	}
	return out
}

// children are the items of a list, and the values of an object in the order of
// its type or, for a map, of its keys.
func (t *Template) children(v reflect.Value) []reflect.Value {
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
		for _, f := range t.fields.of(v.Type()) {
			if found := f.in(v); found.IsValid() {
				out = append(out, found)
			}
		}
	}
	return out
}

// holds reports whether a filter lets an item through.
func (t *Template) holds(f *filter, rootValue, item reflect.Value) bool {
	left, ok := t.operand(f.left, rootValue, item)
	if !ok || f.op == "" {
		return ok
	}
	right, ok := t.operand(f.right, rootValue, item)
	return ok && compare(left, right, f.op)
}

func (t *Template) operand(o operand, rootValue, item reflect.Value) (string, bool) {
	if o.path == nil {
		return o.text, true
	}
	found := t.walk(o.path, rootValue, item)
	if len(found) == 0 {
		return "", false
	}
	s, err := text(found[0])
	return s, err == nil
}

// compare compares as numbers where both are, else as strings.
func compare(a, b, op string) bool {
	c := strings.Compare(a, b)
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		c = 0
		if x < y {
			c = -1
		} else if x > y {
			c = 1
		}
	}
	switch op {
	case "==":
		return c == 0
	case "!=":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// text is how a value prints: a string as it is, all else as JSON.
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

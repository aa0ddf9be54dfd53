package controller

import (
	"reflect"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// references finds what objects refer to, by the ref= rules in the field tags of
// their kinds and in relatedTo. It remembers where in a type references stand.
type references struct{ paths map[reflect.Type][]refPath }

// refPath leads to one field that holds a name, or a list of names.
type refPath struct {
	fields []int // per struct; slices and pointers on the way are walked
	kind   string
}

// of returns the keys that the object's spec refers to, in no particular order,
// possibly more than once.
func (r *references) of(o resources.Object) []resources.Key {
	spec := reflect.ValueOf(o.SpecPointer()).Elem()
	paths, ok := r.paths[spec.Type()]
	if !ok {
		if r.paths == nil {
			r.paths = map[reflect.Type][]refPath{}
		}
		paths = refPaths(spec.Type(), nil)
		r.paths[spec.Type()] = paths
	}
	var keys []resources.Key
	for _, p := range paths {
		keys = collect(keys, spec, p.fields, p.kind)
	}
	return append(keys, resources.RelatedKeys(o)...)
}

func refPaths(t reflect.Type, above []int) []refPath {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var paths []refPath
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		here := append(append([]int(nil), above...), i)
		if kind := refKind(f.Tag.Get("idumb")); kind != "" {
			paths = append(paths, refPath{here, kind})
			continue
		}
		paths = append(paths, refPaths(f.Type, here)...)
	}
	return paths
}

func refKind(rules string) string {
	for rule := range strings.SplitSeq(rules, ",") {
		if kind, ok := strings.CutPrefix(rule, "ref="); ok {
			return kind
		}
	}
	return ""
}

func collect(keys []resources.Key, v reflect.Value, fields []int, kind string) []resources.Key {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return keys
		}
		return collect(keys, v.Elem(), fields, kind)
	case reflect.Slice:
		for i := range v.Len() {
			keys = collect(keys, v.Index(i), fields, kind)
		}
		return keys
	case reflect.String:
		if v.String() == "" {
			return keys
		}
		return append(keys, resources.Key{Kind: kind, Name: v.String()})
	}
	if len(fields) == 0 {
		return keys
	}
	return collect(keys, v.Field(fields[0]), fields[1:], kind)
}

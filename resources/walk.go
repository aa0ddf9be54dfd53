package resources

import "reflect"

// walker visits the fields of an object's spec along the field table.
type walker struct {
	path  []step // current path
	visit func(f *Field, value reflect.Value)
}

// EachField calls visit for each field of an object's spec and of nested objects, in table
// order. For a pointer field, value is the element; it is the zero Value if the pointer is
// nil.
func EachField(o Object, visit func(f *Field, value reflect.Value)) {
	w := walker{visit: visit}
	w.spec(o)
}

// spec visits all fields of an object's spec.
func (w *walker) spec(o Object) {
	if kind, ok := KindOf(o.Key().Kind); ok {
		spec, _ := kind.rules().Field("spec")
		w.path = append(make([]step, 0, 8), step{"spec", -1})
		w.object(spec, reflect.ValueOf(o.SpecPointer()).Elem())
	}
}

// object visits all fields of a struct value, with nested ones after their parent.
func (w *walker) object(f *Field, value reflect.Value) {
	for _, child := range f.Fields {
		v := reflect.Indirect(value.FieldByIndex(child.index))
		w.path = append(w.path, step{child.Name, -1})
		w.visit(child, v)
		switch {
		case child.Shape != ObjectShape || !v.IsValid():
		case !child.Repeated:
			w.object(child, v)
		default:
			w.each(v, func(item reflect.Value) { w.object(child, item) })
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// each calls do for each item of a list.
func (w *walker) each(list reflect.Value, do func(item reflect.Value)) {
	for i := range list.Len() {
		w.path = append(w.path, step{"", i})
		do(list.Index(i))
		w.path = w.path[:len(w.path)-1]
	}
}

package resources

import "reflect"

// walker goes through an object's spec along the table of fields.
type walker struct {
	path  []step // where it is
	visit func(f *Field, value reflect.Value)
}

// EachField calls visit for each field of an object's spec and of the objects in it, in the
// order of the table. value is what a pointer points to, and not valid for a nil one.
func EachField(o Object, visit func(f *Field, value reflect.Value)) {
	w := walker{visit: visit}
	w.spec(o)
}

func (w *walker) spec(o Object) {
	if kind, ok := KindOf(o.Key().Kind); ok {
		spec, _ := kind.rules().Field("spec")
		w.path = append(make([]step, 0, 8), step{"spec", -1})
		w.object(spec, reflect.ValueOf(o.SpecPointer()).Elem())
	}
}

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

// each calls do for the items of a list.
func (w *walker) each(list reflect.Value, do func(item reflect.Value)) {
	for i := range list.Len() {
		w.path = append(w.path, step{"", i})
		do(list.Index(i))
		w.path = w.path[:len(w.path)-1]
	}
}

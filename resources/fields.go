package resources

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Field is one row of the table of fields: what decoding, validation, explain,
// completion and the schemas know about a field, read from its struct tags.
type Field struct {
	Name     string   // as in JSON
	Type     string   // as explain prints it: "string", "[]string", "TemporalGate", "map[string]string"
	Doc      string   // one sentence or more
	Required bool     // must be present and not empty
	Enum     []string // the values that it may have; nil: any
	Ref      string   // plural of the kind that it names; "" for none
	Min, Max *int     // bounds of a number; Max of a text: of its characters; nil: none
	Default  string   // what holds where a setting is not set; "" for none
	Format   string   // dns1123, duration, glob, path, reference or ""
	Shape    Shape    // how it looks in JSON
	Repeated bool     // a list of that shape
	Set      bool     // of a list: its order says nothing, and two changes of it are merged item by item
	Text     string   // of an object: the field that a text which stands in its place is read as; "" for none
	Fields   []*Field // of an object, in their order in the file

	index []int // of the Go field in its struct, for reflection
}

// Shape is what a value looks like in JSON.
type Shape int

// Shapes of values.
const (
	StringShape Shape = iota
	IntegerShape
	BooleanShape
	TimeShape   // a string, RFC 3339
	ObjectShape // of Fields
	MapShape    // of strings
	CountsShape // a map of integers; in statuses only
)

// Field returns the child of that name.
func (f *Field) Field(name string) (*Field, bool) {
	for _, child := range f.Fields {
		if child.Name == name {
			return child, true
		}
	}
	return nil, false
}

// FieldNames returns the names of all children, in their order.
func (f *Field) FieldNames() []string {
	names := make([]string, len(f.Fields))
	for i, child := range f.Fields {
		names[i] = child.Name
	}
	return names
}

// Fields returns the kind's table of fields: one object with apiVersion, kind,
// metadata, spec and status. It is shared and must not be changed.
func (k *Kind) Fields() *Field {
	k.once.Do(func() {
		k.fields = &Field{Type: k.Name, Doc: k.Doc, Shape: ObjectShape}
		k.fields.addAll(reflect.TypeOf(k.make(k)).Elem(), nil)
		k.spec = &Field{Shape: ObjectShape, Fields: slices.DeleteFunc(slices.Clone(k.fields.Fields), func(f *Field) bool { return f.Name == "status" })}
	})
	return k.fields
}

// rules is the table without status: what a file that people edit may say.
func (k *Kind) rules() *Field {
	k.Fields()
	return k.spec
}

// addAll adds the JSON fields of struct type t; those of embedded structs count as
// its own.
func (f *Field) addAll(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := sf.Index
		if len(prefix) > 0 {
			index = append(prefix[:len(prefix):len(prefix)], i)
		}
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case sf.Anonymous && name == "":
			f.addAll(sf.Type, index)
		case !sf.IsExported() || name == "-" || name == "":
		default:
			f.Fields = append(f.Fields, newField(name, sf, index))
		}
	}
}

func newField(name string, sf reflect.StructField, index []int) *Field {
	f := &Field{Name: name, Doc: sf.Tag.Get("doc"), index: index}
	if strings.Contains(string(sf.Tag), `idumb:"`) {
		f.readRules(sf.Tag.Get("idumb"))
	}
	if f.Default != "" {
		f.Doc += " Default " + strings.ReplaceAll(f.Default, "|", ", ") + "."
	}
	t := sf.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice {
		f.Repeated, t = true, t.Elem()
	}
	f.Shape, f.Type = shapeOf(t)
	if f.Shape == ObjectShape {
		f.addAll(t, nil)
	}
	if f.Repeated {
		f.Type = "[]" + f.Type
	}
	return f
}

func shapeOf(t reflect.Type) (Shape, string) {
	switch {
	case t == reflect.TypeFor[Time]():
		return TimeShape, "Time"
	case t.Kind() == reflect.Struct:
		return ObjectShape, t.Name()
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Int:
		return CountsShape, "map[string]integer"
	case t.Kind() == reflect.Map:
		return MapShape, "map[string]string"
	case t.Kind() == reflect.Bool:
		return BooleanShape, "boolean"
	case t.Kind() == reflect.Int:
		return IntegerShape, "integer"
	}
	return StringShape, "string"
}

// readRules reads an `idumb` tag, as described in the package comment.
func (f *Field) readRules(tag string) {
	for rule := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(rule, "=")
		switch name {
		case "required":
			f.Required = true
		case "set":
			f.Set = true
		case "enum":
			f.Enum = strings.Split(value, "|")
		case "ref":
			f.Ref = value
		case "format":
			f.Format = value
		case "default":
			f.Default = value
		case "text":
			f.Text = value
		case "min":
			f.Min = bound(value)
		case "max":
			f.Max = bound(value)
		}
	}
}

func bound(s string) *int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil
	}
	return &n
}

// LookupField follows a path such as "spec.temporalGate.after" through a kind's
// table; "[0]" and "[*]" may stand behind repeated fields. For a path that leads
// nowhere it returns the deepest field that was reached, and false.
func (k *Kind) LookupField(path string) (*Field, bool) {
	f, missing := k.follow(path)
	return f, missing == ""
}

// Choices are the values that a field of a kind may have; nil: any. The slice is shared and must not be changed.
func Choices(kind, path string) []string {
	k, _ := KindOf(kind)
	field, _ := k.LookupField(path)
	return field.Enum
}

// follow is LookupField with the name that the deepest field does not have.
func (k *Kind) follow(path string) (f *Field, missing string) {
	f = k.Fields()
	if path == "" {
		return f, ""
	}
	for name := range strings.SplitSeq(path, ".") {
		name, _, _ = strings.Cut(name, "[")
		child, ok := f.Field(name)
		if !ok {
			return f, cmp.Or(name, ".")
		}
		f = child
	}
	return f, ""
}

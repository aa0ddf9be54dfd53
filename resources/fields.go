package resources

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Field is one row of a field table. It is read from a struct tag and used by decoding,
// validation, explain, completion and the schemas.
type Field struct {
	Name     string   // name in JSON
	Type     string   // type as printed by explain: "string", "[]string", "TemporalGate", "map[string]string"
	Doc      string   // description, one sentence or more
	Required bool     // must be present and not empty
	Enum     []string // allowed values; nil means any
	Ref      string   // plural of the referenced kind; empty if the field is not a reference
	Min, Max *int     // bounds of a number; Max of a text limits its characters; nil means no limit
	Default  string   // value of an unset setting; empty if it has no default
	Format   string   // dns1123, duration, glob, path, reference, section, version or ""
	Shape    Shape    // JSON type of the value, or of an element
	Repeated bool     // the value is a list of Shape
	Set      bool     // for lists: the order is irrelevant, and two changes are merged item by item
	Flag     string   // flag of the command line that sets the field; empty if none does
	Each     bool     // the flag takes one item of the list at a time; else a,b
	Text     string   // for objects: the field that a string in place of the object is decoded as; empty if not allowed
	Fields   []*Field // for objects: fields in file order

	index []int // index of the Go field in its struct, for reflection
}

// Shape is the JSON type of a value.
type Shape int

// Shapes of values.
const (
	StringShape Shape = iota
	IntegerShape
	BooleanShape
	TimeShape   // a string, RFC 3339
	ObjectShape // with Fields
	MapShape    // with string values
	CountsShape // a map with integer values; in statuses only
)

// Field returns the child with a name.
func (f *Field) Field(name string) (*Field, bool) {
	for _, child := range f.Fields {
		if child.Name == name {
			return child, true
		}
	}
	return nil, false
}

// FieldNames returns the names of all children in table order.
func (f *Field) FieldNames() []string {
	names := make([]string, len(f.Fields))
	for i, child := range f.Fields {
		names[i] = child.Name
	}
	return names
}

// Fields returns the field table of the kind: one object with apiVersion, kind, metadata,
// spec and status. The result is shared and must not be modified.
func (k *Kind) Fields() *Field {
	k.once.Do(func() {
		k.fields = &Field{Type: k.Name, Doc: k.Doc, Shape: ObjectShape}
		k.fields.addAll(reflect.TypeOf(k.make(k)).Elem(), nil)
		k.spec = &Field{Shape: ObjectShape, Fields: slices.DeleteFunc(slices.Clone(k.fields.Fields), func(f *Field) bool { return f.Name == "status" })}
	})
	return k.fields
}

// rules returns the field table without status: the fields that a user may write.
func (k *Kind) rules() *Field {
	k.Fields()
	return k.spec
}

// addAll adds the JSON fields of struct type t, including the fields of embedded structs.
func (f *Field) addAll(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := sf.Index
		if len(prefix) > 0 {
			index = append(prefix[:len(prefix):len(prefix)], i)
		}
		switch name, _, _ := strings.Cut(sf.Tag.Get("json"), ","); {
		case sf.Anonymous && name == "":
			f.addAll(sf.Type, index)
		case !sf.IsExported() || name == "-" || name == "":
		default:
			f.Fields = append(f.Fields, newField(name, sf, index))
		}
	}
}

// newField returns the description of a struct field, with all nested fields.
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

// shapeOf returns the JSON shape of a Go type and its name for explain.
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

// readRules parses an `idumb` tag. The package comment describes its syntax.
func (f *Field) readRules(tag string) {
	for rule := range strings.SplitSeq(tag, ",") {
		switch name, value, _ := strings.Cut(rule, "="); name {
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
		case "flag":
			f.Flag, f.Each = strings.CutSuffix(value, "*")
		case "text":
			f.Text = value
		case "min":
			f.Min = parseBound(value)
		case "max":
			f.Max = parseBound(value)
		}
	}
}

// parseBound returns the number in a tag, or nil if it is not a number.
func parseBound(s string) *int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil
	}
	return &n
}

// LookupField follows a path such as "spec.temporalGate.after" in the field table. Repeated
// fields may have the suffix "[0]" or "[*]". If the path does not exist, it returns the
// deepest existing field and false.
func (k *Kind) LookupField(path string) (*Field, bool) {
	f, missing := k.follow(path)
	return f, missing == ""
}

// Choices returns the allowed values of a field of a kind; nil means any. The result is
// shared and must not be modified.
func Choices(kind, path string) []string {
	k, _ := KindOf(kind)
	field, _ := k.LookupField(path)
	return field.Enum
}

// follow is LookupField. It returns the first path element that does not exist.
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

package migrate

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// complete puts what is left of a draft's record into its annotations and checks that the object can be
// written. false: it cannot, and its record is left.
func (b *Builder) complete(d *Draft) bool {
	b.annotate(d)
	for _, do := range d.Finally {
		do()
	}
	b.shrink(d)
	why := ""
	if errs := resources.Validate(d.Object); len(errs) > 0 {
		why = errs[0].Error()
	} else if data, err := resources.Encode(d.Object); err != nil {
		why = err.Error()
	} else if len(data) > resources.MaxFileSize-1024 { // room for the digest
		why = "it is too long for one file, whatever is taken out"
	}
	if why == "" {
		return true
	}
	b.trouble(d, "it cannot be written: "+why)
	if d.Record != nil {
		b.Leave(d.file, "records that cannot be written", d.ID)
	}
	return false
}

// annotate notes the id and every field that was not understood. What cannot be told from its annotation is kept with
// its file.
func (b *Builder) annotate(d *Draft) {
	m := d.Meta()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[b.prefix+IDKey] = d.ID
	fields := d.extra
	if d.Record != nil {
		fields = append(fields, d.Record.Rest()...)
	}
	for _, f := range fields {
		key := KeyOf(f.Name)
		if _, taken := m.Annotations[b.prefix+key]; taken || key == DigestKey {
			key = KeyOf(f.Name + "'")
		}
		m.Annotations[b.prefix+key] = f.Value.Plain()
		b.report.Note(&b.report.Kept, f.Name, d.ID)
	}
}

// Pointer begins an annotation whose text was too long: the file that keeps it follows.
const Pointer = "see .idumb/archive/unmapped/"

// shrink makes an object fit into a file: the longest of its annotations and texts give way to their beginning and the
// name of the file that keeps them.
func (b *Builder) shrink(d *Draft) {
	const room, beginning = 4096, 2048
	see := Pointer + keptPath(b.format, d.file)
	tooLong := func(what string, length int) {
		b.Leave(d.file, "texts too long for one file", d.ID+" "+what)
		b.trouble(d, fmt.Sprintf("%s has %d bytes, too many for one file: left out", what, length))
	}
	for range 100 {
		data, err := resources.Encode(d.Object)
		if err != nil || len(data) <= resources.MaxFileSize-room {
			return
		}
		annotations := d.Meta().Annotations
		key := longestOf(annotations)
		name, text := longestText(d.Object)
		switch {
		case len(text.String()) > room && len(text.String()) >= len(annotations[key]):
			tooLong("its "+name, len(text.String()))
			text.SetString(strings.ToValidUTF8(text.String()[:beginning], "") + "... (" + see + ")")
		case len(annotations[key]) > beginning:
			tooLong(key, len(annotations[key]))
			annotations[key] = see
		default:
			b.Leave(d.file, "records whose lists are too long for one file", d.ID)
			kind, _ := resources.KindOf(d.Object.Key().Kind)
			spec, _ := kind.LookupField("spec")
			emptyLists(spec.Fields, reflect.ValueOf(d.Object.SpecPointer()).Elem())
			return
		}
	}
}

// longestOf is the key of the longest value.
func longestOf(values map[string]string) string {
	longest := ""
	for _, key := range sortedKeys(values) {
		if len(values[key]) > len(values[longest]) {
			longest = key
		}
	}
	return longest
}

// longestText returns the longest text of an object's spec, and what it is called.
func longestText(o resources.Object) (called string, longest reflect.Value) {
	longest = reflect.ValueOf("")
	var visit func(name string, v reflect.Value)
	visit = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Len() > longest.Len() {
				called, longest = name, v
			}
		case reflect.Pointer:
			if !v.IsNil() {
				visit(name, v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(name, v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if field := v.Field(i); field.CanSet() {
					visit(inWords(v.Type().Field(i).Name), field)
				}
			}
		}
	}
	visit("", reflect.ValueOf(o.SpecPointer()))
	return called, longest
}

// inWords takes a name in one word apart: ExpectedOutput is "expected output".
func inWords(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// emptyLists empties the lists of an object that is too long because it lists so much; of one that must not be empty
// the first entry stays.
func emptyLists(fields []*resources.Field, v reflect.Value) {
	for _, f := range fields {
		to := fieldNamed(v, f.Name)
		switch {
		case f.Repeated && f.Required:
			to.Set(to.Slice(0, min(1, to.Len())))
		case f.Repeated:
			to.SetZero()
		case f.Shape != resources.ObjectShape:
		case to.Kind() != reflect.Pointer:
			emptyLists(f.Fields, to)
		case !to.IsNil():
			emptyLists(f.Fields, to.Elem())
		}
	}
}

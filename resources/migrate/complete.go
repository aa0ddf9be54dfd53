package migrate

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// complete runs the Finally functions of a draft, makes its object fit into a
// file, reports the unused fields of its record, and checks that the object can
// be written. If not, it reports the record as a leftover and returns false.
func (b *Builder) complete(d *Draft) bool {
	d.LeaveRest("", d.Record)
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
	if d.file.Path != "" {
		b.Leave(d.file, "records that cannot be written", d.ID)
	}
	return false
}

// Pointer begins an annotation that was too long. The path of the archived file follows.
const Pointer = "see .idumb/archive/unmapped/"

// shrink makes an object fit into a file. It truncates texts that exceed the limit of
// their field. It then replaces the longest annotations and texts by their beginning and
// the path of the archived file, and finally removes lists.
func (b *Builder) shrink(d *Draft) {
	const beginning = 2048
	see := Pointer + keptPath(b.format, d.file)
	tooLong := func(what string, length int) {
		b.Leave(d.file, "texts too long for one file", d.ID+" "+what)
		b.trouble(d, fmt.Sprintf("%s has %d bytes, too many for one file: left out", what, length))
	}
	cut := func(isTooLong func(*resources.Field, string) bool) {
		eachText(d.Object, func(f *resources.Field, text reflect.Value) {
			if isTooLong(f, text.String()) {
				tooLong("its "+f.Name, text.Len())
				text.SetString(strings.ToValidUTF8(text.String()[:beginning], "") + "... (" + see + ")")
			}
		})
	}
	cut(func(f *resources.Field, text string) bool {
		return f.Max != nil && utf8.RuneCountInString(text) > *f.Max
	})
	for most := resources.MaxFileSize / 2; most > beginning && !fitsFile(d.Object); most /= 2 {
		for _, key := range sortedKeys(d.Meta().Annotations) {
			if length := len(d.Meta().Annotations[key]); length > most {
				tooLong(key, length)
				d.Meta().Annotations[key] = see
			}
		}
		cut(func(_ *resources.Field, text string) bool { return len(text) > most })
	}
	if !fitsFile(d.Object) {
		b.Leave(d.file, "records whose lists are too long for one file", d.ID)
		resources.EachField(d.Object, func(f *resources.Field, list reflect.Value) {
			switch {
			case !f.Repeated || !list.IsValid():
			case f.Required: // must not be empty
				list.Set(list.Slice(0, min(1, list.Len())))
			default:
				list.SetZero()
			}
		})
	}
}

// fitsFile reports whether an object fits into a file, with room for later
// additions. It returns true for an object that cannot be encoded, which
// complete reports.
func fitsFile(o resources.Object) bool {
	const room = 4096
	data, err := resources.Encode(o)
	return err != nil || len(data) <= resources.MaxFileSize-room
}

// eachText calls do for each text of a spec.
func eachText(o resources.Object, do func(f *resources.Field, text reflect.Value)) {
	resources.EachField(o, func(f *resources.Field, value reflect.Value) {
		switch {
		case f.Shape != resources.StringShape || !value.IsValid():
		case !f.Repeated:
			do(f, value)
		default:
			for i := range value.Len() {
				do(f, value.Index(i))
			}
		}
	})
}

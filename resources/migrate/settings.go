package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// settings returns the draft settings, with the language of the record.
func (b *Builder) settings(r *Record) *resources.ConfigSpec {
	b.readCount++
	spec := Spec[resources.ConfigSpec](b.Make(resources.Configs, resources.ConfigName))
	language(spec, r)
	return spec
}

// language takes the languages if they are not set yet.
func language(spec *resources.ConfigSpec, r *Record) {
	v, _ := r.Peek("language")
	said := resources.Language{Communication: v.Text}
	if v.Type == Object {
		l := NewRecord(v)
		said = resources.Language{Communication: l.Text("communication"), Documents: l.Text("documents")}
	}
	if !isLanguage(cmp.Or(said.Communication, said.Documents)) || !isLanguage(cmp.Or(said.Documents, said.Communication)) {
		return
	}
	if spec.Language == (resources.Language{}) {
		spec.Language = said
	}
	if spec.Language == said {
		r.Take("language")
	}
}

// isLanguage reports whether a text can be the name of a language: one or two words. The
// rules for agents contain this text, so it must not be an arbitrary sentence.
func isLanguage(text string) bool {
	foreign := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsMark(c) && !strings.ContainsRune(" -_()", c)
	}
	words := len(strings.Fields(text))
	return 0 < words && words <= 2 && len(text) <= 64 && !strings.ContainsFunc(text, foreign)
}

// setLifetime sets a lifetime from a number of units. It returns false if the
// number is invalid or the lifetime is already set.
func setLifetime(setting *string, v Value, unit time.Duration) bool {
	n, err := time.ParseDuration(strings.TrimSpace(v.Text) + "h")
	if err != nil || n <= 0 || n > 10_000*time.Hour || *setting != "" {
		return false
	}
	*setting = durationText(n * (unit / time.Hour))
	return true
}

// mergeConfig adds settings to the existing ones. It does not change settings that are
// already set.
func (b *Builder) mergeConfig(wanted *resources.Config, before resources.Object) []resources.Object {
	key := wanted.Key()
	merged := resources.Clone(before).(*resources.Config)
	b.fill(reflect.ValueOf(&merged.Spec).Elem(), reflect.ValueOf(wanted.Spec), "spec")
	annotations := maps.Clone(wanted.Metadata.Annotations)
	maps.Copy(annotations, merged.Metadata.Annotations)
	merged.Metadata.Annotations = annotations
	if reflect.DeepEqual(before.(*resources.Config).Spec, merged.Spec) && maps.Equal(before.Head().Metadata.Annotations, annotations) {
		b.Report.Unchanged = append(b.Report.Unchanged, key)
		return nil
	}
	b.Report.Updated = append(b.Report.Updated, key)
	return []resources.Object{merged}
}

// fill sets the unset fields of a struct. It reports fields that are set to
// another value.
func (b *Builder) fill(to, from reflect.Value, at string) {
	for i := range to.NumField() {
		field, value := to.Field(i), from.Field(i)
		tag, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
		switch name := at + "." + tag; {
		case value.IsZero():
		case field.Kind() == reflect.Struct:
			b.fill(field, value, name)
		case field.IsZero():
			field.Set(value)
		case !reflect.DeepEqual(field.Interface(), value.Interface()):
			b.Report.Note(&b.Report.Changed, fmt.Sprintf("settings that are already set here: not changed (the source has %v)", value.Interface()), name)
		}
	}
}

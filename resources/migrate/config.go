package migrate

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// settings is what a file of settings becomes.
func (b *Builder) settings() *resources.ConfigSpec {
	b.read++
	return b.Make(resources.Configs, resources.ConfigName).Object.SpecPointer().(*resources.ConfigSpec)
}

// mergeConfig adds settings to those that are there: what somebody has set here stays.
func (b *Builder) mergeConfig(wanted *resources.Config) []resources.Object {
	key := wanted.Key()
	there, found := b.get(key)
	before, isConfig := there.(*resources.Config)
	if !found || !isConfig {
		b.report.Created = append(b.report.Created, key)
		return []resources.Object{wanted}
	}
	merged := resources.Clone(before).(*resources.Config)
	b.fill(reflect.ValueOf(&merged.Spec).Elem(), reflect.ValueOf(wanted.Spec), "spec")
	if merged.Metadata.Annotations == nil {
		merged.Metadata.Annotations = map[string]string{}
	}
	for name, text := range wanted.Metadata.Annotations {
		if _, set := merged.Metadata.Annotations[name]; !set {
			merged.Metadata.Annotations[name] = text
		}
	}
	if old, err := resources.Encode(before); err == nil {
		if data, err := resources.Encode(merged); err == nil && string(old) == string(data) {
			b.report.Unchanged = append(b.report.Unchanged, key)
			return nil
		}
	}
	b.report.Updated = append(b.report.Updated, key)
	return []resources.Object{merged}
}

// fill sets the fields of a struct that are not set yet.
func (b *Builder) fill(to, from reflect.Value, at string) {
	for i := range to.NumField() {
		field, value := to.Field(i), from.Field(i)
		tag, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
		name := at + "." + tag
		switch {
		case value.IsZero():
		case field.Kind() == reflect.Struct:
			b.fill(field, value, name)
		case field.IsZero():
			field.Set(value)
		case !reflect.DeepEqual(field.Interface(), value.Interface()):
			b.report.Note(&b.report.Changed, fmt.Sprintf("a setting that is set here already: left alone (it was %v)", value.Interface()), name)
		}
	}
}

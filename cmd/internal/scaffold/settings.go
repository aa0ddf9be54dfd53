package scaffold

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// settings is config.json with every default written out, so that whoever opens
// it sees what there is to change. JSON has no comments: $schema brings the
// meaning of each setting to editors, and the README lists them.
func settings() (Entry, error) {
	kind, _ := resources.KindOf(resources.Configs)
	config := kind.New().(*resources.Config)
	config.Schema, config.Metadata.Name, config.Spec = "schemas/config.json", resources.ConfigName, resources.DefaultConfig()
	data, err := resources.Encode(config)
	return Entry{Path: "config.json", Mode: 0o644, Data: data}, err
}

// writeSettings writes the table of settings from the tags of ConfigSpec, which
// validation and explain read as well.
func writeSettings(w io.Writer) {
	fmt.Fprint(w, "| setting (in `spec`) | meaning |\n|---|---|\n")
	settingRows(w, "", reflect.TypeFor[resources.ConfigSpec]())
}

func settingRows(w io.Writer, prefix string, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() == reflect.Struct {
			settingRows(w, prefix+name+".", f.Type)
			continue
		}
		fmt.Fprintf(w, "| `%s%s` | %s |\n", prefix, name, strings.ReplaceAll(f.Tag.Get("doc"), "|", `\|`))
	}
}

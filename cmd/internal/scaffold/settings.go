package scaffold

import (
	"fmt"
	"io"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// settings returns config.json with every default written out, so that users see all settings. JSON
// has no comments: editors show the meaning of each setting from $schema, and the README lists
// them.
func settings() (Entry, error) {
	config := resources.New[*resources.Config](resources.Configs, resources.ConfigName)
	config.Schema, config.Spec = "schemas/config.json", resources.DefaultConfig()
	data, err := resources.Encode(config)
	return Entry{Path: "config.json", Mode: 0o644, Data: data}, err
}

// writeSettings writes the table of settings, derived from the same fields as validation and
// explain.
func writeSettings(w io.Writer) {
	kind, _ := resources.KindOf(resources.Configs)
	spec, _ := kind.LookupField("spec")
	fmt.Fprint(w, "| setting (in `spec`) | meaning |\n|---|---|\n")
	settingRows(w, "", spec.Fields)
}

// settingRows writes a table row for each field. The fields of objects get separate rows, named
// with dots after prefix.
func settingRows(w io.Writer, prefix string, fields []*resources.Field) {
	for _, f := range fields {
		if f.Shape == resources.ObjectShape && !f.Repeated {
			settingRows(w, prefix+f.Name+".", f.Fields)
			continue
		}
		fmt.Fprintf(w, "| `%s%s` | %s |\n", prefix, f.Name, strings.ReplaceAll(f.Doc, "|", `\|`))
	}
}

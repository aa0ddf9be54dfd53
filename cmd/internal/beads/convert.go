package beads

import (
	"bytes"
	"fmt"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// Format is the name of the format in commands, labels and annotations.
const Format = "beads"

// Convert is a migrate.Converter for one export, or for several that are read as one.
func Convert(in migrate.Input) migrate.Outcome {
	var all []byte
	for _, f := range in.Files {
		all = append(bytes.TrimSuffix(append(all, asLines(f.Data)...), []byte("\n")), '\n')
	}
	report, objects, err := Import(bytes.NewReader(all), in.Get)
	if err != nil { // a reader of bytes has none
		report.problem(0, "", err.Error())
	}
	out := migrate.Outcome{Objects: objects, Report: report.Report}
	if len(in.Files) > 0 {
		f := migrate.File{Path: in.Files[0].Path, Data: all}
		out.Leftovers = migrate.Leftovers(Format, f, report.left, report.whole)
	}
	return out
}

// asLines turns a list of issues, as bd list --json prints it, or an object that holds one, into lines of
// one issue each; what is lines already stays.
func asLines(data []byte) []byte {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	v, damage, err := migrate.Parse(trimmed)
	if err != nil || len(damage) > 0 && v.Type != migrate.List {
		return data
	}
	if list, ok := v.At("issues"); ok && list.Type == migrate.List {
		v = list
	}
	if v.Type != migrate.List {
		return data
	}
	var b bytes.Buffer
	for _, item := range v.Items {
		fmt.Fprintf(&b, "%s\n", item.JSON())
	}
	for _, what := range damage {
		fmt.Fprintf(&b, "%s\n", migrate.Text("the list is damaged: "+what).JSON())
	}
	return b.Bytes()
}

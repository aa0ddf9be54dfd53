package beads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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
	if objects, ok := pretty(trimmed); ok {
		return objects
	}
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

// pretty turns issues that were written over several lines each, as jq prints them, into lines; false if
// the first line is an issue by itself, or anything is broken: then each line is read for what it is.
func pretty(data []byte) ([]byte, bool) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if len(rest) == 0 || data[0] != '{' || json.Valid(first) {
		return nil, false
	}
	var b bytes.Buffer
	objects := json.NewDecoder(bytes.NewReader(data))
	for {
		var object json.RawMessage
		err := objects.Decode(&object)
		if errors.Is(err, io.EOF) {
			return b.Bytes(), true
		}
		if err != nil || object[0] != '{' || bytes.Contains(object, []byte(`"issues"`)) || json.Compact(&b, object) != nil {
			return nil, false
		}
		b.WriteByte('\n')
	}
}

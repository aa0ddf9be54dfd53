package beads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// Format is the name of the format in commands, labels and annotations.
const Format = "beads"

// Convert is a migrate.Converter for one export, or for several that are read as one.
func Convert(in migrate.Input) migrate.Outcome {
	var all []byte
	for _, f := range in.Files {
		all = append(bytes.TrimSuffix(append(all, asLines(migrate.Text8(f.Data))...), []byte("\n")), '\n')
	}
	report, objects, err := Import(bytes.NewReader(all), in.Get)
	if err != nil { // a reader of bytes has none
		report.problem(0, "", err.Error())
	}
	out := migrate.Outcome{Objects: objects, Report: report.Report}
	if !report.known {
		out.Foreign = "there are no issues in it, one a line or in a list, with an id and a title or a status"
	}
	if len(in.Files) > 0 {
		f := migrate.File{Path: in.Files[0].Path, Data: all}
		out.Leftovers = migrate.Leftovers(Format, f, report.left, report.whole)
	}
	return out
}

// asLines turns a list of issues, as bd list --json prints it, or what is wrapped around one, into lines of
// one issue each; what is lines already stays.
func asLines(data []byte) []byte {
	trimmed := bytes.TrimSpace(data)
	objects, ok := pretty(trimmed)
	if ok && bytes.Count(objects, []byte("\n")) > 1 {
		return objects
	}
	v, damage, err := migrate.Parse(trimmed)
	if err != nil || len(damage) > 0 && v.Type != migrate.List {
		return data
	}
	items, found := unwrap(v, 4)
	switch {
	case !found && ok:
		return objects
	case !found:
		return data
	}
	var b bytes.Buffer
	for _, item := range items {
		fmt.Fprintf(&b, "%s\n", item.JSON())
	}
	for _, what := range damage {
		fmt.Fprintf(&b, "%s\n", migrate.Text("the list is damaged: "+what).JSON())
	}
	return b.Bytes()
}

// unwrap returns the issues of a list, of an object that holds one, or of one whose names are their ids.
func unwrap(v migrate.Value, depth int) ([]migrate.Value, bool) {
	if v.Type == migrate.List {
		return v.Items, true
	}
	if v.Type != migrate.Object || depth == 0 {
		return nil, false
	}
	for _, name := range []string{"issues", "beads", "items", "data", "results"} {
		if inner, ok := v.At(name); ok {
			if items, found := unwrap(inner, depth-1); found {
				return items, true
			}
		}
	}
	return keyed(v)
}

// keyed returns the issues of an object whose names are their ids.
func keyed(v migrate.Value) ([]migrate.Value, bool) {
	var items []migrate.Value
	for _, f := range v.Fields {
		_, titled := f.Value.At("title")
		_, stated := f.Value.At("status")
		if f.Value.Type != migrate.Object || !titled && !stated {
			return nil, false
		}
		item := f.Value
		if _, ok := item.At("id"); !ok {
			others := slices.DeleteFunc(slices.Clone(item.Fields), func(f migrate.Field) bool { return f.Name == "id" })
			item.Fields = append([]migrate.Field{{Name: "id", Value: migrate.Text(f.Name)}}, others...)
		}
		items = append(items, item)
	}
	return items, len(items) > 0
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
		if err != nil || object[0] != '{' || json.Compact(&b, object) != nil {
			return nil, false
		}
		b.WriteByte('\n')
	}
}

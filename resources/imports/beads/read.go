package beads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// maxLine is the maximum length of a line in bytes. The longest known lines have about 20
// kB.
const maxLine = 4 << 20

// read reads the lines of an export: issues, memories and separate edges. It reports
// unreadable lines and continues.
func (c *conversion) read() {
	number := 0
	for line := range bytes.Lines(c.file.Data) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		c.lines++
		v, err := c.parse(line, number)
		if err == nil && !c.skipLine(&v, number) {
			err = c.take(v, number)
		}
		if err != nil {
			c.problem(number, "", "set aside: "+err.Error())
			c.leave(number, "lines that are no issues")
		}
	}
}

// parse parses one line of an export as a JSON object. It repairs and reports
// invalid UTF-8 and duplicate fields.
func (c *conversion) parse(line []byte, number int) (migrate.Value, error) {
	if len(line) > maxLine {
		return migrate.Value{}, fmt.Errorf("it is longer than %d bytes", maxLine)
	}
	line = bytes.TrimSuffix(line, []byte(",")) // for a list that was split into lines
	v, damage, err := migrate.Parse(bytes.ToValidUTF8(line, []byte("\ufffd")))
	switch {
	case err != nil:
		return v, fmt.Errorf("it is not a JSON object: %w", err)
	case len(damage) > 0:
		return v, fmt.Errorf("it is not a JSON object: %s", damage[0])
	case v.Type != migrate.Object && v.Type != migrate.Null:
		return v, fmt.Errorf("it is not a JSON object: it is of type %s", v.Type)
	case !utf8.Valid(line):
		id, _ := v.Lookup("id")
		c.problem(number, id.Text, "it is not valid UTF-8; the bad bytes were replaced")
		c.Keep(c.file)
	}
	if only := withoutRepeats(v.Fields); len(only) < len(v.Fields) {
		v.Fields = only
		c.leave(number, "lines with duplicate fields: the last one counts")
	}
	return v, nil
}

// withoutRepeats returns the last field of each name.
func withoutRepeats(fields []migrate.Field) []migrate.Field {
	var only []migrate.Field
	for n, f := range fields {
		if !slices.ContainsFunc(fields[n+1:], func(later migrate.Field) bool { return later.Name == f.Name }) {
			only = append(only, f)
		}
	}
	return only
}

// named returns the field with an exact name, so that _type differs from type.
func named(v migrate.Value, name string) migrate.Value {
	for _, f := range v.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return migrate.Value{}
}

// skipLine handles a line that is not an issue: a memory, a separate edge or a
// header. It returns false for an issue, and unwraps one with sibling fields,
// such as {"issue": {...}, "dependencies": [...]}.
func (c *conversion) skipLine(v *migrate.Value, number int) bool {
	kind, key, value := named(*v, "_type").Text, named(*v, "key").Text, named(*v, "value").Text
	identified, issue := named(*v, "id").Type != migrate.Null, named(*v, "issue")
	switch from, on := named(*v, "issue_id").Text, named(*v, "depends_on_id").Text; {
	case kind == "memory" && key != "" && value != "":
		if old, twice := c.memories[key]; twice && old != value { // as in beads, the last memory with a key has precedence
			c.Keep(c.file)
		}
		c.memories[key], c.memoryCount, c.recognized = value, c.memoryCount+1, true
	case kind != "" && kind != "issue":
		c.leave(number, "lines of another type: "+kind)
	case named(*v, "_schema").Text != "" && !identified:
		c.leave(number, "headers")
	case !identified && issue.Type == migrate.Object:
		for _, f := range v.Fields {
			if f.Name != "issue" && named(issue, f.Name).Type == migrate.Null {
				issue.Fields = append(issue.Fields, f)
			}
		}
		*v = issue
		return false
	case !identified && from != "" && on != "":
		e, _ := edgeIn(*v, blocks)
		c.loose = append(c.loose, e)
		c.leave(number, "edges on separate lines: added to their issues")
	case from != "" && named(*v, "title").Type == migrate.Null:
		c.leave(number, "lines that refer to an issue and are not issues")
	default:
		return false
	}
	return true
}

// asLines converts an export to one issue per line: a list, as printed by bd list --json,
// an object around a list, or issues over several lines each, as printed by jq. Line-based
// and damaged input is returned unchanged, so that each line is read separately.
func asLines(data []byte) []byte {
	trimmed := bytes.TrimSpace(data)
	var items []migrate.Value
	found := false
	if first, _, _ := bytes.Cut(trimmed, []byte("\n")); !json.Valid(first) {
		items, found = migrate.Objects(trimmed)
	}
	if !found {
		v, damage, err := migrate.Parse(trimmed)
		if err != nil || len(damage) > 0 && v.Type != migrate.List {
			return data
		}
		if items, found = unwrap(v, 4); !found {
			items = []migrate.Value{v}
		}
		for _, what := range damage {
			items = append(items, migrate.Text("the list is damaged: "+what))
		}
	}
	var b bytes.Buffer
	for _, item := range items {
		b.Write(append(item.JSON(), '\n'))
	}
	return b.Bytes()
}

// unwrap returns the issues in a list, in an object with a list, or in an
// object with IDs as field names. It returns false for other values, and for
// objects that are nested more than depth times.
func unwrap(v migrate.Value, depth int) ([]migrate.Value, bool) {
	if v.Type == migrate.List {
		return v.Items, true
	}
	if v.Type != migrate.Object || depth == 0 {
		return nil, false
	}
	for _, name := range []string{"issues", "beads", "items", "data", "results"} {
		if inner, ok := v.Lookup(name); ok {
			if items, found := unwrap(inner, depth-1); found {
				return items, true
			}
		}
	}
	var items []migrate.Value
	for _, f := range v.Fields {
		_, titled := f.Value.Lookup("title")
		if _, stated := f.Value.Lookup("status"); f.Value.Type != migrate.Object || !titled && !stated {
			return nil, false
		}
		if _, ok := f.Value.Lookup("id"); !ok {
			set(&f.Value, "id", migrate.Text(f.Name))
		}
		items = append(items, f.Value)
	}
	return items, len(items) > 0
}

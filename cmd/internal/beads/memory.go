package beads

import (
	"bytes"
	"encoding/json"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// memory is a line that bd export writes for what bd remember was told.
type memory struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// record is what tells lines apart that are no bare issues.
type record struct {
	Type   string          `json:"_type"`
	Schema string          `json:"_schema"`
	ID     json.RawMessage `json:"id"`
	Issue  json.RawMessage `json:"issue"`
	Title  json.RawMessage `json:"title"`
	From   string          `json:"issue_id"`
	On     string          `json:"depends_on_id"`
	memory
}

// marks are what such lines have in them, so that most lines are not read twice.
var marks = [...][]byte{[]byte(`"_type"`), []byte(`"_schema"`), []byte(`"issue"`), []byte(`"issue_id"`)}

// aside takes in a line that is no issue: a memory, an edge on its own, a header. done: nothing is left to be read. An issue
// with others beside it, as {"issue": {...}, "dependencies": [...]}, is returned as one.
func aside(line []byte, number int, r *Report) (issue []byte, done bool) {
	var x record
	marked := false
	for _, mark := range marks {
		marked = marked || bytes.Contains(line, mark)
	}
	if !marked || json.Unmarshal(line, &x) != nil {
		return line, false
	}
	switch {
	case x.Type == "memory" && x.Key != "" && x.Value != "":
		r.notes, r.known = append(r.notes, x.memory), true
	case x.Type != "" && x.Type != "issue":
		r.leave(number, "lines of another type: "+x.Type, "there is no rule for it", migrate.Text(string(line)))
	case x.Schema != "" && x.ID == nil:
		r.leave(number, "headers", "it says how the export was written", migrate.Text(string(line)))
	case x.ID == nil && isObject(x.Issue):
		return nested(line), false
	case x.ID == nil && x.From != "" && x.On != "":
		e, _ := edgeIn(line) // it was read before
		if e.Type == "" {
			e.Type = blocks
		}
		r.loose = append(r.loose, e)
		r.leave(number, "edges on lines of their own: taken over", "its issue has it", migrate.Text(string(line)))
	case x.From != "" && x.Title == nil:
		r.leave(number, "lines about an issue that are none", "it has no title", migrate.Text(string(line)))
	default:
		return line, false
	}
	return nil, true
}

func isObject(value json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(value), []byte("{"))
}

// nested makes one issue of {"issue": {...}} and what stands beside it.
func nested(line []byte) []byte {
	v, _, err := migrate.Parse(line)
	if err != nil {
		return line
	}
	inner, _ := v.At("issue")
	for _, f := range v.Fields {
		if _, there := inner.At(f.Name); f.Name != "issue" && !there {
			inner.Fields = append(inner.Fields, f)
		}
	}
	return inner.JSON()
}

// mems makes a mem of each memory. The last one of a key counts, as in beads.
func (b *builder) mems() []*resources.Mem {
	values := map[string]string{}
	for _, m := range b.report.notes {
		if old, twice := values[m.Key]; twice && old != m.Value {
			b.report.left = append(b.report.left, migrate.LeftRecord{At: m.Key, Why: "a later line has its key", Value: migrate.Text(old).JSON()})
		}
		values[m.Key] = m.Value
	}
	b.notes.Give(sortedKeys(values))
	var list []*resources.Mem
	for _, key := range sortedKeys(values) {
		o := newObject[*resources.Mem](resources.Mems, b.notes.Of(key))
		o.Metadata.Annotations = map[string]string{annotationID: key}
		o.Spec = resources.MemSpec{Title: key, Content: values[key], Source: "beads"}
		list = append(list, o)
	}
	return list
}

// memoryLine is a mem as bd import takes it; false for one that did not come from there.
func memoryLine(o resources.Object) ([]byte, bool) {
	m, ok := o.(*resources.Mem)
	if !ok || m.Metadata.Annotations[annotationID] == "" {
		return nil, false
	}
	v := migrate.Value{Type: migrate.Object}
	for _, f := range [][2]string{{"_type", "memory"}, {"key", m.Metadata.Annotations[annotationID]}, {"value", m.Spec.Content}} {
		v.Fields = append(v.Fields, migrate.Field{Name: f[0], Value: migrate.Text(f[1])})
	}
	return append(v.JSON(), '\n'), true
}

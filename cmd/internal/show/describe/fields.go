package describe

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/resources"
)

// spec writes the spec of the object, in the order of the kind's fields.
func (p *page) spec() {
	p.linef("Spec:")
	field, _ := p.s.Entry.Kind().LookupField("spec")
	p.object(1, field, fieldsOf(p.s.Entry.Object.SpecPointer()))
}

// status writes the status, without the fields that have a separate section.
func (p *page) status() {
	values := fieldsOf(p.s.Entry.Status)
	for _, elsewhere := range [...]string{"phase", "conditions", "blockedBy", "checkpoints", "sections"} {
		delete(values, elsewhere)
	}
	if len(values) == 0 {
		return
	}
	p.linef("Status:")
	field, _ := p.s.Entry.Kind().LookupField("status")
	p.object(1, field, values)
}

// fieldsOf returns the JSON form of a value.
func fieldsOf(value any) map[string]any {
	var fields map[string]any
	if data, err := json.Marshal(value); err == nil {
		json.Unmarshal(data, &fields)
	}
	return fields
}

// object writes the values of an object's fields, in the order of the schema. depth is the
// indentation.
func (p *page) object(depth int, field *resources.Field, values map[string]any) {
	for _, child := range field.Fields {
		value, present := values[child.Name]
		if !present {
			continue
		}
		name := title(child.Name)
		switch value := value.(type) {
		case map[string]any:
			p.nested(depth, name, child, value)
		case []any:
			p.list(depth, name, child, value)
		default:
			p.field(depth, name, text(value))
		}
	}
}

// nested writes an object below its name. It writes a map with any keys on one line.
func (p *page) nested(depth int, name string, field *resources.Field, values map[string]any) {
	if field.Shape != resources.ObjectShape {
		p.field(depth, name, pairs(values))
		return
	}
	p.linef("%s%s:", strings.Repeat("  ", depth), name)
	p.object(depth+1, field, values)
}

// list writes names on one line. Sentences and objects get a line each.
func (p *page) list(depth int, name string, field *resources.Field, values []any) {
	if field.Ref != "" || field.Format == "glob" {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = text(v)
		}
		p.field(depth, name, strings.Join(texts, ", "))
		return
	}
	p.linef("%s%s:", strings.Repeat("  ", depth), name)
	for _, v := range values {
		p.item(depth+1, v)
	}
}

// item writes an element of a list on a line.
func (p *page) item(depth int, value any) {
	line := text(value)
	if object, ok := value.(map[string]any); ok {
		line = pairs(object)
	}
	p.linef("%s- %s", strings.Repeat("  ", depth), terminal.EscapeLine(line))
}

// title converts temporalGate to "Temporal Gate".
func title(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			r = unicode.ToUpper(r)
		case unicode.IsUpper(r):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// text returns a value as text: a string unchanged, <none> for nil, otherwise JSON.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil:
		return printers.None
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}

package tools

import (
	"encoding/json"
	"fmt"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
)

// Definition is how a tool is announced.
type Definition struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments; what it does not name is refused all the same
}

// Definitions announces all tools.
func Definitions() []Definition { return definitions(acts.All()) }

func definitions(table []acts.Act) []Definition {
	var definitions []Definition
	for _, t := range all(table) {
		definitions = append(definitions, Definition{Name: t.name, Description: t.doc, Schema: encoded(schemaOf(t.allParams(), t.required()))})
	}
	return definitions
}

// required are the arguments without which no call makes sense: the action, where there are
// several.
func (t tool) required() []string {
	if len(t.actions) == 1 {
		return t.actions[0].needs
	}
	return []string{"action"}
}

// Instructions are what the server says of itself: they reach every prompt.
const Instructions = "iDumb keeps this repository's plans, tasks and memory. With nothing planned, work as usual. Under an active plan files are written for a started task: " +
	"govern_plan, govern_task start, work, govern_task complete with evidence. When a call is refused, do what its useInstead says; do not retry."

// schemaOf is the schema of an object with those fields, less those that are seldom given:
// every word of it costs each session.
func schemaOf(params []param, required []string) map[string]any {
	properties := map[string]any{}
	for _, p := range params {
		if !p.rare {
			properties[p.name] = p.schema()
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func (p param) schema() map[string]any {
	s := map[string]any{}
	switch p.kind {
	case text:
		s["type"] = "string"
		if len(p.enum) > 0 {
			s["enum"] = p.enum
		}
	case flag:
		s["type"] = "boolean"
	case number:
		s["type"] = "integer"
	case object:
		s = schemaOf(p.fields, requiredOf(p.fields))
	}
	if p.many {
		s = map[string]any{"type": "array", "items": s}
	}
	if p.doc != "" {
		s["description"] = p.doc
	}
	return s
}

// requiredOf names the fields that an object in an argument cannot do without.
func requiredOf(fields []param) []string {
	for _, f := range fields {
		if f.name == "expectedOutput" {
			return []string{f.name}
		}
	}
	return nil
}

// encoded is a value as JSON; the tables hold nothing that JSON cannot.
func encoded(value any) json.RawMessage {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a table holds what JSON cannot: %v", err))
	}
	return data
}

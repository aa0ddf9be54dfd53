package tools

import (
	"encoding/json"
	"fmt"
)

// Definition is how a tool is announced.
type Definition struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, strict
}

// Definitions announces all tools.
func Definitions() []Definition {
	var definitions []Definition
	for _, t := range all() {
		definitions = append(definitions, Definition{Name: t.name, Description: t.doc, Schema: encoded(schemaOf(t.allParams(), []string{"action"}))})
	}
	return definitions
}

// Instructions are what the server says of itself: they reach every prompt.
const Instructions = "iDumb governs this repository: files are written only under an active task. Plan with govern_plan, then govern_task start, work, govern_task complete with evidence. " +
	"When a call is refused, do what its useInstead says; do not retry. Tasks, names and what is next stand in your context."

// schemaOf is the schema of an object with those fields and no others.
func schemaOf(params []param, required []string) map[string]any {
	properties := map[string]any{}
	for _, p := range params {
		properties[p.name] = p.schema()
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
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
		s["type"], s["minimum"], s["maximum"] = "integer", 0, p.max
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

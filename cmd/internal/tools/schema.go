package tools

import (
	"encoding/json"
	"fmt"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
)

// Definition describes a tool to agents.
type Definition struct {
	Name        string
	Description string
	Schema      json.RawMessage // the JSON Schema of the arguments; unknown arguments are refused although the schema does not forbid them
}

// Definitions returns the definitions of all tools.
func Definitions() []Definition { return definitions(acts.All()) }

// definitions returns the definitions of the tools with the actions for these acts.
func definitions(table []acts.Act) []Definition {
	var definitions []Definition
	for _, t := range allTools(table) {
		definitions = append(definitions, Definition{Name: t.name, Description: t.doc, Schema: encodeJSON(schemaOf(t.allParams(), t.required()))})
	}
	return definitions
}

// required returns the arguments that every call needs: the action if there are several, or else
// the arguments of the only action.
func (t tool) required() []string {
	if len(t.actions) == 1 {
		return t.actions[0].required
	}
	return []string{"action"}
}

// Instructions is the description of the server. It is part of every prompt.
const Instructions = "iDumb keeps this repository's plans, tasks and memory. With nothing planned, work as usual. Under an active plan files are written for a started task: " +
	"govern_plan, govern_task start, work, govern_task complete with evidence. When a call is refused, follow its useInstead; do not retry."

// schemaOf returns the schema of an object with these fields, without the rare ones, because every
// word of a schema costs tokens in each session.
func schemaOf(params []param, required []string) map[string]any {
	properties := map[string]any{}
	for _, p := range params {
		if !p.isHidden {
			properties[p.name] = p.schema()
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// schema returns the JSON Schema of the argument.
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
	if p.isList {
		s = map[string]any{"type": "array", "items": s}
	}
	if p.doc != "" {
		s["description"] = p.doc
	}
	return s
}

// requiredOf returns the required fields of an object in an argument.
func requiredOf(fields []param) []string {
	for _, f := range fields {
		if f.name == "expectedOutput" {
			return []string{f.name}
		}
	}
	return nil
}

// encodeJSON returns a value as JSON. All values in the tables can be encoded.
func encodeJSON(value any) json.RawMessage {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("a table holds what JSON cannot: %v", err))
	}
	return data
}

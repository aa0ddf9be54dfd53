package kube

import (
	"encoding/json"
	"fmt"

	"github.com/idumb-dev/idumb/resources"
)

// schema returns the OpenAPI schema of a resource's objects, made from the
// kind's JSON Schema.
func (r *resource) schema() (object, error) {
	if r.of == nil {
		return object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}, nil
	}
	var schema object
	if err := json.Unmarshal(resources.WholeSchema(r.of), &schema); err != nil {
		return nil, fmt.Errorf("read the schema of %s: %w", r.of.Plural, err)
	}
	toOpenAPI(schema)
	return schema, nil
}

// toOpenAPI converts a JSON Schema of our table of fields to OpenAPI 3.0. That
// format has no constants, and the conversion drops additionalProperties:
// false.
func toOpenAPI(schema object) {
	for todo := []object{schema}; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		if value, found := s["const"]; found {
			s["enum"] = []any{value}
			delete(s, "const")
		}
		if s["additionalProperties"] == false {
			delete(s, "additionalProperties")
		}
		for _, below := range []any{s["items"], s["additionalProperties"]} {
			if one, ok := below.(object); ok {
				todo = append(todo, one)
			}
		}
		properties, _ := s["properties"].(object)
		delete(properties, "$schema")
		for _, one := range properties {
			todo = append(todo, one.(object))
		}
		choices, _ := s["anyOf"].([]any)
		for _, one := range choices {
			todo = append(todo, one.(object))
		}
	}
}

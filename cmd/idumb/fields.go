package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// checkFields returns an error if a selector or --sort-by uses a field that no object can have, because
// it would select nothing without notice.
func (v *view) checkFields(fields selectors.Fields, sortBy string) error {
	for _, name := range fields.Names() {
		if !v.hasField(name) {
			return fmt.Errorf("field label not supported: %s%s", name, v.suggestion(name))
		}
	}
	if sortBy != "" && !v.hasField(sortBy) {
		return fmt.Errorf("couldn't find any field with path %q in the list of objects%s", sortBy, v.suggestion(sortBy))
	}
	return nil
}

// hasField reports whether one of the requested kinds has the field. It accepts any path that
// consists of more than names.
func (v *view) hasField(path string) bool {
	path = fieldName(path)
	return strings.ContainsAny(path, "[]'\"*@$() ") ||
		slices.ContainsFunc(v.request.AllKinds(), func(k *resources.Kind) bool { return kindHasField(k, path) })
}

// kindHasField reports whether the resources of a kind have the field at a path such as
// spec.title.
func kindHasField(kind *resources.Kind, path string) bool {
	if path == "metadata.resourceVersion" {
		return true // exists only in the printed form
	}
	field := kind.Fields()
	for name := range strings.SplitSeq(path, ".") {
		if field.Shape == resources.MapShape || field.Shape == resources.CountsShape {
			return true // any name
		}
		child, known := field.Field(name)
		if !known {
			return false
		}
		field = child
	}
	return true
}

// suggestion returns the end of an error about an unknown field: a field of status, spec or
// metadata with that path, or the command that lists the fields.
func (v *view) suggestion(path string) string {
	path = fieldName(path)
	for _, part := range []string{"status", "spec", "metadata"} {
		if v.hasField(part + "." + path) {
			return fmt.Sprintf("\nDid you mean %q?", part+"."+path)
		}
	}
	return "\nidumb explain KIND.spec and KIND.status list the fields"
}

// fieldName returns the path of a field that is written as a JSONPath, such as {.spec.title}.
func fieldName(path string) string { return strings.Trim(path, "{}. ") }

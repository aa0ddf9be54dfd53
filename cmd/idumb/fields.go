package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// knows refuses selectors and --sort-by of fields that no object can have: they
// would select nothing, or not sort, in silence.
func (v *view) knows(fields selectors.Fields, sortBy string) error {
	for _, name := range fields.Names() {
		if !v.hasField(name) {
			return fmt.Errorf("field label not supported: %s%s", name, v.meant(name))
		}
	}
	if sortBy != "" && !v.hasField(sortBy) {
		return fmt.Errorf("couldn't find any field with path %q in the list of objects%s", sortBy, v.meant(sortBy))
	}
	return nil
}

// hasField reports whether one of the kinds asked for has the field. A path with
// more in it than names is not looked at.
func (v *view) hasField(path string) bool {
	path = fieldName(path)
	return strings.ContainsAny(path, "[]'\"*@$() ") ||
		slices.ContainsFunc(v.request.AllKinds(), func(k *resources.Kind) bool { return kindHasField(k, path) })
}

func kindHasField(kind *resources.Kind, path string) bool {
	if path == "metadata.resourceVersion" {
		return true // part of the printed form alone
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

// meant suggests the field that may have been meant.
func (v *view) meant(path string) string {
	path = fieldName(path)
	for _, part := range []string{"status", "spec", "metadata"} {
		if v.hasField(part + "." + path) {
			return fmt.Sprintf("\nDid you mean %q?", part+"."+path)
		}
	}
	return "\nidumb explain KIND.spec and KIND.status list the fields"
}

func fieldName(path string) string { return strings.Trim(path, "{}. ") }

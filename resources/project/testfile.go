package project

import (
	"path"
	"slices"
	"strings"
)

// IsTest reports whether a path belongs to a test, by the naming conventions of Go, pytest,
// Maven and JavaScript test runners.
func IsTest(file string) bool {
	dir, name := path.Split(file)
	for folder := range strings.SplitSeq(dir, "/") {
		if slices.Contains([]string{"test", "tests", "__tests__", "__mocks__", "__fixtures__", "spec", "specs", "e2e", "cypress", "testdata", "testing"}, folder) {
			return true
		}
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch path.Ext(name) {
	case ".go", ".rb", ".rs":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec")
	case ".py":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest"
	case ".java", ".kt", ".cs", ".php":
		return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "IT")
	}
	parts := strings.Split(stem, ".")
	return len(parts) > 1 && slices.ContainsFunc(parts[1:], func(part string) bool { return part == "test" || part == "spec" || part == "cy" })
}

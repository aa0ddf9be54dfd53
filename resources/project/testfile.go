package project

import (
	"path"
	"slices"
	"strings"
)

// testFolders are names of folders that hold nothing but tests and what they need.
func testFolders() []string {
	return []string{"test", "tests", "__tests__", "__mocks__", "__fixtures__", "spec", "specs", "e2e", "cypress", "testdata", "testing"}
}

// IsTest reports whether a file is a test or belongs to tests, by its path alone: as Go, pytest,
// Maven and the test runners of JavaScript name them.
func IsTest(file string) bool {
	dir, name := path.Split(file)
	for folder := range strings.SplitSeq(dir, "/") {
		if slices.Contains(testFolders(), folder) {
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

package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/lint"
	"github.com/idumb-dev/idumb/resources/source"
)

// Maximum amounts of facts about files in progress.
const (
	maxTaskFiles = 40 // files
	maxExports   = 6
	maxUsers     = 4
	maxPlaces    = 5
	maxPlace     = 120 // characters
)

// TaskFiles returns facts about the source files that match patterns, in the order
// of the patterns. Matches of one pattern are sorted by the number of
// importers.
func TaskFiles(k inventory.Snapshot, patterns []string) (files []resources.CodeFile) {
	paths := taskPaths(k, patterns)
	if len(paths) == 0 {
		return nil
	}
	wrong := map[string][]resources.CodePlace{}
	for _, f := range lint.Find(lint.Tree{Files: k, Facts: k.Facts, Graph: k.Graph(), Covers: func(path string) bool { return slices.Contains(paths, path) }}) {
		if f.Rule != lint.Cycle { // reported by its size
			wrong[f.File] = append(wrong[f.File], resources.CodePlace{Line: f.Line, Text: truncate(f.Is)})
		}
	}
	knots := cycleSizes(k.Graph())
	for _, path := range paths {
		file := codeFile(k, path)
		file.Knot, file.Findings = knots[path], wrong[path][:min(len(wrong[path]), maxPlaces)]
		files = append(files, file)
	}
	return files
}

// taskPaths returns at most maxTaskFiles code files that match patterns. It ignores patterns that
// match too many files.
func taskPaths(k inventory.Snapshot, patterns []string) (paths []string) {
	for _, pattern := range patterns {
		found := []string{pattern}
		if k.Facts(pattern).Language == "" {
			found = slices.DeleteFunc(slices.Clone(k.Paths()), func(path string) bool { return !source.IsCode(path) || !resources.MatchesAny(path, []string{pattern}) })
			if len(found) > 10*maxTaskFiles { // a pattern for everything says nothing about the task
				continue
			}
			slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(len(k.Users(b)), len(k.Users(a))) })
		}
		for _, path := range found {
			if facts := k.Facts(path); facts.Language == "" || facts.Generated || slices.Contains(paths, path) {
				continue
			}
			if paths = append(paths, path); len(paths) == maxTaskFiles {
				return paths
			}
		}
	}
	return paths
}

// codeFile returns the exports and importers of a file.
func codeFile(k inventory.Snapshot, path string) resources.CodeFile {
	file := resources.CodeFile{Path: path}
	facts, err := k.FullFacts(path)
	if err != nil {
		facts = k.Facts(path) // removed in the meantime, or too large
	}
	names := exportedNames(facts)
	for _, name := range names[:min(len(names), maxExports)] {
		file.Exports = append(file.Exports, resources.CodeExport{Name: truncate(name), Signature: truncate(signatureOf(facts, name))})
	}
	file.MoreExports = len(names) - len(file.Exports)
	users, tests := map[string]bool{}, map[string]bool{}
	for _, e := range k.Users(path) {
		if e.Kind == project.TestImport {
			tests[e.From] = true
		} else if !users[e.From] {
			if users[e.From] = true; len(file.Users) < maxUsers {
				file.Users = append(file.Users, e.From)
			}
		}
	}
	file.MoreUse, file.Tests = len(users)-len(file.Users), len(tests)
	for _, note := range facts.Notes[:min(len(facts.Notes), maxPlaces)] {
		file.Todos = append(file.Todos, resources.CodePlace{Line: note.Line, Text: truncate(note.Text)})
	}
	return file
}

// signatureOf returns the signature of an exported name, or "".
func signatureOf(facts source.Facts, name string) string {
	local := name
	if at := slices.IndexFunc(facts.Exports, func(e source.Export) bool { return e.Name == name }); at >= 0 {
		local = facts.Exports[at].Local
	}
	if at := slices.IndexFunc(facts.Symbols, func(s source.Symbol) bool { return s.Owner == "" && s.Name == local }); at >= 0 {
		return strings.TrimPrefix(facts.Symbols[at].Signature, "export ")
	}
	return ""
}

// truncate truncates a text to maxPlace characters.
func truncate(text string) string {
	if r := []rune(text); len(r) > maxPlace {
		return string(r[:maxPlace-1]) + "…"
	}
	return text
}

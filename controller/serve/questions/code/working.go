package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/findings"
	"github.com/idumb-dev/idumb/resources/source"
)

// Maximum amounts of facts about files in progress.
const (
	maxWorked  = 40 // files
	maxExports = 6
	maxUsers   = 4
	maxPlaces  = 5
	maxPlace   = 120 // characters
)

// Worked returns facts about the source files that match patterns, in the order
// of the patterns. Matches of one pattern are sorted by the number of
// importers.
func Worked(k inventory.Known, patterns []string) (files []resources.CodeFile) {
	paths := worked(k, patterns)
	if len(paths) == 0 {
		return nil
	}
	wrong := map[string][]resources.CodePlace{}
	for _, f := range findings.Find(findings.Tree{Files: k, Facts: k.Facts, Graph: k.Graph(), Covers: func(path string) bool { return slices.Contains(paths, path) }}) {
		if f.Rule != findings.Cycle { // reported by its size
			wrong[f.File] = append(wrong[f.File], resources.CodePlace{Line: f.Line, Text: brief(f.Is)})
		}
	}
	knots := knotsOf(k.Graph())
	for _, path := range paths {
		file := codeFile(k, path)
		file.Knot, file.Findings = knots[path], wrong[path][:min(len(wrong[path]), maxPlaces)]
		files = append(files, file)
	}
	return files
}

// worked returns the source files that match patterns.
func worked(k inventory.Known, patterns []string) (paths []string) {
	for _, pattern := range patterns {
		found := []string{pattern}
		if resources.IsGlob(pattern) || strings.HasSuffix(pattern, "/") {
			found = slices.DeleteFunc(slices.Clone(k.Paths()), func(path string) bool { return !source.IsCode(path) || !resources.MatchesAny(path, []string{pattern}) })
			if len(found) > 10*maxWorked { // a pattern for everything says nothing about the task
				continue
			}
			slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(len(k.Users(b)), len(k.Users(a))) })
		}
		for _, path := range found {
			if facts := k.Facts(path); facts.Language == "" || facts.Generated || slices.Contains(paths, path) {
				continue
			}
			if paths = append(paths, path); len(paths) == maxWorked {
				return paths
			}
		}
	}
	return paths
}

// codeFile returns the exports and importers of a file.
func codeFile(k inventory.Known, path string) resources.CodeFile {
	file := resources.CodeFile{Path: path}
	facts, err := k.Whole(path)
	if err != nil {
		facts = k.Facts(path) // removed in the meantime, or too large
	}
	names := exported(facts)
	for _, name := range names[:min(len(names), maxExports)] {
		file.Exports = append(file.Exports, resources.CodeExport{Name: brief(name), Signature: brief(signatureOf(facts, name))})
	}
	file.More = len(names) - len(file.Exports)
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
		file.Todos = append(file.Todos, resources.CodePlace{Line: note.Line, Text: brief(note.Text)})
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

// brief truncates a text to maxPlace characters.
func brief(text string) string {
	if r := []rune(text); len(r) > maxPlace {
		return string(r[:maxPlace-1]) + "…"
	}
	return text
}

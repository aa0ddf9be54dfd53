package drift

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/findings"
	"github.com/idumb-dev/idumb/resources/source"
)

// exported is a name that a file exported and does not any more.
type exported struct{ path, name, signature string }

// ofSymbols are the exported declarations that are gone, stand in another folder, or have another
// signature. What is new breaks nobody, and is not told.
func ofSymbols(before, after findings.Tree) (all []Change) {
	var gone []exported
	places := map[string][]string{} // of what is new, by name
	was, is := before.Files.Paths(), after.Files.Paths()
	for _, file := range union(was, is) {
		old, now := read(before.Files, file), read(after.Files, file)
		if bytes.Equal(old, now) || source.LanguageOf(file) == "" || project.IsTest(file) || project.IsFixture(file) {
			continue
		}
		a, known := exportsOf(file, old)
		b, legible := exportsOf(file, now)
		if !known || !legible {
			continue
		}
		for name, signature := range a {
			other, there := b[name]
			switch {
			case !there:
				gone = append(gone, exported{file, name, signature})
			case !alike(signature, other):
				all = append(all, Change{Symbol, "signature", file + "#" + name, signature, other})
			}
		}
		for name := range b {
			if _, known := a[name]; !known {
				places[name] = append(places[name], file)
			}
		}
	}
	for _, g := range gone {
		all = append(all, departed(g, places[g.name])...)
	}
	return all
}

// formatting is what formatters put before a union or behind a list that they break into lines.
var formatting = [...]string{",)", ")", ",}", "}", ",]", "]", ",>", ">", ":|", ":", "=|", "=", "(|", "(", "<|", "<", ",|", ",", "?|", "?"}

// alike reports whether two signatures say the same, however they are formatted, as far as both are kept.
func alike(a, b string) bool {
	a, b = bareSignature(a), bareSignature(b)
	short, long := strings.TrimSuffix(a, "…"), strings.TrimSuffix(b, "…")
	if short == a && long == b {
		return a == b
	}
	n := min(len(short), len(long))
	return short[:n] == long[:n]
}

func bareSignature(text string) string {
	return strings.NewReplacer(formatting[:]...).Replace(strings.ReplaceAll(text, " ", ""))
}

// departed is the change of a name that is gone from its file: none where another file of its package
// has it now.
func departed(g exported, places []string) []Change {
	sameFolder := func(p string) bool { return path.Dir(p) == path.Dir(g.path) }
	switch {
	case path.Ext(g.path) == ".go" && slices.ContainsFunc(places, sameFolder):
		return nil
	case len(places) == 1:
		return []Change{{Symbol, "moved", g.path + "#" + g.name, g.path, places[0]}}
	}
	return []Change{{Symbol, "removed", g.path + "#" + g.name, g.signature, ""}}
}

// union are the paths of two sorted lists, sorted, each once.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// read is the content of a file; none of one that is not there.
func read(files project.Files, file string) []byte {
	data, err := files.Read(file)
	if err != nil {
		return nil
	}
	return data
}

// maxSignatures is how long those of one name grow, in bytes.
const maxSignatures = 1_000

// exportsOf are the signatures of what a file exports, by full names; false where not all can be told.
func exportsOf(file string, data []byte) (map[string]string, bool) {
	facts := source.Scan(file, data)
	if facts.Generated || facts.Partial != "" {
		return nil, false
	}
	all := map[string]string{}
	for _, s := range facts.Symbols {
		if s.Exported {
			signature := s.Signature
			if s.Kind == source.Constant || s.Kind == source.Variable {
				signature, _, _ = strings.Cut(signature, " = ") // a value is no part of it
			}
			if was := all[s.Full()]; len(was) < maxSignatures { // overloads, one behind the other
				all[s.Full()] = strings.TrimPrefix(was+"; "+signature, "; ")
			}
		}
	}
	return all, true
}

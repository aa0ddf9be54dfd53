package projectdiff

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/lint"
	"github.com/idumb-dev/idumb/resources/source"
)

// removedName is a name that a file no longer exports.
type removedName struct{ path, name, signature string }

// ofSymbols returns the exported declarations that were removed, moved to another
// directory, or have another signature. It does not report new declarations, because they
// are compatible.
func ofSymbols(before, after lint.Tree) (all []Change) {
	var gone []removedName
	places := map[string][]string{} // files of new names, by name
	was, is := before.Files.Paths(), after.Files.Paths()
	for _, file := range union(was, is) {
		old, now := contentOf(before.Files, file), contentOf(after.Files, file)
		if bytes.Equal(old, now) || source.LanguageOf(file) == "" || project.IsTest(file) || project.IsFixture(file) {
			continue
		}
		a, known := exportsOf(file, old)
		b, legible := exportsOf(file, now)
		if !known || !legible {
			continue
		}
		for name, signature := range a {
			switch other, there := b[name]; {
			case !there:
				gone = append(gone, removedName{file, name, signature})
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

// formatting lists pairs of text with and without punctuation that formatters add when they
// break lines.
var formatting = [...]string{",)", ")", ",}", "}", ",]", "]", ",>", ">", ":|", ":", "=|", "=", "(|", "(", "<|", "<", ",|", ",", "?|", "?"}

// alike reports whether two signatures are equal apart from formatting, up to the length
// that is stored of both.
func alike(a, b string) bool {
	a, b = bareSignature(a), bareSignature(b)
	short, long := strings.TrimSuffix(a, "…"), strings.TrimSuffix(b, "…")
	if short == a && long == b {
		return a == b
	}
	n := min(len(short), len(long))
	return short[:n] == long[:n]
}

// bareSignature returns a signature without spaces and formatting.
func bareSignature(text string) string {
	return strings.NewReplacer(formatting[:]...).Replace(strings.ReplaceAll(text, " ", ""))
}

// departed returns the change for a name that was removed from its file. It returns nil if
// the name is now in another file of the package.
func departed(g removedName, places []string) []Change {
	sameFolder := func(p string) bool { return path.Dir(p) == path.Dir(g.path) }
	switch {
	case path.Ext(g.path) == ".go" && slices.ContainsFunc(places, sameFolder):
		return nil
	case len(places) == 1:
		return []Change{{Symbol, "moved", g.path + "#" + g.name, g.path, places[0]}}
	}
	return []Change{{Symbol, "removed", g.path + "#" + g.name, g.signature, ""}}
}

// union returns the merged paths of two lists, sorted, without duplicates.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// contentOf returns the content of a file, or nil if it does not exist.
func contentOf(files project.Files, file string) []byte {
	data, err := files.Read(file)
	if err != nil {
		return nil
	}
	return data
}

// maxSignatures limits the total length of the signatures of one name, in bytes.
const maxSignatures = 1_000

// exportsOf returns the signatures of a file's exports by full name. It returns
// false if the file is generated or if they are incomplete.
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
				signature, _, _ = strings.Cut(signature, " = ") // the value is not part of the signature
			}
			if was := all[s.Full()]; len(was) < maxSignatures { // joins the signatures of overloads
				all[s.Full()] = strings.TrimPrefix(was+"; "+signature, "; ")
			}
		}
	}
	return all, true
}

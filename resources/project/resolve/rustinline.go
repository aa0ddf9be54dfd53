package resolve

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// Imports returns the imports of a file for the resolver. Paths that begin with "super" in
// an inline Rust module are rewritten relative to the file's module. Modules that an inline
// module declares are rewritten too.
func Imports(facts source.Facts) []source.Import {
	if facts.Language != "Rust" {
		return facts.Imports
	}
	imports := slices.Clone(facts.Imports)
	for n := range imports {
		var around []string // enclosing modules, outermost first
		for _, s := range facts.Symbols {
			if s.Kind == source.Module && s.From <= imports[n].Line && imports[n].Line <= s.To && s.From < s.To {
				around = append(around, s.Name)
			}
		}
		if name, found := strings.CutPrefix(imports[n].From, ModuleDeclaration); found {
			imports[n].From = ModuleDeclaration + strings.Join(append(around, name), "::")
			continue
		}
		imports[n].From = outermost(imports[n].From, len(around))
	}
	return imports
}

// outermost rewrites a Rust path for a module that is depth levels further out.
func outermost(from string, depth int) string {
	path, taken := from, 0
	for taken < depth && (path == "super" || strings.HasPrefix(path, "super::")) {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "super"), "::")
		taken++
	}
	switch {
	case taken == 0 || strings.HasPrefix(path, "super"):
		return path
	case path == "":
		return "self"
	}
	return "self::" + path
}

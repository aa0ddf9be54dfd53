package source

import (
	"bytes"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// calledInGo returns the local name of an import. Without an explicit name it is the last
// path element, without a version suffix.
func calledInGo(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name
	}
	return goPackageName(goPath(i))
}

func goPath(i *ast.ImportSpec) string {
	from, _ := strconv.Unquote(i.Path.Value)
	return from
}

// importOf returns an import with the names that the file uses. It has no names for a blank
// import, and "*" for a dot import.
func (g *goFile) importOf(i *ast.ImportSpec, used map[string][]string) Import {
	b := Import{From: goPath(i), Kind: ValueImport, Line: g.line(i.Pos())}
	switch name := calledInGo(i); name {
	case ".":
		b.Names = []string{"*"}
	case "_":
	default:
		b.Names = used[name]
	}
	b.Names = slices.DeleteFunc(slices.Clone(b.Names), func(name string) bool { return name != "*" && !ast.IsExported(name) })
	slices.Sort(b.Names)
	return b
}

// goPackageName guesses the name of a package from its import path.
func goPackageName(from string) string {
	name := path.Base(from)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(from))
	}
	name, _, _ = strings.Cut(name, ".v")
	name = strings.TrimPrefix(name, "go-")
	return name
}

// withoutBraces returns the file without the content of braces, except line ends. Top-level
// names do not depend on that content.
func (u *unit) withoutBraces() []byte {
	kept, at := make([]byte, 0, len(u.data)), 0
	for i := 0; i < len(u.tokens); i++ {
		if t := u.tokens[i]; u.data[t.from] == '{' && int(t.pair) > i {
			i = int(t.pair)
			end := int(u.tokens[i].from)
			kept = append(kept, u.data[at:t.to]...)
			for range bytes.Count(u.data[t.to:end], []byte{'\n'}) {
				kept = append(kept, '\n')
			}
			at = end
		}
	}
	return append(kept, u.data[at:]...)
}

// qualified adds the names that follow "word." for each imported package. It may add
// names of a local variable with the same name as a package.
func (u *unit) qualified(used map[string][]string) {
	for i := 2; i < len(u.tokens); i++ {
		if u.data[u.tokens[i-1].from] != '.' || u.kindOf(i) != wordToken || u.kindOf(i-2) != wordToken || !u.is(i-1, ".") || u.is(i-3, ".") {
			continue
		}
		names, imported := used[string(u.bytes(i-2))]
		if name := u.text(i); imported && !slices.Contains(names, name) {
			used[u.text(i-2)] = append(names, name)
		}
	}
}

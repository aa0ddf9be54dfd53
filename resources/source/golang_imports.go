package source

import (
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
	// The name of the package is guessed from its import path.
	from := goPath(i)
	name := path.Base(from)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(from))
	}
	name, _, _ = strings.Cut(name, ".v")
	name = strings.TrimPrefix(name, "go-")
	return name
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

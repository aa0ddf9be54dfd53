package source

import (
	"bytes"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// calledInGo is what an import is called in its file: without another name as its package, which its
// path ends in, but for a version or what gopkg.in adds.
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

// brought is an import, with the names that are used of it: none where it is called _, and all where
// it is called a dot.
func (g *goFile) brought(i *ast.ImportSpec, used map[string][]string) Import {
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

// goPackageName is what a package is called most often, by the path that it is imported by.
func goPackageName(from string) string {
	name := path.Base(from)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(from))
	}
	name, _, _ = strings.Cut(name, ".v")
	name = strings.TrimPrefix(name, "go-")
	return name
}

// withoutBraces is the file without what stands in braces, but for its line ends: no declaration of
// a Go file does, and none that others see depends on it.
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

// qualified adds the names that stand behind some words and a point: of an import, what is used of
// it. A local variable of the same name may add some.
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

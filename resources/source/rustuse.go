package source

import "strings"

// maxPath limits the length of an imported path, in bytes, because longer paths are not
// human-written.
const maxPath = 1000

// rustImport returns the kind of a use statement. again means that it re-exports.
func rustImport(again bool) string {
	if again {
		return ReExport
	}
	return ValueImport
}

// uses adds the imports of a use statement: one for each path, with the names imported from
// it.
func (r rust) uses(i, end int, again bool) int {
	end = r.until(i, end, ";")
	found := rustPaths{positions: map[string]int{}}
	path, outer := []string{}, []int{0} // segments; their number before each brace
	leaf := func() {
		if n := len(path); n > outer[len(outer)-1] {
			found.add(path)
			path = path[:outer[len(outer)-1]]
		}
	}
	for k := i + 1; k < end; k++ {
		switch {
		case r.is(k, "{"):
			outer = append(outer, len(path))
		case r.is(k, ","):
			leaf()
		case r.is(k, "}") && len(outer) > 1:
			leaf()
			outer = outer[:len(outer)-1]
			path = path[:outer[len(outer)-1]]
		case r.is(k, "as"):
			k++
		case r.is(k, "::"):
			if len(path) == 0 {
				path = append(path, "")
			}
		case r.word(k) || r.is(k, "*"):
			path = append(path, strings.TrimPrefix(r.text(k), "r#"))
		}
	}
	leaf()
	for _, b := range found.all {
		b.Kind, b.Line = rustImport(again), r.lineOf(i)
		r.bring(b)
	}
	return end + 1
}

// rustPaths contains the imports of one use statement, and the index of each path.
type rustPaths struct {
	all       []Import
	positions map[string]int
}

// add adds an imported path. Names from the same path share an import.
func (p *rustPaths) add(path []string) {
	size := 0
	for _, segment := range path {
		if size += len(segment) + 2; size > maxPath {
			return
		}
	}
	n := len(path) - 1
	from, name := strings.Join(path[:n], "::"), path[n]
	if from == "" {
		p.all = append(p.all, Import{From: strings.Join(path, "::")})
		return
	}
	at, found := p.positions[from]
	if !found {
		at = len(p.all)
		p.positions[from], p.all = at, append(p.all, Import{From: from})
	}
	p.all[at].Names = append(p.all[at].Names, name)
}

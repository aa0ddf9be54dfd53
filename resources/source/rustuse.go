package source

import "strings"

// maxPath is how long a path may be that is imported, in bytes; a longer one is none of a person.
const maxPath = 1000

func rustImport(again bool) string {
	if again {
		return ReExport
	}
	return ValueImport
}

// uses adds the imports of a use: one for each path, with the names that it takes from there.
func (r rust) uses(i, end int, again bool) int {
	end = r.until(i, end, ";")
	found := rustPaths{at: map[string]int{}}
	path, outer := []string{}, []int{0} // segments; how many there were before each brace
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

// rustPaths are the imports of one use, and where in them each path stands.
type rustPaths struct {
	all []Import
	at  map[string]int
}

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
	at, found := p.at[from]
	if !found {
		at = len(p.all)
		p.at[from], p.all = at, append(p.all, Import{From: from})
	}
	p.all[at].Names = append(p.all[at].Names, name)
}

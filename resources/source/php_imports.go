package source

import "strings"

// use adds the imports of a use statement, including groups, and returns the token after
// it.
func (p phpFile) use(i int) int {
	end := p.bodyOf(i)
	prefix, line := "", p.lineOf(i)
	if p.is(end-1, `\`) || p.is(end, "{") && p.kindOf(end-1) == wordToken {
		prefix = p.text(end - 1)
		i, end = end, p.tokenAfter(end)-1
	}
	for i++; i < end; i++ {
		if key := p.key(i); (key == "function" || key == "const") && p.kindOf(i+1) == wordToken {
			i++
		}
		if p.kindOf(i) == wordToken {
			p.bring(Import{From: strings.TrimPrefix(prefix+p.text(i), `\`), Kind: ValueImport, Line: line})
		}
		for i < end && !p.is(i, ",") {
			i++
		}
	}
	return end + 1
}

// required adds the files that require and include statements name with literal paths. A
// path relative to the directory of the file begins with a dot.
func (p phpFile) required(from, end int, kind string) {
	for i := from; i < min(end, len(p.tokens)); i++ {
		switch p.key(i) {
		case "require", "require_once", "include", "include_once":
			if path := p.path(i + 1); path != "" {
				p.bring(Import{From: path, Kind: kind, Line: p.lineOf(i)})
			}
		}
	}
}

// path returns the path of an expression that is a literal, or a literal after __DIR__. It
// returns "" for other expressions.
func (p phpFile) path(i int) string {
	for p.is(i, "(") {
		i++
	}
	prefix := ""
	switch {
	case p.key(i) == "__dir__" && p.is(i+1, "."):
		prefix, i = ".", i+2
	case p.key(i) == "dirname" && p.is(i+1, "(") && p.key(i+2) == "__file__" && p.is(i+3, ")") && p.is(i+4, "."):
		prefix, i = ".", i+5
	}
	path := p.unquoted(i)
	if p.is(i+1, ".", "->", "?") || strings.ContainsAny(path, "${\n") {
		return ""
	}
	return prefix + path
}

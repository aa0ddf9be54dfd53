package source

import "strings"

// phpLexis is the lexis of PHP. Qualified names and variables are one word each.
var phpLexis = lexis{
	block: [][2]string{{"/*", "*/"}}, letters: `$\`, odd: phpOdd,
	quotes: []quote{{"'", "'", true, true}},
}

// scanPHP scans the functions, constants, variables and types at the top level of a PHP
// file, including those in an if statement, the members of types, and the imports. Names of
// variables and properties include the dollar sign: $limit, Auth.$limit.
func scanPHP(in input) Facts {
	u := scanned(in, &phpLexis)
	if u.Partial != "" {
		return u.finish()
	}
	if u.unbalanced {
		u.Partial = "does not parse"
	}
	p := phpFile{u}
	for i := 1; i < len(u.tokens); {
		i = max(i+1, p.top(i))
	}
	return u.finish()
}

// phpFile collects the declarations of one file.
type phpFile struct{ *unit }

// key returns a word in lower case, because keywords are case-insensitive.
func (p phpFile) key(i int) string {
	if p.kindOf(i) != wordToken {
		return ""
	}
	return strings.ToLower(p.text(i))
}

// top scans the statement at a token outside of functions and types, and returns the next
// token.
func (p phpFile) top(first int) int {
	i := p.modified(first)
	if p.is(i-1, "::", "->") {
		return i + 1
	}
	switch p.key(i) {
	case "namespace":
		if p.Package == "" && p.kindOf(i+1) == wordToken {
			p.Package = p.text(i + 1)
		}
	case "use":
		return p.use(i)
	case "function":
		return p.function(first, i, Symbol{Kind: Function, Exported: true})
	case "class", "interface", "trait", "enum":
		return p.class(first, i)
	case "const":
		return p.constants(first, i, Symbol{Kind: Constant, Exported: true})
	case "define":
		// including conditional ones: defined('A') or define('A', 1)
		if end := p.tokenAfter(i + 1); (p.begins(i) || p.is(i-1, "or", "OR", "|")) && p.is(i+1, "(") && p.is(i+3, ",") && p.is(end, ";") {
			p.declare(Symbol{Name: p.unquoted(i + 2), Kind: Constant, Exported: true}, i, end+1, end)
		}
	case "require", "require_once", "include", "include_once":
		p.required(i, i+1, ValueImport)
	default:
		if p.kindOf(i) == wordToken && p.bytes(i)[0] == '$' && p.is(i+1, "=") && p.begins(i) {
			return p.variable(i)
		}
	}
	return i + 1
}

// modified returns the token after attributes and modifiers.
func (p phpFile) modified(i int) int {
	for ; i < len(p.tokens); i++ {
		switch p.key(i) {
		case "abstract", "final", "readonly", "public", "protected", "private", "static", "var":
			if p.is(i+1, "(") && p.is(i+3, ")") { // private(set)
				i += 3
			}
		default:
			if !p.is(i, "#[") || p.tokenAfter(i) == i+1 {
				return i
			}
			i = p.tokenAfter(i) - 1
		}
	}
	return i
}

// begins reports whether a statement begins at a token.
func (p phpFile) begins(i int) bool {
	island := p.kindOf(i-1) == textToken && (i == 1 || strings.HasPrefix(p.text(i-1), "?>"))
	return p.is(i-1, ";", "{", "}", ":", ")", "else") || island && !strings.HasSuffix(p.text(i-1), "=")
}

// end returns the token that ends a statement: a semicolon, the closing bracket around the statement, or the end of
// the PHP block.
func (p phpFile) end(i int) int {
	for ; i < len(p.tokens); i = p.tokenAfter(i) {
		if p.is(i, ";", "}", ")", "]") || p.kindOf(i) == textToken && strings.HasPrefix(p.text(i), "?>") {
			break
		}
	}
	return min(i, len(p.tokens)-1)
}

// bodyOf returns the opening bracket of the body after a head, or the end of a head without
// a body.
func (p phpFile) bodyOf(i int) int {
	for i < len(p.tokens) && !p.is(i, "{", ";", "}") {
		i = p.tokenAfter(i)
	}
	return min(i, len(p.tokens)-1)
}

// function declares a function or method; it ignores closures. Imports in its body are
// dynamic.
func (p phpFile) function(first, i int, s Symbol) int {
	name := i + 1
	if p.is(name, "&") {
		name++
	}
	body := p.bodyOf(name)
	last := p.tokenAfter(body) - 1
	if p.kindOf(name) == wordToken && p.is(name+1, "(") {
		s.Name = p.text(name)
		p.declare(s, first, body, last)
		if strings.EqualFold(s.Name, "__construct") && s.Owner != "" {
			p.promoted(name+1, s.Owner)
		}
	}
	p.required(body, last, DynamicImport)
	return last + 1
}

// promoted declares the promoted properties among the parameters of a constructor.
func (p phpFile) promoted(i int, owner string) {
	end := p.tokenAfter(i) - 1
	for first := i + 1; first < end; first++ {
		i = first
		for i < end && !p.is(i, ",") {
			i = p.tokenAfter(i)
		}
		word := first
		for p.is(word, "#[") && p.tokenAfter(word) > word+1 {
			word = p.tokenAfter(word)
		}
		if modified := p.modified(word); modified > word && modified < i {
			p.properties(first, modified, i-1, p.member(first, modified, owner))
		}
		first = i
	}
}

// member returns a symbol with the visibility that the modifiers of a member define.
func (p phpFile) member(first, end int, owner string) Symbol {
	s := Symbol{Owner: owner, Kind: Variable, Exported: true}
	for ; first < end; first++ {
		switch key := p.key(first); {
		case (key == "private" || key == "protected") && !p.is(first+1, "("):
			s.Exported = false
		}
	}
	return s
}

// class declares a type and its members. It skips anonymous classes.
func (p phpFile) class(first, i int) int {
	if p.kindOf(i+1) != wordToken || p.is(first-1, "new") || p.key(i) == "enum" && !p.is(i+2, "{", ":", "implements") {
		if p.key(i) == "class" && (p.is(i+1, "(", "{") || p.kindOf(i+1) == wordToken) {
			return p.tokenAfter(p.bodyOf(i + 1))
		}
		return i + 1
	}
	s := Symbol{Name: p.text(i + 1), Kind: Class, Exported: true}
	switch p.key(i) {
	case "interface", "trait":
		s.Kind = Interface
	case "enum":
		s.Kind = Enum
	}
	body := p.bodyOf(i + 2)
	last := p.tokenAfter(body) - 1
	p.declare(s, first, body, last)
	for j := body + 1; j < last; {
		j = max(j+1, p.inClass(j, s.Name))
	}
	return last + 1
}

// inClass scans the member at a token, and returns the first token of the next one.
func (p phpFile) inClass(first int, owner string) int {
	i := p.modified(first)
	s := p.member(first, i, owner)
	switch p.key(i) {
	case "function":
		s.Kind = Method
		return p.function(first, i, s)
	case "const":
		s.Kind = Constant
		return p.constants(first, i, s)
	case "case":
		s.Name, s.Kind = p.text(i+1), Constant
		end := p.end(i)
		p.declare(s, first, end+1, end)
		return end + 1
	case "use":
		return p.tokenAfter(p.bodyOf(i))
	}
	end := i
	for end < len(p.tokens)-1 && !p.is(end, ";", "}", "{") {
		end = p.tokenAfter(end)
	}
	last := p.tokenAfter(end) - 1
	p.properties(first, i, last, s)
	return last + 1
}

// properties declares the properties of one statement: each variable after a type or a
// comma.
func (p phpFile) properties(first, i, last int, s Symbol) {
	for ; i <= last; i++ {
		for i < last && !(p.kindOf(i) == wordToken && p.bytes(i)[0] == '$') {
			i = p.tokenAfter(i)
		}
		if s.Name = p.text(i); s.Name[0] == '$' {
			p.declare(s, first, last+1, last)
		}
		for i < last && !p.is(i, ",") {
			i = p.tokenAfter(i)
		}
	}
}

// constants declares the constants of one statement: each word before an equals sign.
func (p phpFile) constants(first, i int, s Symbol) int {
	end := p.end(i)
	for ; i < end; i = p.tokenAfter(i) {
		if s.Name = p.text(i); p.kindOf(i) == wordToken && p.is(i+1, "=") {
			p.declare(s, first, end+1, end)
			for i < end && !p.is(i, ",") {
				i = p.tokenAfter(i)
			}
		}
	}
	return end + 1
}

// variable declares a variable that a top-level statement assigns.
func (p phpFile) variable(i int) int {
	end := p.end(i)
	p.declare(Symbol{Name: p.text(i), Kind: Variable, Exported: true}, i, end+1, end)
	p.required(i, end, ValueImport)
	return end + 1
}

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

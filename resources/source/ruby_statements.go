package source

import "strings"

// statement processes a statement that declares constants, attributes or a global variable,
// or changes the visibility of the following methods.
func (r *rubyFile) statement(i int) {
	in := r.top()
	switch r.text(i) {
	case "attr_reader", "attr_writer", "attr_accessor":
		r.attributes(i, !in.private)
	case "private", "protected", "public", "module_function":
		if r.beginsLine(i+1) || i+1 == len(r.tokens) || r.is(i+1, ";", "}", "end") {
			in.private = r.is(i, "private", "protected")
		} else if r.is(i+1, "attr_reader", "attr_writer", "attr_accessor") {
			r.attributes(i+1, r.is(i, "public"))
		} else if r.is(i, "private", "protected") {
			r.hideNamed(i + 1)
		}
	case "private_constant":
		r.hideNamed(i + 1)
	default:
		r.assignment(i)
	}
}

// assignment opens a statement that assigns constants or global variables: A, *B = C = 1.
func (r *rubyFile) assignment(i int) {
	b := rubyBlock{form: statementForm, first: i, owner: r.top().owner}
	var names []Symbol
	for at := i; ; at++ {
		if r.is(at, "*") {
			at++
		}
		s := Symbol{Name: r.text(at), Owner: b.owner, Kind: Constant, Exported: true}
		if r.kindOf(at) != wordToken || s.Name[0] != '$' && (s.Name[0] < 'A' || s.Name[0] > 'Z') {
			break
		}
		if s.Name[0] == '$' {
			s.Kind, s.Owner = Variable, ""
		}
		names = append(names, s)
		if at++; r.is(at, ",") {
			continue
		}
		if r.is(at, "|") && r.is(at+1, "|") {
			at += 2
		}
		if !r.is(at, "=") || r.is(at+1, "~") {
			break
		}
		b.symbols, names = append(b.symbols, names...), nil
	}
	if b.symbols != nil {
		b.head = r.lineEndAfter(i)
		r.push(b)
	}
}

// attributes declares the attributes of an attr statement.
func (r *rubyFile) attributes(i int, exported bool) {
	end := i + 1
	for end < len(r.tokens) && (!r.beginsLine(end) || r.is(end-1, ",", "(")) && !r.is(end, ";", "if", "unless", "end") {
		end = r.tokenAfter(end)
	}
	for j := i + 1; j < end; j++ {
		if name := r.text(j); r.kindOf(j) == wordToken && name[0] == ':' && len(name) > 1 {
			r.declare(Symbol{Name: name[1:], Owner: r.top().owner, Kind: Variable, Exported: exported}, i, end, end-1)
		}
	}
}

// hideNamed records the methods and constants that a statement makes private by name.
func (r *rubyFile) hideNamed(i int) {
	if r.privateNames == nil {
		r.privateNames = map[string]bool{}
	}
	for j := i; j < len(r.tokens) && (j == i || !r.beginsLine(j) || r.is(j-1, ",")); j++ {
		if name := r.text(j); r.kindOf(j) == wordToken && name[0] == ':' {
			r.privateNames[Symbol{Owner: r.top().owner, Name: name[1:]}.Full()] = true
		}
	}
}

// require adds the file that a call loads, if its name is a literal. A relative path begins
// with a dot.
func (r *rubyFile) require(i int) {
	at, kind := i+1, ValueImport
	if r.is(at, "(") {
		at++
	}
	if r.is(i, "autoload") {
		if at, kind = at+2, DynamicImport; !r.is(at-1, ",") {
			return
		}
	}
	from := r.unquoted(at)
	if from == "" || r.kindOf(at) != textToken || r.is(at+1, "#{", "+", ".") || !strings.ContainsAny(r.text(at)[:1], `"'`) {
		return
	}
	if r.top().local {
		kind = DynamicImport
	}
	if r.is(i, "require_relative") && !strings.HasPrefix(from, ".") {
		from = "./" + from
	}
	r.bring(Import{From: from, Kind: kind, Line: r.lineOf(i)})
}

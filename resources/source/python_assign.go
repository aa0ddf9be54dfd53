package source

import "strings"

// assign declares the names that a statement assigns or annotates. It ignores attributes
// and elements.
func (p *pythonFile) assign(s statement, in suite) {
	if p.is(s.first, "type") && p.kindOf(s.first+1) == wordToken && s.first+2 < s.end {
		p.declare(Symbol{Name: p.text(s.first + 1), Owner: in.owner, Kind: Type}, s.first, s.end, s.end-1)
		return
	}
	from, kind := s.first, Variable
	var names []string
	for i := s.first; i < s.end; i = p.tokenAfter(i) {
		switch {
		case p.is(i, "lambda"):
			i = s.end
		case p.is(i, ":") && from == s.first:
			names, kind = p.targets(names, from, i), p.annotated(i, s.end)
			i = s.end
		case p.isAssignment(i):
			names = p.targets(names, from, i)
			from = i + 1
		}
	}
	before := len(p.Symbols)
	for n, name := range names {
		d := Symbol{Name: name, Owner: in.owner, Kind: kind}
		if kind == Variable && (in.enum && name[0] != '_' || inCapitals(name)) {
			d.Kind = Constant
		}
		if n == 0 {
			p.declare(d, s.first, s.end, s.end-1)
			continue
		}
		if len(p.Symbols) == before {
			return
		}
		first := p.Symbols[before]
		first.Name, first.Kind = d.Name, d.Kind
		p.Symbols = append(p.Symbols, first)
	}
}

// isAssignment reports whether a token is an assignment sign, and not the end of an
// augmented assignment (+=) or of a comparison.
func (p *pythonFile) isAssignment(i int) bool {
	if !p.is(i, "=") {
		return false
	}
	before := p.bytes(i - 1)
	return len(before) != 1 || p.tokens[i-1].to < p.tokens[i].from || !strings.ContainsAny(string(before), "+-*/%&|^@<>!~:")
}

// targets appends the names among assignment targets. It looks into brackets, except
// those of a call or an index.
func (p *pythonFile) targets(names []string, from, end int) []string {
	for i := from; i < end; i++ {
		switch {
		case p.is(i, "(", "[") && (p.isOperand(i-1, from) || p.is(p.tokenAfter(i), ".", "(", "[")):
			i = p.tokenAfter(i) - 1
		case p.kindOf(i) == wordToken && (i == from || p.is(i-1, ",", "*", "(", "[")) && (i+1 == end || p.is(i+1, ",", ")", "]")):
			names = append(names, p.text(i))
		}
	}
	return names
}

// isOperand reports whether a bracket after a token begins a call or an index.
func (p *pythonFile) isOperand(i, from int) bool {
	return i >= from && (p.kindOf(i) == wordToken || p.kindOf(i) == textToken || p.is(i, ")", "]", "}"))
}

// annotated returns the kind of a variable, based on its annotation.
func (p *pythonFile) annotated(i, end int) string {
	for ; i < end && !p.isAssignment(i); i++ {
		switch p.text(i) {
		case "Final":
			return Constant
		case "TypeAlias":
			return Type
		}
	}
	return Variable
}

// inCapitals reports whether a name is a constant by Python's style guide.
func inCapitals(name string) bool {
	return len(name) > 1 && name == strings.ToUpper(name) && name != strings.ToLower(name)
}

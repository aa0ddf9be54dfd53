package jsonpath

import (
	"strconv"
	"strings"
)

// bracket reads the rest of [...].
func (p *parser) bracket() (step, error) {
	p.spaces()
	switch {
	case p.skip("*"):
		return step{kind: all}, p.close()
	case p.skip("?("):
		return p.where()
	case !p.end() && (p.in[p.at] == '\'' || p.in[p.at] == '"'):
		return p.keys()
	}
	return p.numbers()
}

func (p *parser) close() error {
	if p.spaces(); !p.skip("]") {
		return p.fail("] expected")
	}
	return nil
}

// keys reads 'a' or 'a','b'.
func (p *parser) keys() (step, error) {
	s := step{kind: field}
	for {
		p.spaces()
		if p.end() || p.in[p.at] != '\'' && p.in[p.at] != '"' {
			return s, p.fail("a quoted name is expected")
		}
		name, err := p.quoted()
		if err != nil {
			return s, err
		}
		s.names = append(s.names, name)
		if p.spaces(); !p.skip(",") {
			return s, p.close()
		}
	}
}

// numbers reads 0, -1, 0,2 or 1:3.
func (p *parser) numbers() (step, error) {
	low, err := p.number()
	if err != nil {
		return step{}, err
	}
	if p.spaces(); p.skip(":") {
		high, err := p.number()
		if err != nil {
			return step{}, err
		}
		return step{kind: slice, low: low, high: high}, p.close()
	}
	if low == nil {
		return step{}, p.fail("a number, *, a quoted name or ?(...) is expected in [...]")
	}
	s := step{kind: index, index: []int{*low}}
	for p.spaces(); p.skip(","); p.spaces() {
		next, err := p.number()
		if err != nil {
			return step{}, err
		}
		if next == nil {
			return step{}, p.fail("a number is expected")
		}
		s.index = append(s.index, *next)
	}
	return s, p.close()
}

// number reads an integer; nil if there is none.
func (p *parser) number() (*int, error) {
	p.spaces()
	start := p.at
	for !p.end() && (p.in[p.at] >= '0' && p.in[p.at] <= '9' || p.in[p.at] == '-') {
		p.at++
	}
	if start == p.at {
		return nil, nil
	}
	n, err := strconv.Atoi(p.in[start:p.at])
	if err != nil {
		return nil, p.fail("%q is not a number", p.in[start:p.at])
	}
	return &n, nil
}

// where reads the rest of ?(...)].
func (p *parser) where() (step, error) {
	if p.depth++; p.depth > maxDepth {
		return step{}, p.fail("filters are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	if err != nil {
		return step{}, err
	}
	f := &filter{left: left}
	p.spaces()
	for _, op := range [...]string{"==", "!=", "<=", ">=", "<", ">"} {
		if p.skip(op) {
			f.op = op
			break
		}
	}
	if f.op != "" {
		if f.right, err = p.operand(); err != nil {
			return step{}, err
		}
	}
	if p.spaces(); !p.skip(")") {
		return step{}, p.fail(") expected; a filter is ?(@.field==\"value\")")
	}
	return step{kind: where, filter: f}, p.close()
}

// operand reads a path or a literal: a quoted string, a number, true, false, null.
func (p *parser) operand() (operand, error) {
	p.spaces()
	if p.end() {
		return operand{}, p.fail("a value is expected")
	}
	switch c := p.in[p.at]; {
	case c == '\'' || c == '"':
		s, err := p.quoted()
		return operand{text: s}, err
	case c == '@' || c == '$' || c == '.':
		steps, err := p.path()
		return operand{path: steps}, err
	}
	start := p.at
	for !p.end() && strings.IndexByte(" \t)=!<>]", p.in[p.at]) < 0 {
		p.at++
	}
	if start == p.at {
		return operand{}, p.fail("a value is expected")
	}
	return operand{text: p.in[start:p.at]}, nil
}

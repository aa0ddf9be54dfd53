package selectors

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// parser parses a template. After the first error, the input counts as consumed, so that
// only the outermost caller needs to check for errors.
type parser struct {
	source   string
	position int
	depth    int
	err      error
}

// maxDepth limits the nesting of ranges and filters.
const maxDepth = 32

// fail records the first error with its position and ends the parsing.
func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("jsonpath %q: at %d: %s", p.source, p.position+1, fmt.Sprintf(format, args...))
	}
	p.position = len(p.source)
}

// rest returns the remaining input.
func (p *parser) rest() string { return p.source[p.position:] }

// end reports whether the whole input was read.
func (p *parser) end() bool { return p.position >= len(p.source) }

// next reports whether the next character is one of any.
func (p *parser) next(any string) bool {
	return !p.end() && strings.IndexByte(any, p.source[p.position]) >= 0
}

// skip skips a prefix. It returns false if the input does not continue with it.
func (p *parser) skip(prefix string) bool {
	if !strings.HasPrefix(p.rest(), prefix) {
		return false
	}
	p.position += len(prefix)
	return true
}

// while skips characters that are (or, if are is false, are not) in any, and returns them.
func (p *parser) while(any string, are bool) string {
	start := p.position
	for !p.end() && p.next(any) == are {
		p.position++
	}
	return p.source[start:p.position]
}

// spaces skips white space.
func (p *parser) spaces() { p.while(" \t\n", true) }

// expect skips spaces and a required token.
func (p *parser) expect(token, message string) {
	if p.spaces(); !p.skip(token) {
		p.fail("%s", message)
	}
}

// template parses text and {...} up to the end or, inside a range, up to {end}.
func (p *parser) template(inRange bool) (nodes []node) {
	if p.depth++; p.depth > maxDepth {
		p.fail("more than %d nested ranges", maxDepth)
	}
	defer func() { p.depth-- }()
	for !p.end() {
		if text := p.while("{", false); text != "" {
			nodes = append(nodes, node{text: text})
			continue
		}
		p.position++
		more, ended := p.action()
		nodes = append(nodes, more...)
		switch {
		case ended && inRange:
			return nodes
		case ended:
			p.fail("{end} without {range}")
		}
	}
	if inRange {
		p.fail("{range} without {end}")
	}
	return nodes
}

// action parses the content of braces. ended reports whether it is {end}.
func (p *parser) action() (nodes []node, ended bool) {
	for {
		p.spaces()
		switch {
		case p.end():
			p.fail("a brace is not closed")
			return nil, false
		case p.skip("}"):
			return nodes, ended
		case p.word("end"):
			ended = true
		case p.word("range"):
			p.spaces()
			n := node{path: p.path(), loop: true}
			p.expect("}", "} expected after the path of a range")
			n.body = p.template(true)
			return append(nodes, n), false
		case p.next(`"'`):
			nodes = append(nodes, node{text: p.quoted()})
		default:
			nodes = append(nodes, node{path: p.path()})
		}
	}
}

// word skips a keyword that is not the prefix of a longer name.
func (p *parser) word(w string) bool {
	after, ok := strings.CutPrefix(p.rest(), w)
	if !ok || after != "" && after[0] != ' ' && after[0] != '}' && after[0] != '\t' {
		return false
	}
	p.position += len(w)
	return true
}

// quoted parses a string in single or double quotes with Go's escapes.
func (p *parser) quoted() string {
	quote := p.source[p.position]
	for i := p.position + 1; i < len(p.source); i++ {
		switch p.source[i] {
		case '\\':
			i++
		case quote:
			inner := p.source[p.position+1 : i]
			p.position = i + 1
			return p.unquote(inner, quote)
		}
	}
	p.fail("a quote is not closed")
	return ""
}

// unquote resolves the escapes in the content of a quoted string.
func (p *parser) unquote(inner string, quote byte) string {
	var b strings.Builder
	for rest := inner; rest != ""; {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, quote)
		switch {
		case err != nil:
			p.fail("%q is not a valid string", rest)
			return ""
		case multibyte || r < 0x80:
			b.WriteRune(r)
		default:
			b.WriteByte(byte(r))
		}
		rest = tail
	}
	return b.String()
}

// path parses steps up to the first character that cannot continue a path.
func (p *parser) path() *path {
	to := &path{absolute: p.skip("$")}
	if !to.absolute && !p.skip("@") && !p.end() && !p.next(".[") {
		p.named(to, "a path is expected, such as .metadata.name")
	}
	for p.step(to) {
	}
	return to
}

// step parses one step. It returns false if there is no further step.
func (p *parser) step(to *path) bool {
	switch {
	case p.skip(".."):
		to.steps = append(to.steps, deep)
		if p.next("[") {
			return true
		}
	case p.skip("."):
		if p.end() || p.next(" }[") {
			return true // {.} is the value itself, {.[0]} its first item
		}
	case p.skip("["):
		to.steps = append(to.steps, p.bracket())
		return true
	default:
		return false
	}
	if p.skip("*") {
		to.steps = append(to.steps, all)
		return true
	}
	p.named(to, "a name is expected after a dot")
	return true
}

// named parses a name up to the next delimiter. A backslash escapes the next character.
func (p *parser) named(to *path, missing string) {
	var b strings.Builder
	for ; !p.end() && !p.next(" \t\n.[](){},\"'=!<>|&*@$?"); p.position++ {
		if p.source[p.position] == '\\' && p.position+1 < len(p.source) {
			p.position++
		}
		b.WriteByte(p.source[p.position])
	}
	if b.Len() == 0 {
		p.fail("%s", missing)
	}
	to.steps = append(to.steps, fields(b.String()))
}

// bracket parses the rest of a step in brackets, after "[".
func (p *parser) bracket() (s step) {
	p.spaces()
	switch {
	case p.skip("*"):
		s = all
	case p.skip("?("):
		s = p.parseFilter()
	case p.next(`'"`):
		s = p.keys()
	default:
		s = p.numbers()
	}
	p.expect("]", "] expected")
	return s
}

// keys parses the names in ['a'] or ['a','b'].
func (p *parser) keys() step {
	var names []string
	for {
		if p.spaces(); !p.next(`'"`) {
			p.fail("a quoted name is expected")
			return nil
		}
		names = append(names, p.quoted())
		if p.spaces(); !p.skip(",") {
			return fields(names...)
		}
	}
}

// numbers parses 0, -1, 0,2 or 1:3.
func (p *parser) numbers() step {
	low := p.number()
	if p.spaces(); p.skip(":") {
		return slice(low, p.number())
	}
	if low == nil {
		p.fail("a number, *, a quoted name or ?(...) is expected in [...]")
		return nil
	}
	places := []int{*low}
	for p.spaces(); p.skip(","); p.spaces() {
		next := p.number()
		if next == nil {
			p.fail("a number is expected")
			return nil
		}
		places = append(places, *next)
	}
	return items(places)
}

// number parses an integer, or returns nil.
func (p *parser) number() *int {
	p.spaces()
	digits := p.while("-0123456789", true)
	n, err := strconv.Atoi(digits)
	if digits != "" && err != nil {
		p.fail("%q is not a number", digits)
	}
	if err != nil {
		return nil
	}
	return &n
}

// parseFilter parses the rest of a filter, ?(...).
func (p *parser) parseFilter() step {
	if p.depth++; p.depth > maxDepth {
		p.fail("more than %d nested filters", maxDepth)
	}
	defer func() { p.depth-- }()
	left := p.operand()
	f := func(s scope, item reflect.Value) bool { _, ok := left(s, item); return ok }
	p.spaces()
	for _, op := range operators {
		if p.skip(op.sign) {
			f = comparison(left, p.operand(), op.holds)
			break
		}
	}
	p.expect(")", `) expected; a filter is ?(@.field=="value")`)
	return func(s scope, v reflect.Value, out []reflect.Value) []reflect.Value {
		for _, item := range s.children(v) {
			if f(s, item) {
				out = append(out, item)
			}
		}
		return out
	}
}

// operand parses a path or a literal: a quoted string, a number, true, false, null.
func (p *parser) operand() operand {
	p.spaces()
	if p.next("@$.") {
		return p.path().first
	}
	text := ""
	if p.next(`'"`) {
		text = p.quoted()
	} else if text = p.while(" \t)=!<>]", false); text == "" {
		p.fail("a value is expected")
	}
	return func(scope, reflect.Value) (string, bool) { return text, true }
}

package jsonpath

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// step is one step of a path.
type step struct {
	kind   stepKind
	names  []string // field
	index  []int    // index
	low    *int     // slice
	high   *int
	filter *filter
}

type stepKind int

const (
	root    stepKind = iota // $
	current                 // @
	field                   // .name, ['name'], ['a','b']
	index                   // [0], [-1], [0,2]
	slice                   // [1:3]
	all                     // [*], .*
	deep                    // ..
	where                   // [?(...)]
)

// filter is left op right; op "" asks whether left exists.
type filter struct {
	left, right operand
	op          string
}

// operand is a path or, if path is nil, a literal as it stands in JSON.
type operand struct {
	path []step
	text string
}

type parser struct {
	in    string
	at    int
	depth int
}

// maxDepth bounds nested ranges and filters.
const maxDepth = 32

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("jsonpath %q: at %d: %s", p.in, p.at+1, fmt.Sprintf(format, args...))
}

func (p *parser) rest() string { return p.in[p.at:] }
func (p *parser) end() bool    { return p.at >= len(p.in) }

func (p *parser) skip(prefix string) bool {
	if !strings.HasPrefix(p.rest(), prefix) {
		return false
	}
	p.at += len(prefix)
	return true
}

func (p *parser) spaces() {
	for !p.end() && (p.in[p.at] == ' ' || p.in[p.at] == '\t' || p.in[p.at] == '\n') {
		p.at++
	}
}

// template reads text and {...} up to the end or, inside a range, to {end}.
func (p *parser) template(inRange bool) ([]node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("ranges are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	var nodes []node
	for !p.end() {
		open := strings.IndexByte(p.rest(), '{')
		if open < 0 {
			open = len(p.rest())
		}
		if open > 0 {
			nodes = append(nodes, node{text: p.rest()[:open]})
			p.at += open
			continue
		}
		p.at++
		more, ended, err := p.action()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, more...)
		if ended && inRange {
			return nodes, nil
		}
		if ended {
			return nil, p.fail("{end} without {range}")
		}
	}
	if inRange {
		return nil, p.fail("{range} without {end}")
	}
	return nodes, nil
}

// action reads what stands between two braces; ended tells {end}.
func (p *parser) action() (nodes []node, ended bool, err error) {
	for {
		p.spaces()
		switch {
		case p.end():
			return nil, false, p.fail("a brace is not closed")
		case p.skip("}"):
			return nodes, ended, nil
		case p.word("end"):
			ended = true
		case p.word("range"):
			n, err := p.loop()
			return append(nodes, n), false, err
		case p.in[p.at] == '"' || p.in[p.at] == '\'':
			s, err := p.quoted()
			if err != nil {
				return nil, false, err
			}
			nodes = append(nodes, node{text: s})
		default:
			steps, err := p.path()
			if err != nil {
				return nil, false, err
			}
			nodes = append(nodes, node{path: steps})
		}
	}
}

// loop reads the rest of {range path}...{end}.
func (p *parser) loop() (node, error) {
	p.spaces()
	steps, err := p.path()
	if err != nil {
		return node{}, err
	}
	if p.spaces(); !p.skip("}") {
		return node{}, p.fail("} expected after the path of a range")
	}
	body, err := p.template(true)
	return node{path: steps, body: body, loop: true}, err
}

// word skips a keyword that is not the beginning of a longer name.
func (p *parser) word(w string) bool {
	after, ok := strings.CutPrefix(p.rest(), w)
	if !ok || after != "" && after[0] != ' ' && after[0] != '}' && after[0] != '\t' {
		return false
	}
	p.at += len(w)
	return true
}

// quoted reads a string in single or double quotes, with Go's escapes.
func (p *parser) quoted() (string, error) {
	quote, start := p.in[p.at], p.at
	for i := p.at + 1; i < len(p.in); i++ {
		switch p.in[i] {
		case '\\':
			i++
		case quote:
			inner := p.in[start+1 : i]
			p.at = i + 1
			return p.unquote(inner, quote)
		}
	}
	return "", p.fail("a quote is not closed")
}

func (p *parser) unquote(inner string, quote byte) (string, error) {
	var b strings.Builder
	for inner != "" {
		r, multibyte, tail, err := strconv.UnquoteChar(inner, quote)
		if err != nil {
			return "", p.fail("%q is not a valid string", inner)
		}
		if multibyte || r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		inner = tail
	}
	return b.String(), nil
}

// wholePath reads a path that is all there is; its first dot may be left out.
func (p *parser) wholePath() ([]step, error) {
	if p.end() {
		return nil, errors.New("jsonpath: a path is empty; for example {.metadata.name}")
	}
	steps, err := p.path()
	if err == nil && !p.end() {
		err = p.fail("unexpected %q", p.rest())
	}
	return steps, err
}

// path reads steps until something follows that is none.
func (p *parser) path() ([]step, error) {
	steps := []step{}
	switch {
	case p.skip("$"):
		steps = append(steps, step{kind: root})
	case p.skip("@"):
		steps = append(steps, step{kind: current})
	case !p.end() && p.in[p.at] != '.' && p.in[p.at] != '[':
		name := p.name()
		if name == "" {
			return nil, p.fail("a path is expected, such as .metadata.name")
		}
		steps = append(steps, step{kind: field, names: []string{name}})
	}
	for !p.end() {
		s, more, err := p.step()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		steps = append(steps, s...)
	}
	return steps, nil
}

func (p *parser) step() (steps []step, more bool, err error) {
	switch {
	case p.skip(".."):
		steps = []step{{kind: deep}}
		if !p.end() && p.in[p.at] == '[' {
			return steps, true, nil
		}
	case p.skip("."):
		if p.end() || strings.IndexByte(" }[", p.in[p.at]) >= 0 {
			return nil, true, nil // {.} is the value itself, {.[0]} its first item
		}
	case p.skip("["):
		s, err := p.bracket()
		return []step{s}, true, err
	default:
		return nil, false, nil
	}
	if p.skip("*") {
		return append(steps, step{kind: all}), true, nil
	}
	name := p.name()
	if name == "" {
		return nil, false, p.fail("a name is expected after a dot")
	}
	return append(steps, step{kind: field, names: []string{name}}), true, nil
}

// name reads a name up to the next character that ends one; \ takes the next
// character as it is.
func (p *parser) name() string {
	var b strings.Builder
	for ; !p.end(); p.at++ {
		c := p.in[p.at]
		if c == '\\' && p.at+1 < len(p.in) {
			p.at++
			b.WriteByte(p.in[p.at])
			continue
		}
		if strings.IndexByte(" \t\n.[](){},\"'=!<>|&*@$?", c) >= 0 {
			break
		}
		b.WriteByte(c)
	}
	return b.String()
}

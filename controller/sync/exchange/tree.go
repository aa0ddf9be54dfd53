package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// node is a value in a JSON text, with its position and its children.
type node struct {
	source     string // the full text
	start, end int
	members    []member // members of an object
	items      []*node  // items of a list
}

// member is a name of an object with its value.
type member struct {
	name     string
	position int // position of the name
	value    *node
}

var errDuplicate = errors.New("duplicate name in an object")

// parse parses a text that must be one JSON object without duplicate names.
func parse(text []byte) (*node, error) {
	if len(text) > resources.MaxFileSize {
		return nil, errors.New("it is larger than 1 MiB")
	}
	if !json.Valid(text) {
		return nil, errors.New("it is no JSON")
	}
	r := reader{source: string(text)}
	r.space()
	n, err := r.value(0)
	if err == nil && n.kind() != '{' {
		err = errors.New("it is no JSON object")
	}
	return n, err
}

// reader scans a text that is valid JSON.
type reader struct {
	source   string
	position int
}

// space skips white space.
func (r *reader) space() {
	for r.position < len(r.source) && strings.IndexByte(" \t\r\n", r.source[r.position]) >= 0 {
		r.position++
	}
}

// value parses the value at the current position.
func (r *reader) value(depth int) (*node, error) {
	if depth > resources.MaxNesting {
		return nil, fmt.Errorf("it is nested deeper than %d", resources.MaxNesting)
	}
	n := &node{source: r.source, start: r.position}
	var err error
	switch r.source[r.position] {
	case '{':
		err = r.object(n, depth)
	case '[':
		err = r.list(n, depth)
	case '"':
		r.text()
	default:
		for r.position < len(r.source) && strings.IndexByte(" \t\r\n,]}", r.source[r.position]) < 0 {
			r.position++
		}
	}
	n.end = r.position
	return n, err
}

// text skips the string at the current position.
func (r *reader) text() {
	for r.position++; r.source[r.position] != '"'; r.position++ {
		if r.source[r.position] == '\\' {
			r.position++
		}
	}
	r.position++
}

// object parses the members of an object. It returns errDuplicate if a name
// occurs twice.
func (r *reader) object(n *node, depth int) error {
	for r.next('}') {
		m := member{position: r.position}
		r.text()
		m.name = unquoted(r.source[m.position:r.position])
		if n.member(m.name) != nil {
			return errDuplicate
		}
		r.space()
		r.position++ // the colon
		r.space()
		var err error
		if m.value, err = r.value(depth + 1); err != nil {
			return err
		}
		n.members = append(n.members, m)
	}
	return nil
}

// list parses the items of a list.
func (r *reader) list(n *node, depth int) error {
	for r.next(']') {
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	return nil
}

// next moves to the next element of a container that ends with end. At the end
// it returns false and skips the end.
func (r *reader) next(end byte) bool {
	if c := r.source[r.position]; c == '{' || c == '[' || c == ',' {
		r.position++
	}
	r.space()
	if r.position < len(r.source) && r.source[r.position] == ',' {
		r.position++
		r.space()
	}
	if r.source[r.position] == end {
		r.position++
		return false
	}
	return true
}

// kind returns the first byte of the value, or 0 for nil.
func (n *node) kind() byte {
	if n == nil {
		return 0
	}
	return n.source[n.start]
}

// text returns the text of the value, or "" for nil.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	return n.source[n.start:n.end]
}

// raw returns the value as JSON, or nil for nil.
func (n *node) raw() json.RawMessage {
	if n == nil {
		return nil
	}
	return json.RawMessage(n.text())
}

// member returns the value of a member, or nil.
func (n *node) member(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// unquoted decodes a JSON string.
func unquoted(text string) string {
	var s string
	_ = json.Unmarshal([]byte(text), &s) // valid JSON
	return s
}

// equal reports whether two values are equal, regardless of formatting.
func equal(a, b *node) bool {
	if a == nil || b == nil || a.kind() != b.kind() {
		return a == nil && b == nil || a != nil && b != nil && isNumber(a) && isNumber(b) && sameNumber(a, b)
	}
	switch a.kind() {
	case '{':
		return len(a.members) == len(b.members) && !slices.ContainsFunc(a.members, func(m member) bool { return !equal(m.value, b.member(m.name)) })
	case '[':
		return slices.EqualFunc(a.items, b.items, equal)
	case '"':
		return a.text() == b.text() || unquoted(a.text()) == unquoted(b.text())
	}
	return a.text() == b.text() || isNumber(a) && sameNumber(a, b)
}

// isNumber reports whether a JSON value is a number.
func isNumber(n *node) bool { return strings.IndexByte("-0123456789", n.kind()) >= 0 }

// sameNumber compares integers by value and other numbers by their digits.
func sameNumber(a, b *node) bool {
	x, err := strconv.ParseInt(a.text(), 10, 64)
	y, wrong := strconv.ParseInt(b.text(), 10, 64)
	return a.text() == b.text() || err == nil && wrong == nil && x == y
}

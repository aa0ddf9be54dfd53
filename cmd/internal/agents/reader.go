package agents

import (
	"bytes"
	"encoding/json"
	"strings"
)

// node is one value in a text.
type node struct {
	kind       byte // '{', '[', or 0 for anything else; 0 with end 0: not there
	start, end int
	members    []member
	items      []node
}

type member struct {
	key   string
	start int // of the key
	value node
}

// reader walks through a text that is known to be valid JSON.
type reader struct {
	text []byte
	pos  int
}

func (r *reader) blanks() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

func (r *reader) value() node {
	r.blanks()
	n := node{start: r.pos}
	switch r.text[r.pos] {
	case '{':
		n.kind = '{'
		r.pos++
		for r.blanks(); r.text[r.pos] != '}'; r.blanks() {
			n.members = append(n.members, r.member())
			r.comma()
		}
		r.pos++
	case '[':
		n.kind = '['
		r.pos++
		for r.blanks(); r.text[r.pos] != ']'; r.blanks() {
			n.items = append(n.items, r.value())
			r.comma()
		}
		r.pos++
	case '"':
		r.skipText()
	default:
		for r.pos < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.pos]) < 0 {
			r.pos++
		}
	}
	n.end = r.pos
	return n
}

func (r *reader) member() member {
	m := member{start: r.pos}
	r.skipText()
	_ = json.Unmarshal(r.text[m.start:r.pos], &m.key) // valid, as all of the text
	r.blanks()
	r.pos++ // the colon
	m.value = r.value()
	return m
}

func (r *reader) comma() {
	if r.blanks(); r.text[r.pos] == ',' {
		r.pos++
	}
}

// skipText skips a string.
func (r *reader) skipText() {
	for r.pos++; r.text[r.pos] != '"'; r.pos++ {
		if r.text[r.pos] == '\\' {
			r.pos++
		}
	}
	r.pos++
}

// member returns the value of a key; of several the last, as most readers do.
func (n node) member(key string) node {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return node{}
}

func (n node) exists() bool { return n.end > 0 }

func (n node) empty() bool { return n.kind != 0 && len(n.members)+len(n.items) == 0 }

// elements returns where the elements of a container start and end, and which of
// them a step of a path names.
func (n node) elements(step any) (starts, ends []int, index int) {
	for i, m := range n.members {
		starts, ends = append(starts, m.start), append(ends, m.value.end)
		if m.key == step {
			index = i
		}
	}
	for i, item := range n.items {
		starts, ends = append(starts, item.start), append(ends, item.end)
		if i == step {
			index = i
		}
	}
	return starts, ends, index
}

// around returns the element of a container that a node stands in.
func (n node) around(inner node) node {
	for _, m := range n.members {
		if m.value.start <= inner.start && inner.end <= m.value.end {
			return m.value
		}
	}
	for _, item := range n.items {
		if item.start <= inner.start && inner.end <= item.end {
			return item
		}
	}
	return inner
}

// blankComments puts blanks in place of // and /* */ comments; line ends stay. A
// comment without an end is left as it is: then the text is no JSON.
func blankComments(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; i < len(out); i++ {
		rest := text[i:]
		switch {
		case text[i] == '"':
			i += textLength(rest) - 1
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i = blank(out, i, i+n) - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
				i = blank(out, i, i+2+n+2) - 1
			}
		}
	}
	return out
}

// blank puts blanks from one place to another, and returns the latter.
func blank(text []byte, from, to int) int {
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
	return to
}

// textLength is how long the string is that a text begins with, its quotes
// included; all of the text if it does not end.
func textLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// blankLastCommas puts a blank for each comma before a closing bracket.
func blankLastCommas(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			i += textLength(out[i:]) - 1
			comma = -1
		case c == ',':
			comma = i
		case (c == ']' || c == '}') && comma >= 0 && !opens(out, comma):
			out[comma], comma = ' ', -1
		case strings.IndexByte(" \t\r\n", c) < 0:
			comma = -1
		}
	}
	return out
}

// opens: before a comma stands an opening bracket, or another comma, and it is wrong there.
func opens(text []byte, comma int) bool {
	before := bytes.TrimRight(text[:comma], " \t\r\n")
	return len(before) == 0 || strings.IndexByte("[{,:", before[len(before)-1]) >= 0
}

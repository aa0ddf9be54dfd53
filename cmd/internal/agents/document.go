package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is a JSON text that can be changed in places without touching the
// rest of it.
type document struct {
	text []byte
	root node
}

// node is one value in the text.
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

// parse reads a JSON object. Empty text stands for an empty one.
func parse(text []byte) (document, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	if err := valid(text); err != nil {
		return document{}, err
	}
	r := &reader{text: text}
	d := document{text: text, root: r.value()}
	if d.root.kind != '{' {
		return document{}, errors.New("holds no JSON object; mend it first, it was not touched")
	}
	return d, nil
}

// valid says where a text is no JSON.
func valid(text []byte) error {
	var whatever json.RawMessage
	err := json.Unmarshal(text, &whatever)
	if err == nil {
		return nil
	}
	line := 0
	if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) {
		line = 1 + bytes.Count(text[:min(int(wrong.Offset), len(text))], []byte("\n"))
	}
	return fmt.Errorf("is no valid JSON (line %d: %w); mend it first, it was not touched", line, err)
}

// reader walks through a text that is known to be valid.
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

// at returns the value at a path of keys (string) and indexes (int).
func (d document) at(path []any) node {
	n := d.root
	for _, step := range path {
		switch step := step.(type) {
		case string:
			n = n.member(step)
		case int:
			if step >= len(n.items) {
				return node{}
			}
			n = n.items[step]
		}
	}
	return n
}

func (d document) raw(n node) []byte { return d.text[n.start:n.end] }

// checkShape reports whether our entries can be put in without changing what
// something else means.
func checkShape(d document) error {
	hooks := d.at([]any{"hooks"})
	if hooks.exists() && hooks.kind != '{' {
		return errors.New(`has "hooks" that is no object; mend it first, it was not touched`)
	}
	for _, event := range hooks.members {
		if event.value.kind != '[' {
			return fmt.Errorf("has hooks.%s that is no list; mend it first, it was not touched", event.key)
		}
	}
	return nil
}

// appendTo adds a value at the end of the list at a path of keys, and makes the
// objects and the list on the way where they are missing.
func (d document) appendTo(path []string, value any) document {
	n, depth := d.root, 0
	for _, key := range path {
		next := n.member(key)
		if !next.exists() {
			break
		}
		n, depth = next, depth+1
	}
	if depth == len(path) {
		return d.insert(n, d.render(value, depth+1))
	}
	for i := len(path) - 1; i > depth; i-- {
		if i == len(path)-1 {
			value = []any{value}
		}
		value = map[string]any{path[i]: value}
	}
	if depth == len(path)-1 {
		value = []any{value}
	}
	key, _ := json.Marshal(path[depth]) // a string
	return d.insert(n, string(key)+": "+d.render(value, depth+1))
}

// insert adds a rendered element at the end of an object or a list.
func (d document) insert(n node, element string) document {
	depth := d.depthOf(n)
	inner, outer := "\n"+strings.Repeat(d.indent(), depth+1), "\n"+strings.Repeat(d.indent(), depth)
	from, to, text := n.start+1, n.end-1, inner+element+outer
	if last := lastEnd(n); last > 0 {
		from, to, text = last, last, ","+inner+element
		if !bytes.ContainsRune(d.text[last:n.end], '\n') {
			text += outer // the list stood on one line
			to = n.end - 1
		}
	}
	return d.replace(from, to, text)
}

func lastEnd(n node) int {
	switch {
	case len(n.members) > 0:
		return n.members[len(n.members)-1].value.end
	case len(n.items) > 0:
		return n.items[len(n.items)-1].end
	}
	return 0
}

// remove takes out the element at a path, with the comma that belongs to it.
func (d document) remove(path []any) document {
	parent := d.at(path[:len(path)-1])
	starts, ends, index := parent.elements(path[len(path)-1])
	switch {
	case len(starts) == 1:
		return d.replace(parent.start+1, parent.end-1, "")
	case index == len(starts)-1:
		return d.replace(ends[index-1], ends[index], "")
	}
	return d.replace(starts[index], starts[index+1], "")
}

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

// replace changes a part of the text. The result is valid again, because every
// caller exchanges whole elements.
func (d document) replace(from, to int, text string) document {
	changed := append(append(append([]byte{}, d.text[:from]...), text...), d.text[to:]...)
	r := &reader{text: changed}
	return document{text: changed, root: r.value()}
}

// depthOf counts the containers around a node.
func (d document) depthOf(n node) int {
	depth := 0
	for at := d.root; at.start != n.start; depth++ {
		at = at.around(n)
	}
	return depth
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

// indent is one step of the text's own indentation, two spaces where it has none.
func (d document) indent() string {
	for _, m := range d.root.members {
		line := bytes.LastIndexByte(d.text[:m.start], '\n')
		if lead := string(d.text[line+1 : m.start]); line >= 0 && lead != "" && strings.Trim(lead, " \t") == "" {
			return lead
		}
	}
	return "  "
}

// render writes a value as it stands at a depth.
func (d document) render(value any, depth int) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(strings.Repeat(d.indent(), depth), d.indent())
	_ = e.Encode(value) // our own strings and lists
	return strings.TrimSuffix(b.String(), "\n")
}

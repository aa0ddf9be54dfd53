package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is a JSON text, with comments where a host allows them, that can be
// changed in places without touching the rest of it.
type document struct {
	text     []byte // as it stands in the file
	bare     []byte // the same with blanks for comments, so that positions agree
	comments bool   // comments and commas before a closing bracket are allowed
	root     node
}

// parse reads a JSON object. Empty text stands for an empty one.
func parse(text []byte, comments bool) (document, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	d := read(text, comments)
	if err := valid(d.plain()); err != nil {
		return document{}, err
	}
	d = d.walked()
	if d.root.kind != '{' {
		return document{}, errors.New("holds no JSON object; mend it first, it was not touched")
	}
	return d, nil
}

func read(text []byte, comments bool) document {
	d := document{text: text, bare: text, comments: comments}
	if comments {
		d.bare = blankComments(text)
	}
	return d
}

// plain is the text as strict JSON: positions agree here as well.
func (d document) plain() []byte {
	if !d.comments {
		return d.text
	}
	return blankLastCommas(d.bare)
}

// walked reads the structure of a text that is known to be valid.
func (d document) walked() document {
	r := &reader{text: d.plain()}
	d.root = r.value()
	return d
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

// raw is the strict JSON of a node.
func (d document) raw(n node) []byte { return d.plain()[n.start:n.end] }

// put makes the value at a path of keys be value, at the end of its object where it
// is new, and makes the objects on the way where they are missing.
func (d document) put(path []string, value any) document {
	if n := d.at(steps(path)); n.exists() {
		return d.replace(n.start, n.end, d.render(value, len(path)))
	}
	return d.add(path, value)
}

// appendTo adds a value at the end of the list at a path of keys, and makes the
// objects and the list on the way where they are missing.
func (d document) appendTo(path []string, value any) document {
	if n := d.at(steps(path)); n.exists() {
		return d.insert(n, d.render(value, len(path)+1))
	}
	return d.add(path, []any{value})
}

// add puts a value where there is none.
func (d document) add(path []string, value any) document {
	n, depth := d.root, 0
	for _, key := range path {
		next := n.member(key)
		if !next.exists() {
			break
		}
		n, depth = next, depth+1
	}
	for i := len(path) - 1; i > depth; i-- {
		value = map[string]any{path[i]: value}
	}
	key, _ := json.Marshal(path[depth]) // a string
	colon := ": "
	if d.onOneLine() {
		colon = ":"
	}
	return d.insert(n, string(key)+colon+d.render(value, depth+1))
}

func steps(path []string) []any {
	var all []any
	for _, step := range path {
		all = append(all, step)
	}
	return all
}

// insert adds a rendered element at the end of an object or a list.
func (d document) insert(n node, element string) document {
	inner, outer := d.lineBreaks(d.depthOf(n))
	last, tail := lastEnd(n), d.lastText(n)
	closed := bytes.ContainsRune(d.text[tail:n.end], '\n') || inner == ""
	switch {
	case last == 0 && tail == n.start+1: // nothing is in it
		return d.replace(n.start+1, n.end-1, inner+element+outer)
	case last == 0: // a comment is
		return d.insertAt(tail, n, inner+element, outer, closed)
	case bytes.ContainsRune(d.bare[last:n.end], ','):
		return d.insertAt(tail, n, inner+element+",", outer, closed)
	}
	after := d.insertAt(tail, n, inner+element, outer, closed)
	return after.replace(last, last, ",")
}

// insertAt puts text behind the last thing in a container; where the container's
// end stands on the same line, it moves to a new one.
func (d document) insertAt(at int, n node, text, outer string, closed bool) document {
	if closed {
		return d.replace(at, at, text)
	}
	return d.replace(at, n.end-1, text+outer)
}

// lineBreaks are what stands before an element in a container at a depth, and
// before its end: nothing in a text of one line.
func (d document) lineBreaks(depth int) (inner, outer string) {
	if d.onOneLine() {
		return "", ""
	}
	return "\n" + strings.Repeat(d.indent(), depth+1), "\n" + strings.Repeat(d.indent(), depth)
}

// onOneLine: a formatter that leaves no blanks wrote this, or a program.
func (d document) onOneLine() bool {
	text := bytes.TrimSpace(d.text)
	return !bytes.ContainsRune(text, '\n') && len(text) > 2
}

// lastText is where the last thing in a container ends, be it a comment.
func (d document) lastText(n node) int {
	return n.start + 1 + len(bytes.TrimRight(d.text[n.start+1:n.end-1], " \t\r\n"))
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
	start, end, last := starts[index], ends[index], index == len(starts)-1
	comma := bytes.IndexByte(d.bare[end:parent.end], ',')
	rest := bytes.TrimSpace(d.text[end : parent.end-1])
	switch before := d.lastTextBefore(start); {
	case len(starts) == 1 && before == parent.start+1 && (len(rest) == 0 || string(rest) == ","):
		return d.replace(parent.start+1, parent.end-1, "") // nothing else is in it
	case last && comma >= 0 || len(starts) == 1: // a comma stays behind the one before, or there is none
		return d.replace(before, end+comma+1, "")
	case last:
		after := d.replace(before, end, "")
		at := ends[index-1] + bytes.IndexByte(d.bare[ends[index-1]:start], ',')
		return after.replace(at, at+1, "")
	case index == 0 && len(bytes.TrimSpace(d.text[end+comma+1:starts[1]])) == 0:
		return d.replace(start, starts[1], "")
	default:
		return d.replace(before, end+comma+1, "")
	}
}

// lastTextBefore is where the last thing before a place ends.
func (d document) lastTextBefore(at int) int {
	return len(bytes.TrimRight(d.text[:at], " \t\r\n"))
}

// prune removes the element at a path and every container that is empty then, unless
// it stood in the text before already: then it is as it was there.
func (d document) prune(path []any, before document) document {
	d = d.remove(path)
	for path = path[:len(path)-1]; len(path) > 0 && d.at(path).empty() && !d.commented(d.at(path)); path = path[:len(path)-1] {
		if was := before.at(path); was.exists() {
			if n := d.at(path); was.empty() {
				return d.replace(n.start, n.end, string(before.text[was.start:was.end]))
			}
			return d
		}
		d = d.remove(path)
	}
	return d
}

// commented: somebody wrote something into an empty container.
func (d document) commented(n node) bool { return d.lastText(n) > n.start+1 }

// replace changes a part of the text. Every caller exchanges whole elements and
// their commas, so that the result is valid again once it is done.
func (d document) replace(from, to int, text string) document {
	changed := append(append(append([]byte{}, d.text[:from]...), text...), d.text[to:]...)
	next := read(changed, d.comments)
	if json.Valid(next.plain()) {
		return next.walked()
	}
	return next // a comma is still to come
}

// depthOf counts the containers around a node.
func (d document) depthOf(n node) int {
	depth := 0
	for at := d.root; at.start != n.start; depth++ {
		at = at.around(n)
	}
	return depth
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
	if !d.onOneLine() {
		e.SetIndent(strings.Repeat(d.indent(), depth), d.indent())
	}
	_ = e.Encode(value) // our own strings and lists
	return strings.TrimSuffix(b.String(), "\n")
}

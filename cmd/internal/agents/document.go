package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// document is a JSON text that can be edited in places and keeps the rest unchanged. Some hosts
// allow comments in it.
type document struct {
	root   hujson.Value
	indent string // indentation of one level in the text
	inline bool   // the text is a single line
}

// maxBrackets is the maximal number of objects and lists: the parser is recursive, and a text of
// brackets would overflow the stack.
const maxBrackets = 100_000

// parse parses a JSON object. An empty text means an empty object.
func parse(text []byte, comments bool) (*document, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > maxBrackets {
		return nil, errors.New("holds more objects and lists than settings do; mend it first, it was not touched")
	}
	if err := strictly(text); err != nil && !comments {
		return nil, err
	}
	root, err := hujson.Parse(append(bytes.Clone(text), '\n')) // a comment at the end of a file may lack its newline
	if err != nil {
		return nil, fmt.Errorf("is no valid JSON (%w); mend it first, it was not touched", err)
	}
	root.AfterExtra = root.AfterExtra[:len(root.AfterExtra)-1]
	object, isObject := root.Value.(*hujson.Object)
	if !isObject {
		return nil, errors.New("holds no JSON object; mend it first, it was not touched")
	}
	line := bytes.TrimSpace(text)
	return &document{root: root, indent: indentOf(object), inline: len(line) > 2 && !bytes.Contains(line, []byte("\n"))}, nil
}

// strictly returns an error if a text is not JSON without comments.
func strictly(text []byte) error {
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

// indentOf returns the indentation of the first member that begins a line, two spaces if no member
// does.
func indentOf(object *hujson.Object) string {
	for _, m := range object.Members {
		before := string(m.Name.BeforeExtra)
		line := strings.LastIndexByte(before, '\n')
		if lead := before[line+1:]; line >= 0 && lead != "" && strings.Trim(lead, " \t") == "" {
			return lead
		}
	}
	return "  "
}

// text returns the document in its file format.
func (d *document) text() []byte { return d.root.Pack() }

// valueAt returns the value at a path of keys (string) and indexes (int), or nil. If several members
// have the same name, it uses the last one, like most parsers.
func (d *document) valueAt(path []any) *hujson.Value {
	v := &d.root
	for _, step := range path {
		i := indexOf(v, step)
		switch c := v.Value.(type) {
		case *hujson.Object:
			if i >= 0 {
				v = &c.Members[i].Value
			}
		case *hujson.Array:
			if i >= 0 {
				v = &c.Elements[i]
			}
		}
		if i < 0 {
			return nil
		}
	}
	if v.Value == nil { // an empty document
		return nil
	}
	return v
}

// indexOf returns the index of the element that a step of a path names, or -1.
func indexOf(v *hujson.Value, step any) int {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i, m := range slices.Backward(c.Members) {
			if key(m) == step {
				return i
			}
		}
	case *hujson.Array:
		if i, isIndex := step.(int); isIndex && i < len(c.Elements) {
			return i
		}
	}
	return -1
}

// key returns the name of an object's member.
func key(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// members returns the members of the object at a path, or nil if it is not an object.
func (d *document) members(path ...any) []hujson.ObjectMember {
	if v := d.valueAt(path); v != nil {
		if object, isObject := v.Value.(*hujson.Object); isObject {
			return object.Members
		}
	}
	return nil
}

// items returns the length of the list at a path, or 0 if it is not a list.
func (d *document) items(path ...any) int {
	if v := d.valueAt(path); v != nil {
		if list, isList := v.Value.(*hujson.Array); isList {
			return len(list.Elements)
		}
	}
	return 0
}

// decode decodes the value at a path into v, and reports whether it succeeded.
func (d *document) decode(path []any, v any) bool {
	here := d.valueAt(path)
	if here == nil {
		return false
	}
	plain := here.Clone()
	plain.Minimize()
	return json.Unmarshal(plain.Pack(), v) == nil
}

// pathOf converts the keys of a path to the arguments of valueAt.
func pathOf(path []string) []any {
	var all []any
	for _, step := range path {
		all = append(all, step)
	}
	return all
}

// set sets the value at a path of keys. A new member is added at the end of its object. Missing
// objects of the path are created.
func (d *document) set(path []string, value any) {
	if v := d.valueAt(pathOf(path)); v != nil {
		v.Value = d.render(value, len(path))
		return
	}
	d.add(path, value)
}

// appendTo appends a value to the list at a path of keys. Missing objects and the list are created.
func (d *document) appendTo(path []string, value any) {
	v := d.valueAt(pathOf(path))
	if v == nil {
		d.add(path, []any{value})
		return
	}
	list := v.Value.(*hujson.Array) // checked by checkShape
	before, after := d.room(v, len(path))
	list.Elements = append(list.Elements, hujson.Value{BeforeExtra: before, Value: d.render(value, len(path)+1), AfterExtra: after})
}

// add adds a value at a path that does not exist.
func (d *document) add(path []string, value any) {
	depth := 0
	for d.valueAt(pathOf(path[:depth+1])) != nil {
		depth++
	}
	for i := len(path) - 1; i > depth; i-- {
		value = map[string]any{path[i]: value}
	}
	var blank hujson.Extra
	if !d.inline {
		blank = hujson.Extra(" ")
	}
	v := d.valueAt(pathOf(path[:depth]))
	object := v.Value.(*hujson.Object) // checked by checkShape
	before, after := d.room(v, depth)
	object.Members = append(object.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: before, Value: hujson.String(path[depth])},
		Value: hujson.Value{BeforeExtra: blank, Value: d.render(value, depth+1), AfterExtra: after},
	})
}

// room prepares the end of a container at a depth for one more element: after its last comment, and
// with a trailing comma if the last element has one. It returns the text before and after the new
// element.
func (d *document) room(v *hujson.Value, depth int) (before, after hujson.Extra) {
	parts, end := partsOf(v)
	head, rest := splitBlank(*end)
	if len(parts) > 0 && *parts[len(parts)-1].suffix != nil {
		after = hujson.Extra{}
	}
	inner, outer := "", ""
	if !d.inline {
		inner, outer = "\n"+strings.Repeat(d.indent, depth+1), "\n"+strings.Repeat(d.indent, depth)
	}
	empty := len(parts) == 0 && len(head) == 0
	if empty || !d.inline && !bytes.Contains(rest, []byte("\n")) {
		rest = hujson.Extra(outer)
	}
	*end = rest
	return slices.Concat(head, hujson.Extra(inner)), after
}

// part is the text around an element of a container: before it, and between it and its comma. after
// points to nil if the last element has no comma.
type part struct{ prefix, suffix *hujson.Extra }

// partsOf returns the elements of a container, and the text after the last one.
func partsOf(v *hujson.Value) (parts []part, end *hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			parts = append(parts, part{&c.Members[i].Name.BeforeExtra, &c.Members[i].Value.AfterExtra})
		}
		return parts, &c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			parts = append(parts, part{&c.Elements[i].BeforeExtra, &c.Elements[i].AfterExtra})
		}
		return parts, &c.AfterExtra
	}
	return nil, nil
}

// splitBlank splits the text around a JSON value into its comments and the white space at its end.
func splitBlank(e hujson.Extra) (comments, blanks hujson.Extra) {
	n := len(bytes.TrimRight(e, " \t\r\n"))
	return e[:n:n], e[n:]
}

// remove removes the element at a path with its comma. It keeps comments before the element.
func (d *document) remove(path []any) {
	parent := d.valueAt(path[:len(path)-1])
	i := indexOf(parent, path[len(path)-1])
	parts, end := partsOf(parent)
	comments, _ := splitBlank(*parts[i].prefix)
	switch last := i == len(parts)-1; {
	case last && i == 0:
		behind, _ := splitBlank(slices.Concat(*parts[i].suffix, *end))
		if *end = slices.Concat(comments, *end); len(comments)+len(behind) == 0 {
			*end = nil // the container is empty
		}
	case last && *parts[i].suffix != nil: // the last comma now belongs to the element before
		*end = slices.Concat(comments, *end)
		if before := parts[i-1].suffix; *before == nil {
			*before = hujson.Extra{}
		}
	case last:
		*end = slices.Concat(*parts[i-1].suffix, comments, *end)
		*parts[i-1].suffix = nil
	default:
		next := parts[i+1].prefix
		if behind, _ := splitBlank(*next); i == 0 && len(behind) == 0 {
			*next = *parts[i].prefix
		} else {
			*next = slices.Concat(comments, *next)
		}
	}
	switch c := parent.Value.(type) {
	case *hujson.Object:
		c.Members = slices.Delete(c.Members, i, i+1)
	case *hujson.Array:
		c.Elements = slices.Delete(c.Elements, i, i+1)
	}
}

// prune removes the element at a path and all containers that become empty. A container that exists
// in before is not removed, but restored.
func (d *document) prune(path []any, before *document) {
	d.remove(path)
	for path = path[:len(path)-1]; len(path) > 0; path = path[:len(path)-1] {
		parts, end := partsOf(d.valueAt(path))
		if comments, _ := splitBlank(*end); len(parts)+len(comments) > 0 {
			return
		}
		if was := before.valueAt(path); was != nil {
			if parts, end := partsOf(was); len(parts) == 0 && end != nil {
				d.valueAt(path).Value = was.Clone().Value
			}
			return
		}
		d.remove(path)
	}
}

// render converts a value to JSON, indented for a place that is depth levels deep.
func (d *document) render(value any, depth int) hujson.ValueTrimmed {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if !d.inline {
		e.SetIndent(strings.Repeat(d.indent, depth), d.indent)
	}
	_ = e.Encode(value) // cannot fail: only strings and lists
	rendered, _ := hujson.Parse(b.Bytes())
	return rendered.Value
}

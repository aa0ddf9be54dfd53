package selectors

import (
	"errors"
	"io"
	"reflect"
	"strings"
)

// Template is a parsed template. It caches struct types, so it is not safe for concurrent
// use.
type Template struct {
	nodes  []node
	fields fieldCache
	flat   bool
}

// Flatten makes Strings return the items of a list at the end of a path, instead of the
// list as JSON. It returns t.
func (t *Template) Flatten() *Template {
	t.flat = true
	return t
}

// node is one part of a template: text, a path, or a range over a path.
type node struct {
	text string
	path *path  // nil for text
	body []node // for a range, which iterates over path
	loop bool
}

// ParseTemplate parses a template. A template without braces is one path, so that .metadata.name
// and {.metadata.name} are equivalent.
func ParseTemplate(template string) (*Template, error) {
	if !strings.Contains(template, "{") {
		return ParsePath(template)
	}
	p := &parser{source: template}
	return &Template{nodes: p.template(false), fields: fieldCache{}}, p.err
}

// ParsePath parses a single path: .a.b, a.b or {.a.b}, as in --sort-by and custom columns.
func ParsePath(path string) (*Template, error) {
	inner := strings.TrimSpace(path)
	if strings.HasPrefix(inner, "{") && strings.HasSuffix(inner, "}") {
		inner = strings.TrimSpace(inner[1 : len(inner)-1])
	}
	if inner == "" {
		return nil, errors.New("jsonpath: a path is empty; for example {.metadata.name}")
	}
	p := &parser{source: inner}
	nodes := []node{{path: p.path()}}
	if !p.end() {
		p.fail("unexpected %q", p.rest())
	}
	return &Template{nodes: nodes, fields: fieldCache{}}, p.err
}

// Write prints the template for one value.
func (t *Template) Write(w io.Writer, value any) error {
	var b strings.Builder
	s := t.scope(value)
	if err := s.write(&b, t.nodes, s.root); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scope returns the scope for evaluating the template on a value.
func (t *Template) scope(value any) scope { return scope{t.fields, indirect(reflect.ValueOf(value))} }

// write writes the texts and values of nodes, with current as the value of relative paths.
func (s scope) write(b *strings.Builder, nodes []node, current reflect.Value) error {
	for _, n := range nodes {
		if n.path == nil {
			b.WriteString(n.text)
			continue
		}
		for i, v := range s.follow(n.path, current) {
			if n.loop {
				if err := s.write(b, n.body, v); err != nil {
					return err
				}
				continue
			}
			found, err := text(v)
			if err != nil {
				return err
			}
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(found)
		}
	}
	return nil
}

// Strings returns the values of the first path in the template, formatted as in Write.
func (t *Template) Strings(value any) []string {
	s := t.scope(value)
	for _, n := range t.nodes {
		if n.path == nil {
			continue
		}
		texts := []string{}
		for _, v := range s.follow(n.path, s.root) {
			texts = t.appendText(texts, v)
		}
		return texts
	}
	return nil
}

// appendText appends the text of a value and, if the template is flattened, the texts of its
// elements.
func (t *Template) appendText(texts []string, v reflect.Value) []string {
	if v = indirect(v); t.flat && v.Kind() == reflect.Slice {
		for i := range v.Len() {
			texts = t.appendText(texts, v.Index(i))
		}
		return texts
	}
	if s, err := text(v); err == nil {
		texts = append(texts, s)
	}
	return texts
}

// String returns the result of Strings joined with commas, and whether there are any
// values.
func (t *Template) String(value any) (string, bool) {
	found := t.Strings(value)
	return strings.Join(found, ","), len(found) > 0
}

package jsonpath

import (
	"io"
	"reflect"
	"strings"
)

// Template is a parsed template. It remembers the types it has seen, so it must
// not be used by two goroutines at once.
type Template struct {
	nodes  []node
	fields fieldCache
	flat   bool
}

// Flatten makes Strings return the items of a list that stands at the end of a
// path, in place of the list as JSON. It returns t.
func (t *Template) Flatten() *Template {
	t.flat = true
	return t
}

// node is one part of a template: text, a path, or a range over a path.
type node struct {
	text string
	path []step // nil: text
	body []node // of a range; path is what it ranges over
	loop bool
}

// Parse reads a template. Without any brace the whole of it is one path, so
// that .metadata.name and {.metadata.name} are the same.
func Parse(template string) (*Template, error) {
	if !strings.Contains(template, "{") {
		return ParsePath(template)
	}
	p := &parser{in: template}
	nodes, err := p.template(false)
	if err != nil {
		return nil, err
	}
	return &Template{nodes: nodes, fields: fieldCache{}}, nil
}

// ParsePath reads a single path: .a.b, a.b or {.a.b}, as in --sort-by and custom
// columns.
func ParsePath(path string) (*Template, error) {
	inner := strings.TrimSpace(path)
	if strings.HasPrefix(inner, "{") && strings.HasSuffix(inner, "}") {
		inner = strings.TrimSpace(inner[1 : len(inner)-1])
	}
	p := &parser{in: inner}
	steps, err := p.wholePath()
	if err != nil {
		return nil, err
	}
	return &Template{nodes: []node{{path: steps}}, fields: fieldCache{}}, nil
}

// Write prints the template for one value.
func (t *Template) Write(w io.Writer, value any) error {
	var b strings.Builder
	root := indirect(reflect.ValueOf(value))
	if err := t.write(&b, t.nodes, root, root); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Template) write(b *strings.Builder, nodes []node, root, current reflect.Value) error {
	for _, n := range nodes {
		if n.path == nil {
			b.WriteString(n.text)
			continue
		}
		found := t.walk(n.path, root, current)
		if !n.loop {
			if err := writeValues(b, found); err != nil {
				return err
			}
			continue
		}
		for _, v := range found {
			if err := t.write(b, n.body, root, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Strings returns what the first path of the template finds, each value as it
// would be printed.
func (t *Template) Strings(value any) []string {
	root := indirect(reflect.ValueOf(value))
	for _, n := range t.nodes {
		if n.path == nil {
			continue
		}
		found := t.walk(n.path, root, root)
		texts := make([]string, 0, len(found))
		for _, v := range found {
			texts = t.appendText(texts, v)
		}
		return texts
	}
	return nil
}

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

// String is Strings, joined with commas, and whether anything was found.
func (t *Template) String(value any) (string, bool) {
	found := t.Strings(value)
	return strings.Join(found, ","), len(found) > 0
}

func writeValues(b *strings.Builder, values []reflect.Value) error {
	for i, v := range values {
		s, err := text(v)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return nil
}

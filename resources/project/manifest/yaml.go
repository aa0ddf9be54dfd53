package manifest

import (
	"bytes"
	"strings"
)

// YAML parses the subset of YAML that manifests use: block mappings and lists, flow lists
// and mappings on one line, plain and quoted scalars, and block scalars. It skips anchors
// and tags, does not resolve aliases, and merges all documents.
func YAML(data []byte) *Node {
	t := newTreeBuilder()
	StreamYAML(data, func(level int, key, value string, line int) bool {
		t.stack = t.stack[:level+1]
		t.enter(key, line)
		t.stack[len(t.stack)-1].Value = value
		if flow := flowOf(value); flow != nil {
			t.stack[len(t.stack)-1].Value = ""
			for _, item := range flow {
				t.leaf(item[0], item[1], line)
			}
		}
		return true
	})
	return t.root
}

// StreamYAML calls each for every key and list element with its nesting level, from 0,
// until each returns false. The key of an element is "".
func StreamYAML(data []byte, each func(level int, key, value string, line int) bool) {
	s := yamlScanner{each: each, block: -1}
	for number := 1; len(data) > 0; number++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if !s.line(string(line), number) {
			return
		}
	}
}

// yamlScanner tracks the columns of the open levels.
type yamlScanner struct {
	each    func(level int, key, value string, line int) bool
	columns []int
	block   int // column of the key of an open block scalar, or -1
}

// line processes one line, and reports whether to continue.
func (s *yamlScanner) line(line string, number int) bool {
	text := strings.TrimLeft(line, " ")
	column := len(line) - len(text)
	text = strings.TrimSpace(text)
	if text == "" || s.block >= 0 && column > s.block {
		return true
	}
	s.block = -1
	if text[0] == '#' || text[0] == '%' || text == "---" || text == "..." {
		return true
	}
	for strings.HasPrefix(text, "- ") || text == "-" {
		rest := strings.TrimLeft(text[1:], " ")
		if key, _, pair := splitPair(rest); !pair || key == "" {
			return s.tell(column, true, "", rest, number)
		}
		if !s.tell(column, true, "", "", number) {
			return false
		}
		column += len(text) - len(rest)
		text = rest
	}
	if key, value, pair := splitPair(text); pair {
		return s.tell(column, false, key, value, number)
	}
	return true // continues the scalar of the previous line
}

// tell reports a key or an element at a column. A list may be at the column of its key; its
// elements count as half a column deeper.
func (s *yamlScanner) tell(column int, element bool, key, value string, line int) bool {
	place := column * 2
	if element {
		place++
	}
	for len(s.columns) > 0 && s.columns[len(s.columns)-1] >= place {
		s.columns = s.columns[:len(s.columns)-1]
	}
	level := len(s.columns)
	if level >= maxDepth {
		return false
	}
	s.columns = append(s.columns, place)
	value = plain(value)
	if value != "" && (value[0] == '|' || value[0] == '>') {
		s.block, value = column, ""
	}
	return s.each(level, key, unquote(value), line)
}

// splitPair splits "key: value". The key may be quoted.
func splitPair(text string) (key, value string, found bool) {
	if text == "" {
		return "", "", false
	}
	if q := text[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(text[1:], q)
		if end < 0 {
			return "", "", false
		}
		rest := strings.TrimLeft(text[end+2:], " ")
		return text[1 : end+1], strings.TrimSpace(strings.TrimPrefix(rest, ":")), strings.HasPrefix(rest, ":")
	}
	if text[0] == '[' || text[0] == '{' {
		return "", "", false
	}
	if key, found = strings.CutSuffix(text, ":"); found && !strings.Contains(key, ": ") {
		return key, "", true
	}
	key, value, found = strings.Cut(text, ": ")
	return strings.TrimSpace(key), strings.TrimSpace(value), found && !strings.Contains(key, " #")
}

// plain removes comments, anchors and tags from a value.
func plain(value string) string {
	for value != "" && (value[0] == '&' || value[0] == '!') {
		_, value, _ = strings.Cut(value, " ")
		value = strings.TrimSpace(value)
	}
	if value == "" || value[0] == '#' {
		return ""
	}
	if q := value[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(value[1:], q); end >= 0 {
			return value[:end+2]
		}
		return value
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}

// unquote removes the quotes around a YAML scalar. It does not resolve escapes.
func unquote(value string) string {
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		return value[1 : len(value)-1]
	}
	return value
}

// flowOf parses a flow list or mapping of scalars on one line, or returns nil. Nested
// values remain text.
func flowOf(value string) [][2]string {
	if len(value) < 2 || value[0] != '[' && value[0] != '{' {
		return nil
	}
	items := [][2]string{}
	for item := range strings.SplitSeq(strings.TrimRight(value[1:], "]} "), ",") {
		item = strings.TrimSpace(item)
		if key, rest, pair := splitPair(item); pair && value[0] == '{' {
			items = append(items, [2]string{unquote(key), unquote(rest)})
		} else if item != "" {
			items = append(items, [2]string{"", unquote(item)})
		}
	}
	return items
}

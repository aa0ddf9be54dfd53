package manifest

import (
	"strconv"
	"strings"
)

// TOML parses a TOML text. It skips invalid lines. The elements of an array of tables
// ([[package]]) are sibling nodes with the same key.
func TOML(data []byte) *Node {
	s := &tomlScanner{text: strings.TrimPrefix(string(data), "\ufeff"), line: 1, root: &Node{Line: 1}, index: map[place]*Node{}}
	s.table = s.root
	for s.space(true); s.position < len(s.text); s.space(true) {
		if s.text[s.position] == '[' {
			s.header()
		} else {
			s.pair()
		}
		s.skipComment()
	}
	return s.root
}

// place is the key of the index of tables.
type place struct {
	parent *Node
	key    string
}

// tomlScanner parses a TOML text into nodes, with the position and the current table.
type tomlScanner struct {
	text     string
	position int
	line     int
	root     *Node
	table    *Node
	index    map[place]*Node
}

// childTable returns the table with a key. It creates a new one if none exists or always is
// true.
func (s *tomlScanner) childTable(parent *Node, key string, always bool) *Node {
	n := s.index[place{parent, key}]
	if n == nil || always {
		n = &Node{Key: key, Line: s.line}
		parent.Children = append(parent.Children, n)
		s.index[place{parent, key}] = n
	}
	return n
}

// header parses the header of a table, [a.b] or [[a.b]], and makes that table current.
func (s *tomlScanner) header() {
	s.position++
	list := s.position < len(s.text) && s.text[s.position] == '['
	if list {
		s.position++
	}
	keys := s.keys()
	if len(keys) == 0 || len(keys) > maxDepth || s.position >= len(s.text) || s.text[s.position] != ']' {
		s.table = &Node{} // ignore the following content
		return
	}
	s.position++
	s.table = s.root
	for i, key := range keys {
		s.table = s.childTable(s.table, key, list && i == len(keys)-1)
	}
}

// pair parses key = value in the current table.
func (s *tomlScanner) pair() {
	keys := s.keys()
	if len(keys) == 0 || len(keys) > maxDepth || s.position >= len(s.text) || s.text[s.position] != '=' {
		return
	}
	s.position++
	parent := s.table
	for _, key := range keys[:len(keys)-1] {
		parent = s.childTable(parent, key, false)
	}
	s.value(parent, keys[len(keys)-1])
}

// keys parses a dotted key into its parts. It returns nil if no key follows.
func (s *tomlScanner) keys() []string {
	var keys []string
	for {
		s.space(false)
		key, found := s.key()
		if !found {
			return nil
		}
		keys = append(keys, key)
		s.space(false)
		if s.position >= len(s.text) || s.text[s.position] != '.' {
			return keys
		}
		s.position++
	}
}

// key parses a bare or quoted key. It returns false if no key follows.
func (s *tomlScanner) key() (string, bool) {
	if s.position < len(s.text) && (s.text[s.position] == '"' || s.text[s.position] == '\'') {
		return s.quoted(), true
	}
	from := s.position
	for s.position < len(s.text) && isBare(s.text[s.position]) {
		s.position++
	}
	return s.text[from:s.position], s.position > from
}

// isBare reports whether a byte can be part of an unquoted TOML key.
func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= 0x80
}

// value parses a value with all nested values.
func (s *tomlScanner) value(parent *Node, key string) {
	type level struct {
		node   *Node
		object bool
	}
	stack := []level{{parent, true}}
	for s.space(len(stack) > 1); s.position < len(s.text); s.space(len(stack) > 1) {
		top := stack[len(stack)-1]
		switch c := s.text[s.position]; {
		case c == ']' || c == '}':
			s.position++
			stack = stack[:max(1, len(stack)-1)]
		case c == ',' && len(stack) > 1:
			s.position++
			continue
		case top.object && len(stack) > 1:
			keys := s.keys()
			if len(keys) == 0 || s.position >= len(s.text) || s.text[s.position] != '=' {
				return
			}
			s.position++
			key = strings.Join(keys, ".")
			s.space(false)
			if node := s.open(top.node, key); node != nil {
				stack = append(stack, level{node, s.text[s.position-1] == '{'})
			}
		default:
			if len(stack) > 1 {
				key = ""
			}
			if node := s.open(top.node, key); node != nil {
				stack = append(stack, level{node, s.text[s.position-1] == '{'})
			}
		}
		if len(stack) == 1 || len(stack) > maxDepth {
			return
		}
	}
}

// open parses a scalar into a new node. For a list or table, it parses the opening bracket
// and returns the node.
func (s *tomlScanner) open(parent *Node, key string) *Node {
	n := &Node{Key: key, Line: s.line}
	parent.Children = append(parent.Children, n)
	if s.position >= len(s.text) {
		return nil
	}
	switch c := s.text[s.position]; c {
	case '[', '{':
		s.position++
		return n
	case '"', '\'':
		n.Value = s.quoted()
	default:
		from := s.position
		for s.position < len(s.text) && !strings.ContainsRune(",]}#\n", rune(s.text[s.position])) {
			s.position++
		}
		n.Value = strings.TrimSpace(s.text[from:s.position])
	}
	return nil
}

// quoted parses a string with single or triple quotes.
func (s *tomlScanner) quoted() string {
	q := s.text[s.position : s.position+1]
	if rest := s.text[s.position:]; strings.HasPrefix(rest, q+q+q) {
		s.position += 3
		from := s.position
		end := strings.Index(s.text[s.position:], q+q+q)
		if end < 0 {
			end = len(s.text) - s.position
		}
		s.position = min(len(s.text), s.position+end+3)
		s.line += strings.Count(s.text[from:from+end], "\n")
		return s.text[from : from+end]
	}
	s.position++
	from := s.position
	for s.position < len(s.text) && s.text[s.position] != q[0] && s.text[s.position] != '\n' {
		if s.text[s.position] == '\\' && q == `"` && s.position+1 < len(s.text) && s.text[s.position+1] != '\n' {
			s.position++
		}
		s.position++
	}
	value := s.text[from:min(s.position, len(s.text))]
	if s.position < len(s.text) && s.text[s.position] == q[0] {
		s.position++
	}
	if q == `"` && strings.Contains(value, `\`) {
		if plain, err := strconv.Unquote(q + value + q); err == nil {
			return plain
		}
	}
	return value
}

// space skips spaces and, if lines is true, line ends and comments.
func (s *tomlScanner) space(lines bool) {
	for s.position < len(s.text) {
		switch c := s.text[s.position]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.position++
		case lines && c == '\n':
			s.line++
			s.position++
		case lines && c == '#':
			s.skipComment()
		default:
			return
		}
	}
}

// skipComment moves to the end of the line.
func (s *tomlScanner) skipComment() {
	if end := strings.IndexByte(s.text[s.position:], '\n'); end >= 0 {
		s.position += end
		return
	}
	s.position = len(s.text)
}

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
	for s.space(true); s.at < len(s.text); s.space(true) {
		if s.text[s.at] == '[' {
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

type tomlScanner struct {
	text  string
	at    int
	line  int
	root  *Node
	table *Node
	index map[place]*Node
}

// below returns the table with a key. It creates a new one if none exists or always is
// true.
func (s *tomlScanner) below(parent *Node, key string, always bool) *Node {
	n := s.index[place{parent, key}]
	if n == nil || always {
		n = &Node{Key: key, Line: s.line}
		parent.Children = append(parent.Children, n)
		s.index[place{parent, key}] = n
	}
	return n
}

// header parses [a.b] or [[a.b]].
func (s *tomlScanner) header() {
	s.at++
	list := s.at < len(s.text) && s.text[s.at] == '['
	if list {
		s.at++
	}
	keys := s.keys()
	if len(keys) == 0 || len(keys) > maxDepth || s.at >= len(s.text) || s.text[s.at] != ']' {
		s.table = &Node{} // ignore the following content
		return
	}
	s.at++
	s.table = s.root
	for i, key := range keys {
		s.table = s.below(s.table, key, list && i == len(keys)-1)
	}
}

// pair parses key = value in the current table.
func (s *tomlScanner) pair() {
	keys := s.keys()
	if len(keys) == 0 || len(keys) > maxDepth || s.at >= len(s.text) || s.text[s.at] != '=' {
		return
	}
	s.at++
	parent := s.table
	for _, key := range keys[:len(keys)-1] {
		parent = s.below(parent, key, false)
	}
	s.value(parent, keys[len(keys)-1])
}

// keys parses a dotted key.
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
		if s.at >= len(s.text) || s.text[s.at] != '.' {
			return keys
		}
		s.at++
	}
}

func (s *tomlScanner) key() (string, bool) {
	if s.at < len(s.text) && (s.text[s.at] == '"' || s.text[s.at] == '\'') {
		return s.quoted(), true
	}
	from := s.at
	for s.at < len(s.text) && isBare(s.text[s.at]) {
		s.at++
	}
	return s.text[from:s.at], s.at > from
}

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
	for s.space(len(stack) > 1); s.at < len(s.text); s.space(len(stack) > 1) {
		top := stack[len(stack)-1]
		switch c := s.text[s.at]; {
		case c == ']' || c == '}':
			s.at++
			stack = stack[:max(1, len(stack)-1)]
		case c == ',' && len(stack) > 1:
			s.at++
			continue
		case top.object && len(stack) > 1:
			keys := s.keys()
			if len(keys) == 0 || s.at >= len(s.text) || s.text[s.at] != '=' {
				return
			}
			s.at++
			key = strings.Join(keys, ".")
			s.space(false)
			if node := s.open(top.node, key); node != nil {
				stack = append(stack, level{node, s.text[s.at-1] == '{'})
			}
		default:
			if len(stack) > 1 {
				key = ""
			}
			if node := s.open(top.node, key); node != nil {
				stack = append(stack, level{node, s.text[s.at-1] == '{'})
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
	if s.at >= len(s.text) {
		return nil
	}
	switch c := s.text[s.at]; c {
	case '[', '{':
		s.at++
		return n
	case '"', '\'':
		n.Value = s.quoted()
	default:
		from := s.at
		for s.at < len(s.text) && !strings.ContainsRune(",]}#\n", rune(s.text[s.at])) {
			s.at++
		}
		n.Value = strings.TrimSpace(s.text[from:s.at])
	}
	return nil
}

// quoted parses a string with single or triple quotes.
func (s *tomlScanner) quoted() string {
	q := s.text[s.at : s.at+1]
	if rest := s.text[s.at:]; strings.HasPrefix(rest, q+q+q) {
		s.at += 3
		from := s.at
		end := strings.Index(s.text[s.at:], q+q+q)
		if end < 0 {
			end = len(s.text) - s.at
		}
		s.at = min(len(s.text), s.at+end+3)
		s.line += strings.Count(s.text[from:from+end], "\n")
		return s.text[from : from+end]
	}
	s.at++
	from := s.at
	for s.at < len(s.text) && s.text[s.at] != q[0] && s.text[s.at] != '\n' {
		if s.text[s.at] == '\\' && q == `"` && s.at+1 < len(s.text) && s.text[s.at+1] != '\n' {
			s.at++
		}
		s.at++
	}
	value := s.text[from:min(s.at, len(s.text))]
	if s.at < len(s.text) && s.text[s.at] == q[0] {
		s.at++
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
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case lines && c == '\n':
			s.line++
			s.at++
		case lines && c == '#':
			s.skipComment()
		default:
			return
		}
	}
}

func (s *tomlScanner) skipComment() {
	if end := strings.IndexByte(s.text[s.at:], '\n'); end >= 0 {
		s.at += end
		return
	}
	s.at = len(s.text)
}

package resources

import (
	"encoding/json"
	"fmt"
)

// peek skips white space and returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
		default:
			return s.data[s.pos]
		}
	}
	return 0
}

// boolean reads true or false. c is its first byte.
func (s *scanner) boolean(c byte) bool {
	if c == 't' {
		return s.literal("true")
	}
	return s.literal("false")
}

// literal reads a word such as null. It returns false after an error.
func (s *scanner) literal(word string) bool {
	if rest := s.data[s.pos:min(len(s.data), s.pos+len(word))]; string(rest) != word {
		if s.pos+len(rest) == len(s.data) && string(rest) == word[:len(rest)] {
			s.pos = len(s.data)
		}
		return s.unexpected("a value")
	}
	s.pos += len(word)
	return true
}

// number scans a number as defined by RFC 8259.
func (s *scanner) number() bool {
	s.skip("-")
	if !s.skip("0") && !s.digits() || s.skip(".") && !s.digits() {
		return s.unexpected("a digit")
	}
	if s.skip("eE") {
		s.skip("+-")
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	return true
}

// skip advances over the next byte if it is in any. It reports whether it did.
func (s *scanner) skip(any string) bool {
	if s.pos < len(s.data) {
		for i := range len(any) {
			if s.data[s.pos] == any[i] {
				s.pos++
				return true
			}
		}
	}
	return false
}

// digits skips digits and reports whether it found at least one.
func (s *scanner) digits() bool {
	from := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > from
}

// time decodes an RFC 3339 time. The string may be empty.
func (s *scanner) time(out *Time) bool {
	at := s.pos
	text, ok := s.str()
	if !ok {
		return false
	}
	t, err := parseTime(text)
	if err != nil {
		return s.problem(at, fmt.Sprintf("%q is no time", shortened(string(text))), `write it as RFC 3339 has it: "2026-11-21T07:50:00Z"`)
	}
	*out = t
	return true
}

// text decodes a string of f. It returns the enum's string if possible, to avoid an
// allocation.
func (s *scanner) text(f *Field) (string, bool) {
	raw, ok := s.str()
	for _, value := range f.Enum {
		if string(raw) == value {
			return value, ok
		}
	}
	return string(raw), ok
}

// str decodes a string with escapes. The result may point into data.
func (s *scanner) str() ([]byte, bool) {
	from, escaped := s.pos, false
	for i := from + 1; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			if escaped {
				var text string
				if err := json.Unmarshal(s.data[from:s.pos], &text); err != nil {
					return nil, s.problem(from, "invalid escape in a string", `use \" \\ \/ \b \f \n \r \t or \u and four hex digits`)
				}
				return []byte(text), true
			}
			return s.data[from+1 : i], true
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return nil, s.problem(i, fmt.Sprintf("control character 0x%02x in a string", c), `write it as an escape, such as \n for a line break`)
		}
	}
	s.pos = len(s.data)
	return nil, s.unexpected(`the closing '"' of a string`)
}

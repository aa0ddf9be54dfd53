package command

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escaping says whose backslashes are read.
type escaping int

const (
	ansiC  escaping = iota // $'...'
	echoed                 // echo -e, printf's %b
	format                 // printf's format
)

// letters are the escapes of one letter and what they stand for.
const letters = "a\ab\be\x1bE\x1bf\fn\nr\rt\tv\v\\\\\"\"??"

// unescaped resolves the backslashes of a text.
func unescaped(s string, by escaping) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		n := unescapedOne(&b, s[i:], by)
		i += n - 1
	}
	return b.String()
}

// unescapedOne writes what stands behind a backslash and returns how much of it was read.
func unescapedOne(b *strings.Builder, s string, by escaping) int {
	nul := byte('\n') // what separates texts, for who reads them; $'...' ends there
	if by == ansiC {
		nul = 0
	}
	switch c := s[0]; {
	case c == 'x':
		return coded(b, s, 1, 2, 16, false, nul)
	case c == 'u':
		return coded(b, s, 1, 4, 16, true, nul)
	case c == 'U':
		return coded(b, s, 1, 8, 16, true, nul)
	case c == '0' && by == echoed:
		return coded(b, s, 1, 3, 8, false, nul)
	case c >= '0' && c <= '7':
		return coded(b, s, 0, 3, 8, false, nul)
	case c == 'c' && by == ansiC && len(s) > 1:
		b.WriteByte(s[1] & 0x1f)
		return 2
	case c == '\'':
		b.WriteByte('\'')
		return 1
	}
	for i := 0; i+1 < len(letters); i += 2 {
		if letters[i] == s[0] {
			b.WriteByte(letters[i+1])
			return 1
		}
	}
	b.WriteByte('\\')
	b.WriteByte(s[0])
	return 1
}

// coded writes a character that is given by its number.
func coded(b *strings.Builder, s string, from, digits, base int, wide bool, nul byte) int {
	end := from
	for end < len(s) && end < from+digits {
		if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	if end == from {
		if from == 1 && base == 8 {
			b.WriteByte(nul)
		} else {
			b.WriteString(`\` + s[:1])
		}
		return 1
	}
	n, _ := strconv.ParseUint(s[from:end], base, 32)
	if byte(n) == 0 && !wide {
		b.WriteByte(nul)
	} else if !wide {
		b.WriteByte(byte(n))
	} else if utf8.ValidRune(rune(n)) {
		b.WriteRune(rune(n))
	}
	return end
}

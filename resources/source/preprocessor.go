package source

import (
	"bytes"
	"slices"
)

// maxConditions is how deep conditions may stand in one another.
const maxConditions = 64

// condition is an #if whose #endif has not come. Each of its branches begins with the brackets
// that were open before the first one, and what follows goes on with those of the first.
type condition struct {
	before, first []int32 // brackets that are open
	others        bool    // there is a second branch
}

// directiveEnd is where a line of the preprocessor ends that begins at the next byte: not at a
// line end after a backslash, nor at one in a comment.
func (l *lexer) directiveEnd() int {
	for at := l.at; at < len(l.data); {
		rest := l.data[at:]
		switch {
		case rest[0] == '\n':
			return at
		case rest[0] == '\\':
			if at++; bytes.HasPrefix(rest[1:], []byte("\r\n")) {
				at++
			}
			at++
		case rest[0] == '"':
			end := bytes.IndexAny(rest[1:min(len(rest), maxLine)], "\"\n\\")
			if at++; end >= 0 && rest[1+end] == '"' {
				at += end + 1
			}
		case bytes.HasPrefix(rest, []byte("//")):
			return l.lineEnd(at)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return len(l.data)
			}
			at += end + 4
		default:
			at++
		}
	}
	return len(l.data)
}

// directive is the word after the # of a line of the preprocessor.
func (l *lexer) directive() string {
	rest := bytes.TrimLeft(l.data[l.at+1:min(len(l.data), l.at+100)], " \t")
	for i, c := range rest {
		if c < 'a' || c > 'z' {
			return string(rest[:i])
		}
	}
	return string(rest)
}

// branch follows the conditions of the preprocessor.
func (l *lexer) branch(word string) {
	n := len(l.conditions) - 1
	switch word {
	case "if", "ifdef", "ifndef":
		if n+1 >= maxConditions {
			l.partial = "deeper than 64 conditions"
			return
		}
		l.conditions = append(l.conditions, condition{before: slices.Clone(l.open)})
	case "else", "elif", "elifdef", "elifndef":
		if n < 0 {
			return
		}
		if c := &l.conditions[n]; !c.others {
			c.first, c.others = l.open, true
		} else {
			l.alike(c.first, l.open)
		}
		l.open = slices.Clone(l.conditions[n].before)
	case "endif":
		if n < 0 {
			return
		}
		if c := l.conditions[n]; c.others {
			l.alike(c.first, l.open)
			l.open = c.first
		}
		l.conditions = l.conditions[:n]
	}
}

// alike lets the brackets that a further branch leaves open end where those of the first do.
func (l *lexer) alike(first, other []int32) {
	if len(first) != len(other) {
		return
	}
	for i := range first {
		if first[i] != other[i] {
			l.twins = append(l.twins, [2]int32{first[i], other[i]})
		}
	}
}

// pairTwins gives those brackets their other ones.
func (l *lexer) pairTwins() {
	for _, t := range l.twins {
		if end := l.tokens[t[0]].pair; end > t[1] {
			l.tokens[t[1]].pair = end
		}
	}
}

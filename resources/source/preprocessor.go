package source

import (
	"bytes"
	"slices"
)

// maxConditions limits the nesting of conditions.
const maxConditions = 64

// condition is an open #if. Each branch starts with the brackets that were open before the
// #if. The text after #endif continues with the open brackets of the first branch.
type condition struct {
	openBrackets, first []int32 // open brackets
	hasElse             bool    // there is a second branch
	unbalanced          bool    // lexer.unbalanced at the end of the first branch; later branches do not affect it
	dead                bool    // the first branch is never compiled, and is skipped
}

// directive returns the word after the # of a preprocessor line.
func (l *lexer) directive() string {
	rest := bytes.TrimLeft(l.data[l.offset+1:min(len(l.data), l.offset+100)], " \t")
	for i, c := range rest {
		if c < 'a' || c > 'z' {
			return string(rest[:i])
		}
	}
	return string(rest)
}

// branch updates the stack of open #if conditions at a preprocessor word such as else or endif.
func (l *lexer) branch(word string) {
	n := len(l.conditions) - 1
	switch word {
	case "if", "ifdef", "ifndef":
		if n+1 >= maxConditions {
			l.partial = "deeper than 64 conditions"
			return
		}
		l.conditions = append(l.conditions, condition{openBrackets: slices.Clone(l.open)})
	case "else", "elif", "elifdef", "elifndef":
		if n < 0 {
			return
		}
		if c := &l.conditions[n]; c.dead {
			c.dead = false
			return
		} else if !c.hasElse {
			c.first, c.hasElse, c.unbalanced = l.open, true, l.unbalanced
		} else {
			l.alike(c.first, l.open)
		}
		l.open = slices.Clone(l.conditions[n].openBrackets)
	case "endif":
		if n < 0 {
			return
		}
		if c := l.conditions[n]; c.hasElse {
			l.alike(c.first, l.open)
			l.open, l.unbalanced = c.first, c.unbalanced
		}
		l.conditions = l.conditions[:n]
	}
}

// alike makes the open brackets of a further branch share the closing brackets of the first
// branch.
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

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
	torn          bool    // the file was, at the end of the first branch: others do not count
	dead          bool    // the first branch is never compiled, and passed over
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
		if c := &l.conditions[n]; c.dead {
			c.dead = false
			return
		} else if !c.others {
			c.first, c.others, c.torn = l.open, true, l.torn
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
			l.open, l.torn = c.first, c.torn
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

package source

import "bytes"

// statement is a simple statement of Python, or the head of a compound statement up to its
// colon.
type statement struct {
	first, end int // its tokens, without end
	colon      int // for heads: the colon; otherwise -1
	level      int // number of enclosing blocks
	last       int // last token, including the block of a head
}

// pythonLines splits the tokens of a file into statements.
type pythonLines struct {
	*lexer
	columns []int // columns of the open blocks
	opens   bool  // the previous line was a head, and its block begins in the next line
	broken  bool  // the indentation is invalid
	all     []statement
}

// statements returns the statements of a file, and whether the indentation is invalid. It
// sets level for the first token of each statement, and changes docstrings to comments.
func statements(l *lexer) (all []statement, broken bool) {
	p := pythonLines{lexer: l, columns: []int{0}}
	for i := 0; i < len(l.tokens); {
		end := p.logicalEnd(i)
		p.indent(i)
		p.line(i, end)
		i = end
	}
	// The last token of a statement includes its block.
	var open []int // heads with an open block
	for i := range p.all {
		for len(open) > 0 && p.all[open[len(open)-1]].level >= p.all[i].level {
			p.all[open[len(open)-1]].last = p.all[i-1].end - 1
			open = open[:len(open)-1]
		}
		if p.all[i].last = p.all[i].end - 1; p.all[i].colon >= 0 {
			open = append(open, i)
		}
	}
	for _, i := range open {
		p.all[i].last = p.all[len(p.all)-1].end - 1
	}
	for i := range p.all {
		s := &p.all[i]
		l.tokens[s.first].level = uint16(s.level + 1)
		if p.isDocstring(i) {
			for j := s.first; j < s.end; j++ {
				l.tokens[j].kind = commentToken
			}
		}
	}
	return p.all, p.broken || p.opens || len(p.columns) > maxDepth
}

// logicalEnd returns the end of the logical line that begins with a token. Brackets and
// backslashes continue a line.
func (p *pythonLines) logicalEnd(i int) int {
	for i = p.tokenAfter(i); i < len(p.tokens) && !p.beginsLine(i); {
		i = p.tokenAfter(i)
	}
	return i
}

// indent opens the block that a line begins, or closes the blocks that it ends.
func (p *pythonLines) indent(i int) {
	// A form feed resets the column, and a tab advances it to the next multiple of eight.
	var column int
	from := int(p.tokens[i].from)
	for _, c := range p.data[bytes.LastIndexByte(p.data[:from], '\n')+1 : from] {
		switch c {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		case '\f':
			column = 0
		}
	}
	top := p.columns[len(p.columns)-1]
	switch {
	case column > top && p.opens && len(p.columns) <= maxDepth:
		p.columns = append(p.columns, column)
	case column > top || p.opens:
		p.broken = true
	}
	for p.opens = false; column < top; top = p.columns[len(p.columns)-1] {
		p.columns = p.columns[:len(p.columns)-1]
		p.broken = p.broken || column > p.columns[len(p.columns)-1]
	}
}

// line adds the statements of one line. Statements after the colon of a head are its block.
func (p *pythonLines) line(i, end int) {
	level := len(p.columns) - 1
	if p.heads(i, end) {
		colon := p.colonOf(i, end)
		if colon < 0 {
			p.broken = true
			colon = end - 1
		}
		p.all = append(p.all, statement{first: i, end: colon + 1, colon: colon, level: level})
		if i = colon + 1; i >= end {
			p.opens = true
			return
		}
		level++
	}
	for from := i; from < end; from = i + 1 {
		for i = from; i < end && !p.is(i, ";"); {
			i = p.tokenAfter(i)
		}
		if i > from {
			p.all = append(p.all, statement{first: from, end: i, colon: -1, level: level})
		}
	}
}

// heads reports whether a line begins a compound statement. match and case are soft
// keywords.
func (p *pythonLines) heads(i, end int) bool {
	switch p.text(i) {
	case "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class":
		return true
	case "async":
		return p.is(i+1, "def", "for", "with")
	case "match":
		return i+1 < end-1 && p.is(end-1, ":") && !p.is(i+1, ":", "=", ".")
	case "case":
		return i+1 < end-1 && !p.is(i+1, ":", "=", ".", ",", ")") && p.colonOf(i, end) > 0
	}
	return false
}

// colonOf returns the colon of a head, or -1. It skips the colons of lambdas and of :=.
func (p *pythonLines) colonOf(i, end int) int {
	for lambdas := 0; i < end; i = p.tokenAfter(i) {
		switch {
		case p.is(i, "lambda"):
			lambdas++
		case !p.is(i, ":") || p.is(i+1, "=") && p.tokens[i].to == p.tokens[i+1].from:
		case lambdas == 0:
			return i
		default:
			lambdas--
		}
	}
	return -1
}

// isDocstring reports whether a statement is only a string, and is the first statement of a
// function, a class or the file.
func (p *pythonLines) isDocstring(i int) bool {
	s := p.all[i]
	if i > 0 {
		head := p.all[i-1]
		if head.colon < 0 || head.level >= s.level || !p.is(head.first, "def", "class", "async") || p.is(head.first+1, "for", "with") {
			return false
		}
	}
	for j := s.first; j < s.end; j++ {
		if p.tokens[j].kind != textToken || bytes.ContainsAny(p.bytes(j)[:max(stringPrefix(p.bytes(j)), 0)], "fFbBtT") {
			return false
		}
	}
	return true
}

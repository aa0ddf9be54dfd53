package source

import "bytes"

// phpOdd takes tokens that are specific to PHP: text outside of PHP blocks, attributes,
// comments that end with the block, strings with expressions, and heredocs.
func phpOdd(l *lexer) bool {
	switch {
	case len(l.tokens) == 0 && len(l.comments) == 0:
		l.take(textToken, l.island(l.offset))
	case l.has("?>"):
		l.take(textToken, l.island(l.offset+2))
	case l.has("#["):
		l.bracket(2)
	case l.has("//") || l.has("#"):
		l.take(commentToken, l.islandComment())
	case l.has(`"`) || l.has("`"):
		l.take(textToken, l.interpolatedEnd())
	case l.has("<<<"):
		return l.heredoc()
	case l.has("__halt_compiler"):
		l.take(textToken, len(l.data))
	default:
		return false
	}
	return true
}

// island returns the start of the next PHP block after an offset.
func (l *lexer) island(at int) int {
	for {
		open := bytes.Index(l.data[at:], []byte("<?"))
		if open < 0 {
			return len(l.data)
		}
		at += open + 2
		if rest := l.data[at:]; bytes.HasPrefix(rest, []byte("=")) {
			return at + 1
		} else if len(rest) >= 3 && bytes.EqualFold(rest[:3], []byte("php")) {
			return at + 3
		}
	}
}

// islandComment returns the end of a line comment: the end of its line or of its PHP block.
func (l *lexer) islandComment() int {
	end := l.lineEnd(l.offset)
	if close := bytes.Index(l.data[l.offset:end], []byte("?>")); close >= 0 {
		return l.offset + close
	}
	return end
}

// interpolatedEnd returns the end of the string at the next byte. Expressions in it, such
// as {$a["b"]}, may contain strings with the same quotes.
func (l *lexer) interpolatedEnd() int {
	open := []byte{l.data[l.offset]} // terminators of the open strings and expressions
	at := l.offset + 1
	for at < len(l.data) && len(open) > 0 {
		c, last := l.data[at], open[len(open)-1]
		switch next := l.data[min(at+1, len(l.data)-1)]; {
		case c == '\\' && last != '}':
			at++
		case c == last:
			open = open[:len(open)-1]
		case last != '}' && (c == '{' && next == '$' || c == '$' && next == '{'):
			open = append(open, '}')
			at++
		case last == '}' && (c == '"' || c == '`'):
			open = append(open, c)
		case last == '}' && c == '{':
			open = append(open, '}')
		case last == '}' && c == '\'':
			at = l.quoteEnd(at+1, quote{"'", "'", true, true}) - 1
		}
		at++
	}
	l.unbalanced = l.unbalanced || len(open) > 0
	return min(at, len(l.data))
}

// heredoc takes a heredoc up to the line that begins with its label.
func (l *lexer) heredoc() bool {
	at := l.offset + 3
	for at < len(l.data) && (l.data[at] == ' ' || l.data[at] == '\t') {
		at++
	}
	if at < len(l.data) && (l.data[at] == '"' || l.data[at] == '\'') {
		at++
	}
	label := l.data[at:l.wordEnd(at)]
	if len(label) == 0 {
		return false
	}
	l.take(textToken, l.labelEnd(l.lineEnd(at), label))
	return true
}

// labelEnd returns the end of the label at the start of a line after an offset.
func (l *lexer) labelEnd(at int, label []byte) int {
	for at < len(l.data) {
		at++
		end := l.lineEnd(at)
		line := bytes.TrimLeft(l.data[at:end], " \t")
		if from := end - len(line); bytes.HasPrefix(line, label) && l.wordEnd(from) == from+len(label) {
			return from + len(label)
		}
		at = end
	}
	l.unbalanced = true
	return len(l.data)
}

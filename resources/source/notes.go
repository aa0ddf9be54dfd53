package source

import (
	"slices"
	"strings"
)

// noteWords lists the words that begin a note.
var noteWords = [...]string{"TODO", "FIXME", "HACK", "XXX", "NOTE"}

// notes extracts the notes of a comment, at most one per line.
func (u *unit) notes(c Comment) {
	line := c.From
	for text := range strings.Lines(c.Text) {
		if n, found := noteIn(strings.TrimSpace(text)); found {
			n.Line, n.Symbol, n.Code = line, c.Symbol, u.codeAfter(c.To)
			u.Notes = append(u.Notes, n)
		}
		line++
	}
}

// noteIn parses a note. The word must be delimited, and a colon, a bracket, a space or the
// end of the line must follow.
func noteIn(text string) (n Note, found bool) {
	for _, w := range noteWords {
		before, after, has := strings.Cut(text, w)
		if !has || before != "" && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "@") ||
			after != "" && !strings.ContainsRune(":( -", rune(after[0])) {
			continue
		}
		n.Word = w
		if rest, has := strings.CutPrefix(after, "("); has {
			if who, rest, has := strings.Cut(rest, ")"); has {
				n.parseOwner(who)
				after = rest
			}
		}
		n.Text = cut(strings.TrimSpace(strings.TrimLeft(after, ": -")), maxSignature)
		if n.Issue == "" {
			n.Issue = issueIn(n.Text)
		}
		return n, true
	}
	return Note{}, false
}

// parseOwner parses the text in brackets after the word: a task, an issue or an author.
func (n *Note) parseOwner(who string) {
	who = strings.TrimSpace(who)
	switch {
	case strings.HasPrefix(who, "task/") || strings.HasPrefix(who, "tasks/"):
		n.Task = who[strings.IndexByte(who, '/')+1:]
	case strings.HasPrefix(who, "#"):
		n.Issue = issueIn(who)
	default:
		n.Author = strings.TrimPrefix(who, "@")
	}
}

// issueIn returns the first number after a # in a text.
func issueIn(text string) string {
	for {
		_, after, found := strings.Cut(text, "#")
		if !found {
			return ""
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(after)
		}
		if end > 0 {
			return after[:end]
		}
		text = after
	}
}

// codeAfter returns the first line of code after a line.
func (u *unit) codeAfter(line int) string {
	if u.outline {
		return ""
	}
	i, _ := slices.BinarySearchFunc(u.tokens, line+1, func(t token, line int) int { return int(t.line) - line })
	if i >= len(u.tokens) {
		return ""
	}
	end := u.lineEnd(int(u.tokens[i].from))
	return cut(strings.TrimSpace(string(u.data[u.tokens[i].from:end])), 120)
}

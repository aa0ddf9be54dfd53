package dash

import "slices"

// editor edits one line of text.
type editor struct {
	text []rune
	at   int // position of the cursor
}

func (e *editor) String() string { return string(e.text) }

// put replaces the text.
func (e *editor) put(text string) { e.text, e.at = []rune(text), len([]rune(text)) }

// longestLine is the maximal length of a line in characters, as of a comment.
const longestLine = 2000

// key changes the line. It returns false for a key without effect.
func (e *editor) key(k string) bool {
	switch k {
	case "left":
		e.at = max(0, e.at-1)
	case "right":
		e.at = min(len(e.text), e.at+1)
	case "home", "ctrl-a":
		e.at = 0
	case "end", "ctrl-e":
		e.at = len(e.text)
	case "backspace":
		if e.at > 0 {
			e.at--
			e.text = slices.Delete(e.text, e.at, e.at+1)
		}
	case "delete":
		if e.at < len(e.text) {
			e.text = slices.Delete(e.text, e.at, e.at+1)
		}
	case "ctrl-u":
		e.text, e.at = slices.Delete(e.text, 0, e.at), 0
	case "ctrl-w":
		from := e.at
		for from > 0 && e.text[from-1] == ' ' {
			from--
		}
		for from > 0 && e.text[from-1] != ' ' {
			from--
		}
		e.text, e.at = slices.Delete(e.text, from, e.at), from
	default:
		typed := []rune(k)
		if named(k) || len(e.text)+len(typed) > longestLine {
			return false
		}
		e.text = slices.Insert(e.text, e.at, typed...)
		e.at += len(typed)
	}
	return true
}

// draw draws the part of the line around the cursor.
func (e *editor) draw(c canvas, x, y, columns int) {
	from := 0
	for c.wide(string(e.text[from:e.at])) >= columns {
		from++
	}
	c.text(x, y, columns, string(e.text[from:]), c.style(plain, false))
	c.screen.ShowCursor(x+c.wide(string(e.text[from:e.at])), y)
}

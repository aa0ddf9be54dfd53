package dash

import "slices"

// editor edits one line of text.
type editor struct {
	text   []rune
	cursor int // position of the cursor
}

func (e *editor) String() string { return string(e.text) }

// setText replaces the text.
func (e *editor) setText(text string) { e.text, e.cursor = []rune(text), len([]rune(text)) }

// maxLine is the maximal length of a line in characters, as of a comment.
const maxLine = 2000

// key changes the line. It returns false for a key without effect.
func (e *editor) key(k string) bool {
	switch k {
	case "left":
		e.cursor = max(0, e.cursor-1)
	case "right":
		e.cursor = min(len(e.text), e.cursor+1)
	case "home", "ctrl-a":
		e.cursor = 0
	case "end", "ctrl-e":
		e.cursor = len(e.text)
	case "backspace":
		if e.cursor > 0 {
			e.cursor--
			e.text = slices.Delete(e.text, e.cursor, e.cursor+1)
		}
	case "delete":
		if e.cursor < len(e.text) {
			e.text = slices.Delete(e.text, e.cursor, e.cursor+1)
		}
	case "ctrl-u":
		e.text, e.cursor = slices.Delete(e.text, 0, e.cursor), 0
	case "ctrl-w":
		from := e.cursor
		for from > 0 && e.text[from-1] == ' ' {
			from--
		}
		for from > 0 && e.text[from-1] != ' ' {
			from--
		}
		e.text, e.cursor = slices.Delete(e.text, from, e.cursor), from
	default:
		typed := []rune(k)
		if named(k) || len(e.text)+len(typed) > maxLine {
			return false
		}
		e.text = slices.Insert(e.text, e.cursor, typed...)
		e.cursor += len(typed)
	}
	return true
}

// draw draws the part of the line around the cursor.
func (e *editor) draw(c canvas, x, y, columns int) {
	from := 0
	for c.wide(string(e.text[from:e.cursor])) >= columns {
		from++
	}
	c.text(x, y, columns, string(e.text[from:]), c.style(plain, false))
	c.screen.ShowCursor(x+c.wide(string(e.text[from:e.cursor])), y)
}

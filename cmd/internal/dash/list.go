package dash

import (
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources/needs"
)

// cell is a part of a row.
type cell struct {
	text  string
	look  look
	width int // how many columns it takes; 0: as many as its text, rest: what is left
}

// rest is the width of the one cell of a row that takes what others leave.
const rest = -1

// row is one line of a list. It stands for something that can be selected, or says something.
type row struct {
	id    string      // unique in its list, and the same for as long as it is the same thing; "": not selected
	about string      // the object that keys act on, as kind/name; "" for none
	need  *needs.Need // that it shows
	event int         // of the denial that it shows, 1 for the first; 0: none
	cells []cell
	since time.Time // its age stands at the right edge; zero: none does
	right string    // or this
}

// heading is a row that says what follows.
func heading(text, note string) row {
	return row{cells: []cell{{text, strong, 0}, {" " + note, quiet, rest}}}
}

// said is a row of text alone.
func said(l look, text string) row { return row{cells: []cell{{text, l, rest}}} }

// list shows rows, of which it draws those that are in sight. What is selected stays so while rows
// come and go, and where it was on the screen.
type list struct {
	rows     []row
	selected int // of rows; -1: none can be
	top      int // the first row in sight
	height   int // as it was drawn last
}

// set shows other rows.
func (l *list) set(rows []row) {
	id, from := "", l.selected-l.top
	if l.selected >= 0 && l.selected < len(l.rows) {
		id = l.rows[l.selected].id
	}
	l.rows = rows
	at := slices.IndexFunc(rows, func(r row) bool { return r.id != "" && r.id == id })
	switch {
	case at >= 0:
		l.selected, l.top = at, at-from
	default: // it is gone: what stands there now
		l.selected = l.near(min(max(l.selected, 0), len(rows)-1))
	}
	l.show()
}

// near is the row that can be selected at a place, or below it, or else above; -1 for none.
func (l *list) near(at int) int {
	for i := max(at, 0); i < len(l.rows); i++ {
		if l.rows[i].id != "" {
			return i
		}
	}
	for i := min(at, len(l.rows)-1); i >= 0; i-- {
		if l.rows[i].id != "" {
			return i
		}
	}
	return -1
}

// move selects the row so many further, of those that can be selected; where none can be, it scrolls.
func (l *list) move(by int) {
	if l.selected < 0 {
		l.scroll(by)
		return
	}
	step := 1
	if by < 0 {
		step, by = -1, -by
	}
	for i := l.selected + step; by > 0 && i >= 0 && i < len(l.rows); i += step {
		if l.rows[i].id != "" {
			l.selected = i
			by--
		}
	}
	l.show()
	if first := l.near(0); l.selected == first {
		l.top = 0 // with the headings above it
	}
}

// scroll moves what is in sight.
func (l *list) scroll(by int) {
	l.top = max(0, min(l.top+by, len(l.rows)-l.height))
	if l.selected >= 0 && (l.selected < l.top || l.selected >= l.top+l.height) {
		l.selected = l.near(min(max(l.selected, l.top), l.top+l.height-1))
	}
}

// show brings what is selected into sight.
func (l *list) show() {
	if l.selected >= 0 && l.height > 0 {
		l.top = max(min(l.top, l.selected), l.selected-l.height+1)
	}
	l.top = max(0, min(l.top, len(l.rows)-l.height))
}

// section selects the first row of the next part, or the one before.
func (l *list) section(by int) bool {
	part := func(i int) (n int) {
		for _, r := range l.rows[:i] {
			if r.id == "" {
				n++
			}
		}
		return n
	}
	if l.selected < 0 {
		return false
	}
	here := part(l.selected)
	for i := l.selected + by; i >= 0 && i < len(l.rows); i += by {
		if l.rows[i].id != "" && part(i) != here {
			for by < 0 && i > 0 && l.rows[i-1].id != "" {
				i--
			}
			l.selected = i
			l.show()
			return true
		}
	}
	return false
}

// current is the selected row; nil for none.
func (l *list) current() *row {
	if l.selected < 0 || l.selected >= len(l.rows) {
		return nil
	}
	return &l.rows[l.selected]
}

// area is a part of the screen.
type area struct{ x, y, width, height int }

// draw draws the rows that are in sight. Focused: its selection is the one that keys are about.
func (l *list) draw(c canvas, a area, now time.Time, focused bool) {
	l.height = a.height
	l.show()
	for i := range a.height {
		if at := l.top + i; at < len(l.rows) {
			l.rows[at].draw(c, area{a.x, a.y + i, a.width, 1}, now, at == l.selected, focused)
		} else {
			c.text(a.x, a.y+i, a.width, "", c.style(plain, false))
		}
	}
}

// draw draws a row: its mark, its cells, and its age at the right edge.
func (r *row) draw(c canvas, a area, now time.Time, selected, focused bool) {
	mark := " "
	if selected && c.unicode {
		mark = "▸"
	} else if selected {
		mark = ">"
	}
	selected = selected && focused
	right := r.right
	if !r.since.IsZero() {
		right = fmt.Sprintf("%4s", age(r.since, now)) // so that what stands before it is in columns
	}
	x, end := a.x+1, a.x+a.width
	if right != "" {
		end -= c.wide(right) + 2
	}
	c.text(a.x, a.y, 1, mark, c.style(plain, false))
	widths := r.widths(c, end-x)
	for i, cell := range r.cells {
		columns := min(widths[i], end-x)
		c.text(x, a.y, columns, cell.text, c.style(cell.look, selected))
		x += max(columns, 0)
	}
	c.text(x, a.y, a.x+a.width-x, "", c.style(plain, selected))
	if right != "" {
		c.text(end, a.y, a.x+a.width-end, " "+right, c.style(quiet, selected))
	}
}

// widths are those of the cells of a row in some columns.
func (r *row) widths(c canvas, columns int) []int {
	widths, taken, takes := make([]int, len(r.cells)), 0, -1
	for i, cell := range r.cells {
		switch cell.width {
		case rest:
			takes = i
		case 0:
			widths[i] = c.wide(cell.text)
		default:
			widths[i] = cell.width
		}
		taken += widths[i]
	}
	if takes >= 0 {
		widths[takes] = max(0, columns-taken)
	}
	return widths
}

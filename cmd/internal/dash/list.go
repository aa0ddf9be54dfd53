package dash

import (
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources/attention"
)

// cell is a part of a row.
type cell struct {
	text  string
	look  look
	width int // number of columns; 0 means the text's width, rest means the remaining columns
}

// rest is the width of the cell that takes the remaining columns of a row.
const rest = -1

// row is one line of a list: a selectable object, or text.
type row struct {
	id     string          // unique and stable within its list; empty if not selectable
	object string          // object of the row's commands, as kind/name; empty for none
	need   *attention.Need // need that the row shows
	event  int             // number of the denial that the row shows, 1 for the first; 0 for none
	cells  []cell
	since  time.Time // shown as an age at the right edge; zero for none
	right  string    // text at the right edge instead of the age
}

func heading(text, note string) row {
	return row{cells: []cell{{text, strong, 0}, {" " + note, quiet, rest}}}
}

func textRow(l look, text string) row { return row{cells: []cell{{text, l, rest}}} }

// list shows rows and draws the visible ones. The selection keeps its object and its place on the
// screen while rows change.
type list struct {
	rows     []row
	selected int // index of the selected row; -1 if none is selectable
	top      int // first visible row
	height   int // number of rows when it was last drawn
}

// set replaces the rows. The selection stays on the same object if it is still listed.
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
	default: // the object was removed: select the row at its place
		l.selected = l.near(min(max(l.selected, 0), len(rows)-1))
	}
	l.show()
}

// near returns the selectable row at or after an index, otherwise before it, -1 for none.
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

// move moves the selection by a number of selectable rows. Without a selectable row it scrolls.
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
		l.top = 0 // show the headings above the first row
	}
}

// scroll moves the visible part of the list by a number of rows.
func (l *list) scroll(by int) {
	l.top = max(0, min(l.top+by, len(l.rows)-l.height))
	if l.selected >= 0 && (l.selected < l.top || l.selected >= l.top+l.height) {
		l.selected = l.near(min(max(l.selected, l.top), l.top+l.height-1))
	}
}

// show moves the visible part so that it contains the selected row.
func (l *list) show() {
	if l.selected >= 0 && l.height > 0 {
		l.top = max(min(l.top, l.selected), l.selected-l.height+1)
	}
	l.top = max(0, min(l.top, len(l.rows)-l.height))
}

// section selects the first row of the next or previous part. It returns false if there is none.
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

// current returns the selected row, nil for none.
func (l *list) current() *row {
	if l.selected < 0 || l.selected >= len(l.rows) {
		return nil
	}
	return &l.rows[l.selected]
}

// area is a rectangle of the screen.
type area struct{ x, y, width, height int }

// draw draws the visible rows. focused means that keys act on its selection.
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

// draw draws the mark, the cells and the age of a row.
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
		right = fmt.Sprintf("%4s", age(r.since, now)) // fixed width, to align the text before it
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

// widths returns the widths of the cells for a number of columns.
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

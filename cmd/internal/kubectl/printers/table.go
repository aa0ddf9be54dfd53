package printers

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// Table lays out rows as kubectl does: columns as wide as their widest cell, at
// least three blanks apart, the last one as long as it is. Widths are remembered
// from one Flush to the next, so that rows which come later (-w) stay in line.
type Table struct {
	w      *bufio.Writer
	width  int // number of columns
	cells  []string
	runes  []int32 // of each cell
	widths []int
}

// Layout of kubectl's tables: tabwriter with minwidth 6, padding 3. A cell that is longer
// than maxWidth moves the rest of its own row, and not that of all others.
const (
	minWidth = 6
	maxWidth = 253 // a name's longest
	padding  = 3
)

// None is what an empty cell shows.
const None = "<none>"

// NewTable returns a table with that many columns.
func NewTable(w io.Writer, columns int) *Table {
	return &Table{w: bufio.NewWriterSize(w, 32<<10), width: columns, widths: make([]int, columns)}
}

// Grow makes room for that many rows.
func (t *Table) Grow(rows int) {
	t.cells = slices.Grow(t.cells, rows*t.width)
	t.runes = slices.Grow(t.runes, rows*t.width)
}

// Header adds column names as they are.
func (t *Table) Header(names ...string) {
	for _, name := range names {
		t.add(name, len(name))
	}
}

// Cell adds the next cell of a row: one line, nothing that a terminal would act
// on, <none> if it is empty.
func (t *Table) Cell(s string) {
	if plain(s) {
		t.add(s, len(s))
		return
	}
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = strings.TrimRight(s[:i], "\r") + "..."
	}
	if s = terminal.EscapeLine(s); s == "" {
		s = None
	}
	t.add(s, utf8.RuneCountInString(s))
}

// Row adds a row of cells; those beyond the table's columns, which -o wide shows, are left out.
func (t *Table) Row(cells ...string) {
	for _, s := range cells[:t.width] {
		t.Cell(s)
	}
}

// plain: printable ASCII, as nearly all cells are.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}

func (t *Table) add(cell string, runes int) {
	c := len(t.cells) % t.width
	if c < t.width-1 {
		t.widths[c] = max(t.widths[c], minWidth, min(runes, maxWidth)+padding)
	}
	t.cells = append(t.cells, cell)
	t.runes = append(t.runes, int32(runes))
}

// Flush prints the rows that were added.
func (t *Table) Flush() error {
	for i, cell := range t.cells {
		t.w.WriteString(cell)
		if c := i % t.width; c == t.width-1 {
			t.w.WriteByte('\n')
		} else {
			t.blanks(max(padding, t.widths[c]-int(t.runes[i])))
		}
	}
	t.cells, t.runes = t.cells[:0], t.runes[:0]
	return t.w.Flush()
}

func (t *Table) blanks(n int) {
	const blanks = "                                                                "
	for ; n > len(blanks); n -= len(blanks) {
		t.w.WriteString(blanks)
	}
	t.w.WriteString(blanks[:n])
}

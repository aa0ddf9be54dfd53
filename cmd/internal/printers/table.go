package printers

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/cmd/internal/terminal"
)

// Table lays out rows as kubectl does: columns as wide as their widest cell, at
// least three blanks apart, the last one as long as it is. Widths are remembered
// from one Flush to the next, so that rows which come later (-w) stay in line.
type Table struct {
	w      *bufio.Writer
	width  int // number of columns
	cells  []string
	widths []int
}

// Layout of kubectl's tables: tabwriter with minwidth 6, padding 3.
const (
	minWidth = 6
	padding  = 3
)

// None is what an empty cell shows.
const None = "<none>"

// NewTable returns a table with that many columns.
func NewTable(w io.Writer, columns int) *Table {
	return &Table{w: bufio.NewWriterSize(w, 32<<10), width: columns, widths: make([]int, columns)}
}

// Grow makes room for that many rows.
func (t *Table) Grow(rows int) { t.cells = append(make([]string, 0, (rows+1)*t.width), t.cells...) }

// Header adds column names as they are.
func (t *Table) Header(names ...string) { t.cells = append(t.cells, names...) }

// Cell adds the next cell of a row: one line, nothing that a terminal would act
// on, <none> if it is empty.
func (t *Table) Cell(s string) {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = strings.TrimRight(s[:i], "\r") + "..."
	}
	if s = terminal.EscapeLine(s); s == "" {
		s = None
	}
	t.cells = append(t.cells, s)
}

// Flush prints the rows that were added.
func (t *Table) Flush() error {
	for i, cell := range t.cells {
		if c := i % t.width; c < t.width-1 {
			t.widths[c] = max(t.widths[c], minWidth, utf8.RuneCountInString(cell)+padding)
		}
	}
	for i, cell := range t.cells {
		t.w.WriteString(cell)
		if c := i % t.width; c == t.width-1 {
			t.w.WriteByte('\n')
		} else {
			t.blanks(t.widths[c] - utf8.RuneCountInString(cell))
		}
	}
	t.cells = t.cells[:0]
	return t.w.Flush()
}

func (t *Table) blanks(n int) {
	const blanks = "                                                                "
	for ; n > len(blanks); n -= len(blanks) {
		t.w.WriteString(blanks)
	}
	t.w.WriteString(blanks[:n])
}

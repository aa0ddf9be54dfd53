package printers

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Table formats rows like kubectl: columns as wide as their widest cell, at least three blanks
// apart, the last one unpadded. It keeps the widths after Flush, so that later rows (-w) stay
// aligned.
type Table struct {
	w      *bufio.Writer
	width  int // number of columns
	cells  []string
	runes  []int32 // widths of the cells in runes
	widths []int
}

// Layout of kubectl's tables: tabwriter with minwidth 6, padding 3. A cell longer than maxWidth
// shifts only the rest of its row.
const (
	minWidth = 6
	maxWidth = 253 // maximal length of a name
	padding  = 3
)

// None is the text of an empty cell.
const None = "<none>"

// NewTable returns a table with a number of columns.
func NewTable(w io.Writer, columns int) *Table {
	return &Table{w: bufio.NewWriterSize(w, 32<<10), width: columns, widths: make([]int, columns)}
}

// Grow allocates space for a number of rows.
func (t *Table) Grow(rows int) {
	t.cells = slices.Grow(t.cells, rows*t.width)
	t.runes = slices.Grow(t.runes, rows*t.width)
}

// Header adds column names as cells, without escaping or shortening them.
func (t *Table) Header(names ...string) {
	for _, name := range names {
		t.add(name, len(name))
	}
}

// Cell adds the next cell of a row: its first line, escaped, or <none> if it is empty.
func (t *Table) Cell(s string) {
	if isPlain(s) {
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

// Row adds a row of cells, without the cells after the table's columns, which need -o wide.
func (t *Table) Row(cells ...string) {
	for _, s := range cells[:t.width] {
		t.Cell(s)
	}
}

// isPlain reports whether s is printable ASCII and not empty, as nearly all cells are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}

// add adds a cell of the given number of characters, and widens its column if necessary. The last
// column has no width.
func (t *Table) add(cell string, runes int) {
	if c := len(t.cells) % t.width; c < t.width-1 {
		t.widths[c] = max(t.widths[c], minWidth, min(runes, maxWidth)+padding)
	}
	t.cells = append(t.cells, cell)
	t.runes = append(t.runes, int32(runes))
}

// Flush prints the added rows.
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

// blanks writes n spaces.
func (t *Table) blanks(n int) {
	const blanks = "                                                                "
	for ; n > len(blanks); n -= len(blanks) {
		t.w.WriteString(blanks)
	}
	t.w.WriteString(blanks[:n])
}

// joinLabels formats labels as k=v,k=v, sorted.
func joinLabels(labels map[string]string) string {
	parts := make([]string, 0, len(labels))
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, k+"="+labels[k])
	}
	return strings.Join(parts, ",")
}

// LastSeen formats the time since an event was last seen: 5m, or 5m (x3 over 10m).
func LastSeen(e resources.Event, now time.Time) string {
	last := queries.Age(e.Time.Time, now)
	if e.Count > 1 {
		last += fmt.Sprintf(" (x%d over %s)", e.Count, queries.Age(e.First.Time, now))
	}
	return last
}

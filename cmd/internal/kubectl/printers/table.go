package printers

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Table formats rows like kubectl: columns as wide as their widest cell, at least three blanks
// apart, the last one unpadded. It keeps the widths after Flush, so that later rows (-w) stay
// aligned. On a terminal, rows fit into its width, and phases have colours.
type Table struct {
	w      *bufio.Writer
	width  int // number of columns
	cells  []string
	runes  []int32 // widths of the cells, in columns of a terminal or in runes
	widths []int
	fit    int  // number of columns that a row may have; 0 for any
	colour bool // show phases in colours
	name   int  // index of the column with names
	phase  int  // index of the column with phases, or -1
}

// terminalWidth returns the number of columns of the terminal w, or 0 if w is none. It is not in
// package terminal, because the controller links that package.
func terminalWidth(w io.Writer) int {
	if !terminal.Is(w) {
		return 0
	}
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return columns
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
	return &Table{w: bufio.NewWriterSize(w, 32<<10), width: columns, widths: make([]int, columns),
		fit: terminalWidth(w), phase: -1}
}

// Grow allocates space for a number of rows.
func (t *Table) Grow(rows int) {
	t.cells = slices.Grow(t.cells, rows*t.width)
	t.runes = slices.Grow(t.runes, rows*t.width)
}

// Header adds column names as cells, without escaping or shortening them.
func (t *Table) Header(names ...string) {
	for _, name := range names {
		switch c := len(t.cells) % t.width; name {
		case "NAME":
			t.name = c
		case "PHASE":
			t.phase = c
		}
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
	if t.fit > 0 {
		t.add(s, displaywidth.String(s))
	} else {
		t.add(s, utf8.RuneCountInString(s))
	}
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
	most := t.fitted()
	for i, cell := range t.cells {
		c, runes := i%t.width, int(t.runes[i])
		if runes > most[c] {
			cell = cut(cell, most[c], c == t.name)
			runes = displaywidth.String(cell)
		}
		if t.colour && c == t.phase {
			cell = terminal.PaintPhase(cell, t.cells[i])
		}
		t.w.WriteString(cell)
		if c == t.width-1 {
			t.w.WriteByte('\n')
		} else {
			t.blanks(max(padding, min(t.widths[c], most[c]+padding)-runes))
		}
	}
	t.cells, t.runes = t.cells[:0], t.runes[:0]
	return t.w.Flush()
}

// leastCut is the width to which a column is cut at most.
const leastCut = 12

// fitted returns the width of each column's longest cell, after cutting the widest columns until
// rows fit into the terminal.
func (t *Table) fitted() []int {
	most := make([]int, t.width)
	if t.fit == 0 {
		for c := range most {
			most[c] = math.MaxInt32
		}
		return most
	}
	for i, runes := range t.runes {
		most[i%t.width] = max(most[i%t.width], int(runes))
	}
	row := -padding
	for c := range most {
		if c < t.width-1 {
			most[c] = max(most[c], t.widths[c]-padding)
		}
		row += most[c] + padding
	}
	for ; row > t.fit; row-- {
		widest := 0
		for c := range most {
			if most[c] >= most[widest] {
				widest = c
			}
		}
		if most[widest] <= leastCut {
			break
		}
		most[widest]--
	}
	return most
}

// cut shortens a cell to a width: in its middle if it is a name, because names differ at their
// end as well, otherwise at its end.
func cut(cell string, width int, name bool) string {
	ellipsis := "..."
	if terminal.Unicode() {
		ellipsis = "…"
	}
	width = max(0, width-displaywidth.String(ellipsis))
	if !name {
		return displaywidth.TruncateString(cell, width, "") + ellipsis
	}
	head, tail := displaywidth.TruncateString(cell, (width+1)/2, ""), ""
	for end := len(cell); end > 0; {
		_, size := utf8.DecodeLastRuneInString(cell[:end])
		if end -= size; displaywidth.String(cell[end:]) > width/2 {
			break
		}
		tail = cell[end:]
	}
	return head + ellipsis + tail
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

package printers

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/resources"
)

// Printer prints objects in one format.
type Printer struct {
	Format       Format
	NoHeaders    bool
	ShowLabels   bool
	LabelColumns []string // -L: one column for each of these labels
	Qualified    bool     // names as task.idumb.dev/foo: objects of several kinds are printed
	Actions      bool     // a first column EVENT, for --output-watch-events
	Now          time.Time
}

// Print prints the entries of one kind, or, for formats that are no tables, of
// any kinds. One tells that a single object was asked for by its name: it is
// printed as it is and not as a list.
func (p *Printer) Print(w io.Writer, entries []*Entry, one bool) error {
	switch p.Format.Name {
	case "name":
		return printNames(w, entries)
	case "custom-columns":
		return printCustomColumns(w, p.Format.columns, entries, !p.NoHeaders)
	case "json", "yaml", "jsonpath":
		return p.printDocument(w, entries, one)
	}
	if len(entries) == 0 {
		return nil
	}
	t := p.Table(w, entries[0].Key.Kind)
	t.Grow(len(entries))
	for _, e := range entries {
		t.Add(e, "")
	}
	return t.Flush()
}

func (p *Printer) printDocument(w io.Writer, entries []*Entry, one bool) error {
	var value any = NewList(entries)
	if one && len(entries) == 1 {
		value = entries[0].Document()
	}
	return p.PrintValue(w, value)
}

// writePath prints what a JSONPath template makes of value: as it is into a file
// or a pipe, escaped on a terminal.
func (p *Printer) writePath(w io.Writer, value any) error {
	if !terminal.Is(w) {
		return p.Format.path.Write(w, value)
	}
	var b strings.Builder
	if err := p.Format.path.Write(&b, value); err != nil {
		return err
	}
	_, err := io.WriteString(w, terminal.Escape(b.String()))
	return err
}

func printNames(w io.Writer, entries []*Entry) error {
	b := bufio.NewWriter(w)
	for _, e := range entries {
		fmt.Fprintln(b, terminal.EscapeLine(e.Kind().Qualified(e.Key.Name)))
	}
	return b.Flush()
}

// KindTable is the table of one kind's objects, to which rows can be added as
// they change.
type KindTable struct {
	*Table
	printer *Printer
	kind    *resources.Kind
	columns []Column
}

// Table starts the table of one kind, with its headers.
func (p *Printer) Table(w io.Writer, plural string) *KindTable {
	t := &KindTable{printer: p}
	t.kind, _ = resources.KindOf(plural)
	for _, c := range Columns(plural) {
		if !c.Wide || p.Format.Name == "wide" {
			t.columns = append(t.columns, c)
		}
	}
	headers := p.headers(t.columns)
	t.Table = NewTable(w, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	return t
}

func (p *Printer) headers(columns []Column) []string {
	var headers []string
	if p.Actions {
		headers = append(headers, "EVENT")
	}
	for _, c := range columns {
		headers = append(headers, c.Header)
	}
	for _, l := range p.LabelColumns {
		headers = append(headers, strings.ToUpper(l[strings.LastIndexByte(l, '/')+1:]))
	}
	if p.ShowLabels {
		headers = append(headers, "LABELS")
	}
	return headers
}

// Add adds a row; action is what happened, for the column EVENT.
func (t *KindTable) Add(e *Entry, action string) {
	p := t.printer
	if p.Actions {
		t.Cell(action)
	}
	for i, c := range t.columns {
		cell := c.Cell(e, p.Now)
		if i == 0 && p.Qualified {
			cell = t.kind.Qualified(cell)
		}
		t.Cell(cell)
	}
	labels := e.Labels()
	for _, l := range p.LabelColumns {
		t.Cell(labels[l])
	}
	if p.ShowLabels {
		t.Cell(JoinLabels(labels))
	}
}

// PrintItems prints records, which are no objects, as a list; for formats that
// are no tables.
func (p *Printer) PrintItems(w io.Writer, items []any) error {
	return p.PrintValue(w, &List{APIVersion: "v1", Kind: "List", Items: items})
}

// PrintValue prints any value, in a format that is neither a table nor names.
func (p *Printer) PrintValue(w io.Writer, value any) error {
	switch p.Format.Name {
	case "jsonpath":
		return p.writePath(w, value)
	case "yaml":
		return YAML(w, value)
	}
	return JSON(w, value)
}

package printers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Printer prints objects in one format.
type Printer struct {
	Format       Format
	NoHeaders    bool
	ShowLabels   bool
	LabelColumns []string            // labels with a column each (-L)
	Qualified    bool                // print names as task.idumb.dev/foo, for objects of several kinds
	Colour       terminal.ColourMode // when tables show phases in colours
	Actions      bool                // add EVENT as the first column, for --output-watch-events
}

// Print prints objects in a format that needs their full documents. one is true if the user named a
// single object: it is printed as an object, not as a list.
func (p *Printer) Print(w io.Writer, objects *queries.List, one bool) error {
	switch p.Format.Name {
	case "custom-columns":
		return printCustomColumns(w, p.Format.columns, objects, !p.NoHeaders)
	case "json":
		return printJSON(w, objects, one && !objects.Empty)
	}
	list := &List{APIVersion: "v1", Kind: "List", Items: []any{}}
	for e, err := range objects.Entries() {
		if err != nil {
			return err
		}
		list.Items = append(list.Items, e.Document())
	}
	if one && len(list.Items) == 1 {
		return p.PrintValue(w, list.Items[0])
	}
	return p.PrintValue(w, list)
}

// PrintTable prints objects of one kind, as a table or as names.
func (p *Printer) PrintTable(w io.Writer, from *queries.Table) error {
	if p.Format.Name == "name" {
		kind, _ := resources.KindOf(from.Plural)
		b := bufio.NewWriter(w)
		for _, row := range from.Rows {
			fmt.Fprintln(b, terminal.EscapeLine(kind.Qualified(row.Cells[0])))
		}
		return b.Flush()
	}
	t := p.Table(w, from.Plural, from.Headers())
	t.Grow(len(from.Rows))
	for i := range from.Rows {
		t.Add(&from.Rows[i], "")
	}
	return t.Flush()
}

// Shape returns the columns that the table needs.
func (p *Printer) Shape() queries.Shape {
	return queries.Shape{Names: p.Format.Name == "name", Wide: p.Format.Name == "wide", Metadata: p.ShowLabels || len(p.LabelColumns) > 0}
}

// printText prints the output of a template, escaped if w is a terminal.
func printText(w io.Writer, write func(io.Writer) error) error {
	if !terminal.Is(w) {
		return write(w)
	}
	var b strings.Builder
	if err := write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, terminal.Escape(b.String()))
	return err
}

// KindTable is a table of one kind's objects. Rows can be added while objects change.
type KindTable struct {
	*Table
	printer *Printer
	kind    *resources.Kind
}

// Table starts a table of one kind and adds its headers.
func (p *Printer) Table(w io.Writer, plural string, columns []string) *KindTable {
	t := &KindTable{printer: p}
	t.kind, _ = resources.KindOf(plural)
	headers := p.headers(columns)
	t.Table = p.newTable(w, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	return t
}

// headers returns the headers of a table: EVENT if the printer shows actions, then columns, then
// labels.
func (p *Printer) headers(columns []string) []string {
	var headers []string
	if p.Actions {
		headers = append(headers, "EVENT")
	}
	headers = append(headers, columns...)
	for _, l := range p.LabelColumns {
		headers = append(headers, strings.ToUpper(l[strings.LastIndexByte(l, '/')+1:]))
	}
	if p.ShowLabels {
		headers = append(headers, "LABELS")
	}
	return headers
}

// Add adds a row. action is the change, for the column EVENT.
func (t *KindTable) Add(row *queries.Row, action string) {
	p := t.printer
	if p.Actions {
		t.Cell(action)
	}
	for i, cell := range row.Cells {
		if i == 0 && p.Qualified {
			cell = t.kind.Qualified(cell)
		}
		t.Cell(cell)
	}
	labels := row.Labels()
	for _, l := range p.LabelColumns {
		t.Cell(labels[l])
	}
	if p.ShowLabels {
		t.Cell(joinLabels(labels))
	}
}

// Records starts a table of records that are not objects, with its headers. The columns after the
// first always ones need -o wide.
func (p *Printer) Records(w io.Writer, always int, headers ...string) *Table {
	if p.Format.Name != "wide" {
		headers = headers[:always]
	}
	t := p.newTable(w, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	return t
}

// newTable returns a table in the printer's format. With -o wide, nothing is cut.
func (p *Printer) newTable(w io.Writer, columns int) *Table {
	t := NewTable(w, columns)
	t.colour = p.Colour.For(w)
	if p.Format.Name == "wide" {
		t.fit = 0
	}
	return t
}

// PrintItems prints records that are not objects as a list, in a format that is not a table.
func (p *Printer) PrintItems(w io.Writer, items []any) error {
	return p.PrintValue(w, &List{APIVersion: "v1", Kind: "List", Items: items})
}

// PrintValue prints any value in a format that is neither a table nor names.
func (p *Printer) PrintValue(w io.Writer, value any) error {
	switch p.Format.Name {
	case "jsonpath":
		return printText(w, func(w io.Writer) error { return p.Format.path.Write(w, value) })
	case "go-template":
		var plain any // in its JSON form: templates use JSON names
		data, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(data, &plain)
		}
		if err != nil {
			return err
		}
		output, err := p.Format.text.execute(plain)
		if err != nil {
			return err
		}
		return printText(w, func(w io.Writer) error { _, err := io.WriteString(w, output); return err })
	case "yaml":
		return YAML(w, value)
	}
	return JSON(w, value)
}

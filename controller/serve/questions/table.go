package questions

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
)

// metaVersion is the API version of what Kubernetes makes of objects of any kind.
const metaVersion = "meta.k8s.io/v1"

// Tables is the answer where tables are wanted: one for each kind, as long as objects of a
// kind stand together.
type Tables struct {
	Tables  []Table  `json:"tables"`
	Missing []string `json:"missing,omitempty"` // "tasks/foo"
	// Packed says of each table how many rows of it follow as cells: see Send.
	Packed []int `json:"packed,omitempty"`

	packed [][]Row
}

// Table is a kind's table, as Kubernetes has it.
type Table struct {
	Kind       string             `json:"kind"`
	APIVersion string             `json:"apiVersion"`
	Metadata   ListMeta           `json:"metadata"`
	Plural     string             `json:"plural,omitempty"`            // of the kind; Kubernetes has no such field
	Columns    []ColumnDefinition `json:"columnDefinitions,omitempty"` // absent from all but the first of a watch
	Rows       []Row              `json:"rows"`
}

// ListMeta is the metadata of several objects.
type ListMeta struct {
	ResourceVersion string `json:"resourceVersion,omitempty"` // "": no controller counts them
}

// DateType is the type of a column of ages: they change though nothing happens.
const DateType = "date"

// ColumnDefinition describes a column.
type ColumnDefinition struct {
	Name        string `json:"name"` // "Blocked-By"
	Type        string `json:"type"`
	Format      string `json:"format"` // "name" for the object's
	Description string `json:"description"`
	Priority    int    `json:"priority"` // 0: always shown
}

// Row is one row of a table.
type Row struct {
	Cells  []string  `json:"cells"`
	Object *Document `json:"object,omitempty"` // as far as it is wanted
}

// Labels are those of the row's object, as far as it is there.
func (r *Row) Labels() map[string]string {
	if r.Object == nil {
		return nil
	}
	return r.Object.Metadata.Labels
}

// Always is how many columns are always shown: those for -o wide only stand behind them.
func (t *Table) Always() int {
	n := slices.IndexFunc(t.Columns, func(c ColumnDefinition) bool { return c.Priority > 0 })
	if n < 0 {
		n = len(t.Columns)
	}
	return n
}

// Headers are the columns' names as they are printed.
func (t *Table) Headers() []string {
	headers := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		headers = append(headers, strings.ToUpper(c.Name))
	}
	return headers
}

// Shape is which columns a table has, and what of the object stands in each row.
type Shape struct {
	Names    bool // the names alone
	Wide     bool // those columns as well that are for -o wide only
	Metadata bool // each row has the object's metadata
	Objects  bool // each row has the whole object

	holders bool // who holds tasks is always shown
}

// Values adds the shape to the parameters of a question.
func (s Shape) Values(v url.Values) url.Values {
	for name, on := range map[string]bool{"names": s.Names, "wide": s.Wide, "metadata": s.Metadata} {
		if on {
			v.Set(name, "true")
		}
	}
	return v
}

func readShape(v url.Values) Shape {
	return Shape{Names: v.Has("names"), Wide: v.Has("wide"), Metadata: v.Has("metadata")}
}

// TablesOf answers a question for objects with tables.
func TablesOf(s *Source, v url.Values) (Tables, error) {
	found, err := ReadFind(v).In(s)
	if err != nil {
		return Tables{}, err
	}
	answer := Tables{Missing: Names(found.Missing)}
	shape := readShape(v)
	for start, end := 0, 0; start < len(found.Entries); start = end {
		plural := found.Entries[start].Key.Kind
		for end = start; end < len(found.Entries) && found.Entries[end].Key.Kind == plural; end++ {
		}
		shape.holders = slices.ContainsFunc(found.Entries[start:end], func(e *Entry) bool { return e.Foreign })
		answer.Tables = append(answer.Tables, shape.Table(plural, found.Entries[start:end], s.Now()))
	}
	return answer, nil
}

// Table is the table of objects of one kind.
func (s Shape) Table(plural string, entries []*Entry, now time.Time) Table {
	t := TableOf(s, plural, Columns(plural), entries, now)
	for i, e := range entries {
		switch {
		case s.Objects:
			t.Rows[i].Object = e.Document()
		case s.Metadata:
			t.Rows[i].Object = e.Partial()
		}
	}
	return t
}

// TableOf is a table in that shape, with a row for each of list; the first column has the names.
func TableOf[T any](s Shape, plural string, columns []ColumnOf[T], list []T, now time.Time) Table {
	isWide := func(c ColumnOf[T]) bool { return c.Wide && !(s.holders && c.Header == holder.Header) }
	if s.Names {
		columns = columns[:1]
	}
	columns = slices.DeleteFunc(slices.Clone(columns), func(c ColumnOf[T]) bool { return isWide(c) && !s.Wide })
	t := Table{Kind: "Table", APIVersion: metaVersion, Plural: plural, Rows: make([]Row, len(list))}
	for _, c := range columns {
		t.Columns = append(t.Columns, definition(c.Header, isWide(c)))
	}
	cells := make([]string, 0, len(columns)*len(list))
	for i, of := range list {
		for _, c := range columns {
			cells = append(cells, cmp.Or(c.Cell(of, now), "<none>"))
		}
		t.Rows[i].Cells = cells[i*len(columns):]
	}
	return t
}

// definition describes a column as Kubernetes does.
func definition(header string, wide bool) ColumnDefinition {
	words := strings.Split(strings.ToLower(header), "-")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	d := ColumnDefinition{Name: strings.Join(words, "-"), Type: "string"}
	switch d.Name {
	case "Name":
		d.Format = "name"
	case "Age", "Seen", "Last seen":
		d.Type = DateType
	}
	if wide {
		d.Priority = 1
	}
	return d
}

package questions

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// Find is a question for objects: all of some kinds, or some by name.
type Find struct {
	Kinds  []string // plurals: all objects of these
	Keys   []resources.Key
	Labels string // a selector; "" takes all
	Fields string
	SortBy string
	Whole  bool // whole objects are wanted: their statuses with the times that the controller saw
}

// Found is what there is of that.
type Found struct {
	Entries []*Entry
	Missing []resources.Key // of those that were named
}

// Values are the question's parameters.
func (f *Find) Values() url.Values {
	v := url.Values{}
	for _, kind := range f.Kinds {
		v.Add("kind", kind)
	}
	for _, key := range f.Keys {
		v.Add("key", key.String())
	}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("labelSelector", f.Labels)
	set("fieldSelector", f.Fields)
	set("sortBy", f.SortBy)
	return v
}

// readFind reads the parameters of a question for objects.
func readFind(v url.Values) *Find {
	f := &Find{Kinds: v["kind"], Labels: v.Get("labelSelector"), Fields: v.Get("fieldSelector"), SortBy: v.Get("sortBy")}
	for _, text := range v["key"] {
		kind, name, _ := strings.Cut(text, "/")
		f.Keys = append(f.Keys, resources.Key{Kind: kind, Name: name})
	}
	return f
}

// reading is how objects are chosen and ordered.
type reading struct {
	labels selectors.Labels
	fields selectors.Fields
	sorter *sorter
}

func (f *Find) read() (r reading, err error) {
	if r.labels, err = selectors.ParseLabels(f.Labels); err != nil {
		return r, err
	}
	if r.fields, err = selectors.ParseFields(f.Fields); err != nil {
		return r, err
	}
	r.sorter, err = newSorter(f.SortBy)
	return r, err
}

// Check says what is wrong with the selectors, or with what to sort by.
func (f *Find) Check() error {
	_, err := f.read()
	return err
}

// In returns what there is in a source.
func (f *Find) In(s Source) (found Found, err error) {
	r, err := f.read()
	if err != nil {
		return found, err
	}
	status := s.Derived
	if f.Whole || r.fields != nil || r.sorter != nil {
		status = s.Seen
	}
	for _, kind := range f.Kinds {
		for _, key := range s.List(kind) {
			if e := entryOf(s, key, status); e != nil && e.selected(r.labels, r.fields) {
				found.Entries = append(found.Entries, e)
			}
		}
	}
	for _, key := range f.Keys {
		if e := entryOf(s, key, status); e != nil {
			found.Entries = append(found.Entries, e)
		} else {
			found.Missing = append(found.Missing, key)
		}
	}
	r.sorter.sort(found.Entries)
	return found, nil
}

func (e *Entry) selected(labels selectors.Labels, fields selectors.Fields) bool {
	return labels.Matches(e.Labels()) && (fields == nil || fields.Matches(e.Document()))
}

// EntryOf returns one object with what holds about it; nil if there is none.
func EntryOf(s Source, key resources.Key) *Entry { return entryOf(s, key, s.Derived) }

// SeenEntryOf is EntryOf with the times that only a controller saw.
func SeenEntryOf(s Source, key resources.Key) *Entry { return entryOf(s, key, s.Seen) }

func entryOf(s Source, key resources.Key, status func(resources.Key) any) *Entry {
	e := &Entry{Key: key}
	e.Object, _ = s.Get(key)
	if problem, broken := s.Problem(key); broken {
		e.Problem = &problem
	} else if e.Object == nil {
		return nil
	}
	e.Status = status(key)
	return e
}

// Tables is the answer where tables are wanted: one for each kind, as long as objects of a
// kind stand together.
type Tables struct {
	Tables  []Table  `json:"tables"`
	Missing []string `json:"missing,omitempty"` // "tasks/foo"
}

// Table is a kind's table.
type Table struct {
	Plural  string              `json:"plural"`
	Headers []string            `json:"headers"`
	Cells   []string            `json:"cells"`            // row by row
	Labels  []map[string]string `json:"labels,omitempty"` // of each row, where they are wanted
}

// Row is one row of a table.
type Row struct {
	Cells  []string
	Labels map[string]string
}

// Rows returns the rows one after the other.
func (t *Table) Rows(yield func(Row) bool) {
	width := len(t.Headers)
	for i := 0; i*width < len(t.Cells); i++ {
		row := Row{Cells: t.Cells[i*width : (i+1)*width]}
		if t.Labels != nil {
			row.Labels = t.Labels[i]
		}
		if !yield(row) {
			return
		}
	}
}

// Shape is which columns a table has.
type Shape struct {
	Names  bool // the names alone
	Wide   bool // those as well that are for -o wide only
	Labels bool // labels as well
}

// Values adds the shape to the parameters of a question.
func (s Shape) Values(v url.Values) url.Values {
	for name, on := range map[string]bool{"names": s.Names, "wide": s.Wide, "labels": s.Labels} {
		if on {
			v.Set(name, "true")
		}
	}
	return v
}

func readShape(v url.Values) Shape {
	return Shape{Names: v.Has("names"), Wide: v.Has("wide"), Labels: v.Has("labels")}
}

// Columns returns the columns that a kind's table has in that shape.
func (s Shape) Columns(plural string) []Column {
	all := Columns(plural)
	if s.Names {
		return all[:1]
	}
	return slices.DeleteFunc(slices.Clone(all), func(c Column) bool { return c.Wide && !s.Wide })
}

// TablesOf answers a question for objects with tables.
func TablesOf(s Source, v url.Values) (Tables, error) {
	found, err := readFind(v).In(s)
	if err != nil {
		return Tables{}, err
	}
	answer := Tables{Missing: Names(found.Missing)}
	shape := readShape(v)
	for start, end := 0, 0; start < len(found.Entries); start = end {
		plural := found.Entries[start].Key.Kind
		for end = start; end < len(found.Entries) && found.Entries[end].Key.Kind == plural; end++ {
		}
		answer.Tables = append(answer.Tables, shape.Table(plural, found.Entries[start:end], s.Now()))
	}
	return answer, nil
}

// Table is the table of objects of one kind.
func (s Shape) Table(plural string, entries []*Entry, now time.Time) Table {
	columns := s.Columns(plural)
	t := Table{Plural: plural, Headers: Headers(columns), Cells: make([]string, 0, len(columns)*len(entries))}
	for _, e := range entries {
		for _, c := range columns {
			t.Cells = append(t.Cells, c.Cell(e, now))
		}
		if s.Labels {
			t.Labels = append(t.Labels, e.Labels())
		}
	}
	return t
}

// Headers are the names of columns.
func Headers(columns []Column) []string {
	headers := make([]string, 0, len(columns))
	for _, c := range columns {
		headers = append(headers, c.Header)
	}
	return headers
}

// RowOf is an object as a row.
func RowOf(e *Entry, columns []Column, now time.Time) Row {
	row := Row{Labels: e.Labels()}
	for _, c := range columns {
		row.Cells = append(row.Cells, c.Cell(e, now))
	}
	return row
}

// Names are keys as answers hold them: "tasks/foo".
func Names(keys []resources.Key) []string {
	var names []string
	for _, key := range keys {
		names = append(names, key.String())
	}
	return names
}

// Objects is the answer where whole objects are wanted. It is sent as its own JSON in one
// line, and a line for each object.
type Objects struct {
	Missing []string `json:"missing,omitempty"`
	Count   int      `json:"count"`
	// Each yields the objects one after the other, as JSON.
	Each func(yield func(json.RawMessage, error) bool) `json:"-"`
}

// ObjectsOf answers a question for objects with whole ones.
func ObjectsOf(s Source, v url.Values) (Objects, error) {
	find := readFind(v)
	find.Whole = true
	found, err := find.In(s)
	if err != nil {
		return Objects{}, err
	}
	return Objects{Missing: Names(found.Missing), Count: len(found.Entries), Each: func(yield func(json.RawMessage, error) bool) {
		for _, e := range found.Entries {
			if !yield(e.Line()) {
				return
			}
		}
	}}, nil
}

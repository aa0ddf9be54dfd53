package queries

import (
	"cmp"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// metaVersion is the API version of Kubernetes types that are independent of
// the kind.
const metaVersion = "meta.k8s.io/v1"

// Tables is an answer with tables. It has one table for each run of objects of
// the same kind.
type Tables struct {
	Tables  []Table  `json:"tables"`
	Missing []string `json:"missing,omitempty"` // keys such as "tasks/foo"
	// Packed is the number of rows of each table that follow as cells: see
	// Send.
	Packed []int `json:"packed,omitempty"`

	packed [][]Row
}

// Table is a table of one kind, in the Kubernetes format.
type Table struct {
	Kind       string             `json:"kind"`
	APIVersion string             `json:"apiVersion"`
	Metadata   ListMeta           `json:"metadata"`
	Plural     string             `json:"plural,omitempty"`            // plural of the kind; not a Kubernetes field
	Columns    []ColumnDefinition `json:"columnDefinitions,omitempty"` // in a watch, only in the first table
	Rows       []Row              `json:"rows"`
}

// ListMeta is the metadata of a list.
type ListMeta struct {
	ResourceVersion string `json:"resourceVersion,omitempty"` // empty without a controller
}

// DateType is the type of a column of ages, which change without events.
const DateType = "date"

// ColumnDefinition describes a column.
type ColumnDefinition struct {
	Name        string `json:"name"` // such as "Blocked-By"
	Type        string `json:"type"`
	Format      string `json:"format"` // "name" for the column of names
	Description string `json:"description"`
	Priority    int    `json:"priority"` // 0 for default columns
}

// Row is one row of a table.
type Row struct {
	Cells  []string  `json:"cells"`
	Object *Document `json:"object,omitempty"` // only if requested
}

// Labels returns the labels of the row's object, if present.
func (r *Row) Labels() map[string]string {
	if r.Object == nil {
		return nil
	}
	return r.Object.Metadata.Labels
}

// DefaultColumns returns the number of default columns. The columns for -o wide follow
// them.
func (t *Table) DefaultColumns() int {
	n := slices.IndexFunc(t.Columns, func(c ColumnDefinition) bool { return c.Priority > 0 })
	if n < 0 {
		n = len(t.Columns)
	}
	return n
}

// Headers returns the printed names of the columns.
func (t *Table) Headers() []string {
	headers := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		headers = append(headers, strings.ToUpper(c.Name))
	}
	return headers
}

// Shape selects the columns of a table and the object in each row.
type Shape struct {
	Names    bool // only the column of names
	Wide     bool // include the columns for -o wide
	Metadata bool // include the object's metadata in each row
	Objects  bool // include the object in each row

	holders bool // always include the column of owners
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

// readShape returns the shape in the parameters of a question.
func readShape(v url.Values) Shape {
	return Shape{Names: v.Has("names"), Wide: v.Has("wide"), Metadata: v.Has("metadata")}
}

// TablesOf answers a query for objects with tables.
func TablesOf(s *Source, v url.Values) (Tables, error) {
	found, err := ReadFind(v).Run(s)
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

// Table returns a table of objects of one kind.
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

// TableOf returns a table with a row for each element of list. The first column
// has the names.
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

// definition returns the Kubernetes description of a column.
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

// Join returns a copy of a computed status (a *TaskStatus, ...) with the
// transition times of the controller's last status file, where both agree. An
// unreadable or nil file is ignored.
func Join(computed any, file []byte) any {
	if computed == nil {
		return nil
	}
	joined := reflect.New(reflect.TypeOf(computed).Elem())
	joined.Elem().Set(reflect.ValueOf(computed).Elem())
	status := joined.Interface()
	common := resources.CommonOf(status)
	common.Conditions = slices.Clone(common.Conditions)
	slices.SortFunc(common.Conditions, func(a, b resources.Condition) int { return strings.Compare(a.Type, b.Type) })
	before := reflect.New(joined.Type().Elem()).Interface()
	if file != nil && json.Unmarshal(file, before) == nil {
		joinTimes(status, before)
	}
	return status
}

// joinTimes copies the times of unchanged conditions and of an unchanged phase.
func joinTimes(status, before any) {
	now, then := resources.CommonOf(status), resources.CommonOf(before)
	for i := range now.Conditions {
		c := &now.Conditions[i]
		if old := resources.FindCondition(then.Conditions, c.Type); old != nil && old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
	}
	if now.Phase != then.Phase {
		return
	}
	switch s := status.(type) {
	case *resources.TaskStatus:
		old := before.(*resources.TaskStatus)
		s.StartedAt, s.CompletedAt = or(s.StartedAt, old.StartedAt), or(s.CompletedAt, old.CompletedAt)
	case *resources.WorkPlanStatus:
		s.PurgedAt = or(s.PurgedAt, before.(*resources.WorkPlanStatus).PurgedAt)
	case *resources.AnchorStatus:
		s.StaleSince = or(s.StaleSince, before.(*resources.AnchorStatus).StaleSince)
	}
}

// or returns t, or otherwise if t is zero.
func or(t, otherwise resources.Time) resources.Time {
	if t.IsZero() {
		return otherwise
	}
	return t
}

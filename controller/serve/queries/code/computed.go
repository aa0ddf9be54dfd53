package code

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// ComputedColumn is one column of a computed kind's table. Its cells are computed from
// a record of Records.
type ComputedColumn = queries.ColumnOf[any]

// ComputedKind is a computed kind. Its records are objects without spec: metadata with
// a name, and status.
type ComputedKind struct {
	Plural, Singular, Name string // technologies, technology, Technology
	ShortNames             []string
	Doc                    string    // one line for users
	Arguments              Arguments // type of arguments of its question
	Many                   bool      // too many to list by default: omitted from the Kubernetes API
	EmptyText              string    // message if there are no records
	Columns                []ComputedColumn
	Question               queries.Question
	// New returns a pointer to an answer of Question, for decoding.
	New func() any
	// Records returns the records of an answer and its coverage.
	Records func(answer any) ([]any, inventory.Scope)
	// NameOf returns the name of a record: a path, for some kinds.
	NameOf func(record any) string
}

// Arguments is the type of arguments of a kind's question.
type Arguments int

// Types of arguments.
const (
	Names     Arguments = iota // names of records
	Places                     // files and directories, relative to the root
	Citations                  // places, FILE#NAME, or names
)

// ComputedKindNamed returns the kind with that plural, singular or short name, ignoring
// case. It returns false if there is no such kind.
func ComputedKindNamed(kinds []ComputedKind, word string) (ComputedKind, bool) {
	word = strings.ToLower(word)
	i := slices.IndexFunc(kinds, func(k ComputedKind) bool {
		return word == k.Plural || word == k.Singular || slices.Contains(k.ShortNames, word)
	})
	if i < 0 {
		return ComputedKind{}, false
	}
	return kinds[i], true
}

// DefaultColumns returns the number of default columns, which come first.
func (k *ComputedKind) DefaultColumns() int {
	return len(slices.DeleteFunc(slices.Clone(k.Columns), func(c ComputedColumn) bool { return c.Wide }))
}

// Headers returns the headers of all columns.
func (k *ComputedKind) Headers() (headers []string) {
	for _, c := range k.Columns {
		headers = append(headers, c.Header)
	}
	return headers
}

// Cells returns the cells of a record, one for each column, with ages relative
// to now.
func (k *ComputedKind) Cells(record any, now time.Time) (cells []string) {
	for _, c := range k.Columns {
		cells = append(cells, c.Cell(record, now))
	}
	return cells
}

// complete completes a kind with answers of type A, which contain records of type R.
func complete[A, R any](k ComputedKind, question string, records func(*A) ([]R, inventory.Scope), name func(*R) string) ComputedKind {
	k.Question = questionNamed(question)
	k.New = func() any { return new(A) }
	k.NameOf = func(record any) string { r := record.(R); return name(&r) }
	k.Records = func(answer any) ([]any, inventory.Scope) {
		found, scope := records(answer.(*A))
		all := make([]any, len(found))
		for i := range found {
			all[i] = found[i]
		}
		return all, scope
	}
	return k
}

// questionNamed returns a question of this package or of package queries.
func questionNamed(name string) queries.Question {
	for _, q := range Questions() {
		if q.Name == name {
			return q
		}
	}
	q, _ := queries.Named(name)
	return q
}

// column returns a column that shows the result of cell for records of type R.
func column[R any](header string, cell func(*R) string) ComputedColumn {
	return ComputedColumn{Header: header, Cell: func(record any, _ time.Time) string { r := record.(R); return cell(&r) }}
}

// wide returns a column that only -o wide shows.
func wide[R any](header string, cell func(*R) string) ComputedColumn {
	c := column(header, cell)
	c.Wide = true
	return c
}

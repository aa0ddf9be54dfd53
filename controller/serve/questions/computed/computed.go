// Package computed has the one table of the kinds that no file holds: what the working tree says of
// itself, and what follows from objects. Commands and the Kubernetes API read it.
package computed

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/serve/questions/code"
)

// Column is one column of such a kind's table. Its cells are of a record as Records returns it.
type Column = questions.ColumnOf[any]

// Kind is one of them. Its records are objects without spec: metadata with a name, and status.
type Kind struct {
	Plural, Singular, Name string // technologies, technology, Technology
	ShortNames             []string
	Doc                    string // one line for people
	Takes                  Takes  // what its question is asked for, if not for all
	Many                   bool   // too many to be listed whole unasked: the Kubernetes API leaves them out
	Nothing                string // what is said where there is none
	Columns                []Column
	Question               questions.Question
	// New makes a pointer to an answer to Question, for who reads one that was sent.
	New func() any
	// Records are those of an answer to Question, and what it does not cover.
	Records func(answer any) ([]any, inventory.Scope)
	// NameOf is the name of one of the records: a path, for some kinds.
	NameOf func(record any) string
}

// Takes is what a question about a kind is asked for.
type Takes int

// What they are.
const (
	Names     Takes = iota // of records
	Places                 // files and folders, from the root
	Citations              // places, FILE#NAME, or names
)

// Named is the kind that a word names in any case: its plural, singular, or a short name. Not found: false.
func Named(kinds []Kind, word string) (Kind, bool) {
	word = strings.ToLower(word)
	i := slices.IndexFunc(kinds, func(k Kind) bool {
		return word == k.Plural || word == k.Singular || slices.Contains(k.ShortNames, word)
	})
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// Always counts the columns that are shown without -o wide. They stand first.
func (k *Kind) Always() int {
	return len(slices.DeleteFunc(slices.Clone(k.Columns), func(c Column) bool { return c.Wide }))
}

// Headers are those of all columns.
func (k *Kind) Headers() (headers []string) {
	for _, c := range k.Columns {
		headers = append(headers, c.Header)
	}
	return headers
}

// Cells are those of a record, one for each column; ages are counted to now.
func (k *Kind) Cells(record any, now time.Time) (cells []string) {
	for _, c := range k.Columns {
		cells = append(cells, c.Cell(record, now))
	}
	return cells
}

// of completes a kind: an answer is an A, which holds records R.
func of[A, R any](k Kind, question string, records func(*A) ([]R, inventory.Scope), name func(*R) string) Kind {
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

func questionNamed(name string) questions.Question {
	for _, q := range code.Questions() {
		if q.Name == name {
			return q
		}
	}
	q, _ := questions.Named(name)
	return q
}

func column[R any](header string, cell func(*R) string) Column {
	return Column{Header: header, Cell: func(record any, _ time.Time) string { r := record.(R); return cell(&r) }}
}

func wide[R any](header string, cell func(*R) string) Column {
	c := column(header, cell)
	c.Wide = true
	return c
}

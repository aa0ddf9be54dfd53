package beads

import (
	"fmt"
	"io"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// Report says what an import made of a file, and what it could not map. Nothing
// is dropped without a word in it.
type Report struct {
	migrate.Report
	Lines      int // with anything on them
	Issues     int // read, tombstones included
	Tombstones int // left out

	left  []migrate.LeftRecord // lines of which nothing was made
	loose []edge               // edges on lines of their own
	notes []memory             // memories that were exported with the issues
	known bool                 // something in it is written as beads writes it
	whole string               // why the file is to be kept as it is; "" if it need not be
}

// Tally counts what happened to issues in the same way.
type Tally = migrate.Tally

// Problem is something that somebody should look at.
type Problem = migrate.Problem

func (r *Report) problem(line int, id, message string) {
	r.Trouble(Problem{Line: line, ID: id, Message: message})
}

// note counts an issue in one of the report's lists.
func (r *Report) note(list *[]Tally, what, id string) { r.Note(list, what, id) }

// leave keeps a line of which nothing was made.
func (r *Report) leave(line int, what, why string, value migrate.Value) {
	at := fmt.Sprintf("line %d", line)
	r.left = append(r.left, migrate.LeftRecord{At: at, Why: why, Value: value.JSON()})
	r.Note(&r.Left, what, at)
}

// tooLong keeps a text that an object has no room for.
func (r *Report) tooLong(at, text string) {
	r.left = append(r.left, migrate.LeftRecord{At: at, Why: "too long for one file", Value: migrate.Text(text).JSON()})
	r.Note(&r.Left, "texts too long for one file", at)
}

// finish puts the lists into their order and writes the first sentence.
func (r *Report) finish() {
	r.Read = fmt.Sprintf("Read %d issues", r.Issues)
	if len(r.notes) > 0 {
		r.Read += fmt.Sprintf(" and %d memories", len(r.notes))
	}
	r.Read += fmt.Sprintf(" on %d lines", r.Lines)
	if r.Tombstones > 0 {
		r.Read += fmt.Sprintf("; left out %d that were deleted there (tombstones)", r.Tombstones)
	}
	r.Read += "."
	r.Finish()
}

// Print writes the report for people. Text out of the file is quoted, so that
// it sends nothing to the terminal.
func (r *Report) Print(w io.Writer) error { return r.Report.Print(w) }

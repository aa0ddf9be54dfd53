package printers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"unicode"

	"github.com/idumb-dev/idumb/controller/serve/questions"
)

// Objects are whole objects, one after the other, from the controller or from the files. They
// can be gone through once.
type Objects struct {
	Count int
	Lines iter.Seq2[json.RawMessage, error] // each object as JSON
}

// ObjectsOf are those that are there already.
func ObjectsOf(entries ...*questions.Entry) *Objects {
	return &Objects{Count: len(entries), Lines: func(yield func(json.RawMessage, error) bool) {
		for _, e := range entries {
			if !yield(e.Line()) {
				return
			}
		}
	}}
}

// Entries decodes them.
func (o *Objects) Entries() iter.Seq2[*questions.Entry, error] {
	return func(yield func(*questions.Entry, error) bool) {
		for line, err := range o.Lines {
			var e *questions.Entry
			if err == nil {
				e, err = questions.Decode(line)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// printJSON writes objects as JSON would write the list of them, or the one, and holds one of
// them at a time.
func printJSON(w io.Writer, objects *Objects, one bool) error {
	b := bufio.NewWriterSize(w, 32<<10)
	prefix, before, between, after := "        ", "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\",\n    \"metadata\": {},\n    \"items\": [\n        ", ",\n        ", "\n    ]\n}\n"
	switch {
	case one:
		prefix, before, after = "", "", "\n"
	case objects.Count == 0:
		before, after = "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\",\n    \"metadata\": {},\n    \"items\": []\n}", "\n"
	}
	var indented bytes.Buffer
	b.WriteString(before)
	first := true
	for line, err := range objects.Lines {
		if err != nil {
			return err
		}
		if !first {
			b.WriteString(between)
		}
		first = false
		indented.Reset()
		if err := json.Indent(&indented, line, prefix, "    "); err != nil {
			return err
		}
		b.Write(escapeJSON(indented.Bytes(), unicode.MaxRune))
	}
	b.WriteString(after)
	return b.Flush()
}

package printers

import (
	"fmt"
	"io"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// customColumn is a column of -o custom-columns.
type customColumn struct {
	header string
	path   *selectors.Template
}

// parseColumns reads NAME:.metadata.name,PHASE:.status.phase. Commas inside of
// brackets belong to the path.
func parseColumns(spec string) ([]customColumn, error) {
	var columns []customColumn
	for _, part := range splitColumns(spec) {
		header, path, ok := strings.Cut(part, ":")
		if !ok || header == "" || path == "" {
			return nil, fmt.Errorf("unexpected custom-columns spec: %s, expected <header>:<json-path-expr>", part)
		}
		parsed, err := selectors.ParsePath(path)
		if err != nil {
			return nil, err
		}
		columns = append(columns, customColumn{header, parsed})
	}
	return columns, nil
}

// splitColumns splits at the commas outside of brackets.
func splitColumns(spec string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(spec) {
		switch spec[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case ',':
			if depth <= 0 {
				parts = append(parts, spec[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, spec[start:])
}

// printCustomColumns prints a table with a row for each object.
func printCustomColumns(w io.Writer, columns []customColumn, objects *queries.List, headers bool) error {
	t := NewTable(w, len(columns))
	t.fit = 0
	if headers {
		for _, c := range columns {
			t.Header(c.header)
		}
	}
	for e, err := range objects.Entries() {
		if err != nil {
			return err
		}
		for _, c := range columns {
			text, _ := c.path.String(e.Document())
			t.Cell(text)
		}
	}
	return t.Flush()
}

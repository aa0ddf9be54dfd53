package queries

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// sorter sorts objects by a field, like --sort-by. A nil sorter keeps the
// order.
type sorter struct {
	path  *selectors.Template
	field string
}

// newSorter returns the sorter for the field at a path, nil for the empty path.
func newSorter(path string) (*sorter, error) {
	if path == "" {
		return nil, nil
	}
	parsed, err := selectors.ParsePath(path)
	if err != nil {
		return nil, err
	}
	return &sorter{path: parsed, field: strings.Trim(path, "{}. ")}, nil
}

// sortKey is the sort key of an object. Enumerations sort by their own order
// (critical before high) and numbers by value. Objects without the field come
// last.
type sortKey struct {
	missing int // 1 if the object lacks the field
	number  float64
	text    string
}

// sort sorts entries by kind, then by the field.
func (s *sorter) sort(entries []*Entry) {
	if s == nil {
		return
	}
	keys := make(map[*Entry]sortKey, len(entries))
	for _, e := range entries {
		keys[e] = s.key(e)
	}
	slices.SortStableFunc(entries, func(a, b *Entry) int {
		x, y := keys[a], keys[b]
		return cmp.Or(cmp.Compare(kindOrder(a), kindOrder(b)), cmp.Compare(x.missing, y.missing), cmp.Compare(x.number, y.number), strings.Compare(x.text, y.text))
	})
}

func (s *sorter) key(e *Entry) sortKey {
	text, found := s.path.String(e.Document())
	if s.field == "spec.priority" && (e.Key.Kind == resources.Tasks || e.Key.Kind == resources.Anchors) {
		return sortKey{number: float64(resources.PriorityRank(text))}
	}
	if !found {
		return sortKey{missing: 1}
	}
	if field, known := e.Kind().LookupField(s.field); known && len(field.Enum) > 0 {
		return sortKey{number: float64(slices.Index(field.Enum, text))}
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return sortKey{number: n}
	}
	return sortKey{text: text}
}

// kindOrder returns the position of an entry's kind among all kinds. Entries of one kind stay
// together, because each kind has a table.
func kindOrder(e *Entry) int { return slices.Index(resources.Kinds(), e.Kind()) }

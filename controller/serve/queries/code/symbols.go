package code

import (
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/source"
)

// SymbolRecord is a declaration, as an object without spec.
type SymbolRecord struct {
	Metadata Named        `json:"metadata"` // such as src/a.ts#Auth.login
	Status   SymbolStatus `json:"status"`
}

// Named is the metadata of a computed object, which only has a name.
type Named struct {
	Name string `json:"name"`
}

// SymbolStatus is a declaration with its file. See source.Symbol.
type SymbolStatus struct {
	Path string `json:"path"`
	source.Symbol
}

// Symbols is the answer with declarations.
type Symbols struct {
	Scope inventory.Scope `json:"scope"`
	Items []SymbolRecord  `json:"items"`
}

// SymbolsOf returns declarations: those in named files and directories, those
// cited as FILE#NAME, or those with a name, optionally preceded by its owner.
// Without an argument it returns all.
func SymbolsOf(s *queries.Source, v url.Values) (answer Symbols, err error) {
	answer.Items = []SymbolRecord{}
	err = askFiles(s, func(k inventory.Snapshot) {
		wanted := newSymbolFilter(k, v["name"])
		for _, path := range k.Paths() {
			if !wanted.mayContain(path, k) {
				continue
			}
			facts, err := k.FullFacts(path)
			if err != nil {
				continue // already in the omissions of the scope
			}
			for _, symbol := range facts.Symbols {
				if wanted.matches(path, symbol) {
					answer.Items = append(answer.Items, SymbolRecord{Named{path + "#" + symbol.Full()}, SymbolStatus{path, symbol}})
				}
			}
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

// symbolFilter selects symbols. The zero value selects all.
type symbolFilter struct {
	places []string          // files, and directories with a trailing slash
	cited  map[string]string // file -> name, from FILE#NAME
	names  []string
}

// newSymbolFilter returns the filter for arguments of three forms: FILE#NAME, the path of a file
// or directory, and any other word, which is a name.
func newSymbolFilter(known inventory.Snapshot, arguments []string) symbolFilter {
	w := symbolFilter{cited: map[string]string{}}
	for _, a := range arguments {
		file, name, cites := strings.Cut(a, "#")
		switch at, found := slices.BinarySearch(known.Paths(), strings.TrimSuffix(a, "/")); {
		case cites:
			w.cited[file] = name
		case found:
			w.places = append(w.places, a)
		case strings.HasSuffix(a, "/") || at < len(known.Paths()) && strings.HasPrefix(known.Paths()[at], a+"/"):
			w.places = append(w.places, strings.TrimSuffix(a, "/")+"/")
		default:
			w.names = append(w.names, a)
		}
	}
	return w
}

// mayContain reports whether a file must be read. For a name, every file with
// symbols must be read, because the trimmed facts contain no methods.
func (w *symbolFilter) mayContain(path string, known inventory.Snapshot) bool {
	return known.Facts(path).Symbols != nil && (len(w.names) > 0 || w.hasPlace(path) || w.cited[path] != "" || w.all())
}

// all reports whether the filter selects all symbols.
func (w *symbolFilter) all() bool { return len(w.names)+len(w.places)+len(w.cited) == 0 }

// hasPlace reports whether the filter names a file or one of its directories.
func (w *symbolFilter) hasPlace(path string) bool {
	return slices.ContainsFunc(w.places, func(p string) bool { return p == path || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) })
}

// matches reports whether the filter selects a symbol of the file at path. A name also selects
// methods of that name.
func (w *symbolFilter) matches(path string, s source.Symbol) bool {
	named := func(name string) bool { return s.Full() == name || strings.HasSuffix(s.Full(), "."+name) }
	return w.all() || w.hasPlace(path) || slices.ContainsFunc(w.names, named) || w.cited[path] != "" && named(w.cited[path])
}

// Todo is a note in a comment, such as TODO or FIXME.
type Todo struct {
	Path string `json:"path"`
	source.Note
}

// Todos lists notes by file and line.
type Todos struct {
	Scope inventory.Scope `json:"scope"`
	Items []Todo          `json:"items"`
}

// TodosOf returns the notes in the named files and directories, or in all
// files.
func TodosOf(s *queries.Source, v url.Values) (answer Todos, err error) {
	answer.Items = []Todo{}
	err = askFiles(s, func(k inventory.Snapshot) {
		wanted := newSymbolFilter(k, v["name"])
		for _, path := range k.Paths() {
			if len(k.Facts(path).Notes) == 0 || !wanted.all() && !wanted.hasPlace(path) {
				continue
			}
			facts, err := k.FullFacts(path)
			if err != nil {
				continue // removed in the meantime
			}
			for _, note := range facts.Notes {
				answer.Items = append(answer.Items, Todo{path, note})
			}
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

package code

import (
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources/source"
)

// SymbolRecord is a declaration, as an object without spec.
type SymbolRecord struct {
	Metadata Named        `json:"metadata"` // src/a.ts#Auth.login
	Status   SymbolStatus `json:"status"`
}

// Named is the metadata of what is computed and has a name only.
type Named struct {
	Name string `json:"name"`
}

// SymbolStatus is what a declaration is, with its file. See source.Symbol.
type SymbolStatus struct {
	Path string `json:"path"`
	source.Symbol
}

// Symbols is which declarations there are.
type Symbols struct {
	Scope inventory.Scope `json:"scope"`
	Items []SymbolRecord  `json:"items"`
}

// SymbolsOf answers which declarations there are: of the files and folders that are named, of
// FILE#NAME, or with a name, its owner's before it or not; all without an argument.
func SymbolsOf(s *questions.Source, v url.Values) (answer Symbols, err error) {
	answer.Items = []SymbolRecord{}
	err = ask(s, func(k inventory.Known) {
		wanted := wantedSymbols(k, v["name"])
		for _, path := range k.Paths() {
			if !wanted.mayHold(path, k) {
				continue
			}
			facts, err := k.Whole(path)
			if err != nil {
				continue // it is among those that the scope leaves out
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

// wanted says which symbols are asked for; none of it: all.
type wanted struct {
	places []string          // files, and folders with a slash at their end
	cited  map[string]string // FILE#NAME: the name by the file
	names  []string
}

func wantedSymbols(known inventory.Known, arguments []string) wanted {
	w := wanted{cited: map[string]string{}}
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

// mayHold reports whether a file is to be read: for a name, only those whose trimmed facts or
// owners can hold it are, and methods are not among those.
func (w *wanted) mayHold(path string, known inventory.Known) bool {
	return known.Facts(path).Symbols != nil && (len(w.names) > 0 || w.place(path) || w.cited[path] != "" || w.all())
}

func (w *wanted) all() bool { return len(w.names)+len(w.places)+len(w.cited) == 0 }

func (w *wanted) place(path string) bool {
	return slices.ContainsFunc(w.places, func(p string) bool { return p == path || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) })
}

func (w *wanted) matches(path string, s source.Symbol) bool {
	named := func(name string) bool { return s.Full() == name || strings.HasSuffix(s.Full(), "."+name) }
	return w.all() || w.place(path) || slices.ContainsFunc(w.names, named) || w.cited[path] != "" && named(w.cited[path])
}

package code

import (
	"net/url"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/source"
)

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

package code

import (
	"net/url"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources/source"
)

// Todo is a note in a comment: TODO, FIXME and their like.
type Todo struct {
	Path string `json:"path"`
	source.Note
}

// Todos are notes, by file and line.
type Todos struct {
	Scope inventory.Scope `json:"scope"`
	Items []Todo          `json:"items"`
}

// TodosOf answers which notes stand in the files and folders that are named, or in all.
func TodosOf(s *questions.Source, v url.Values) (answer Todos, err error) {
	answer.Items = []Todo{}
	err = ask(s, func(k inventory.Known) {
		wanted := wantedSymbols(k, v["name"])
		for _, path := range k.Paths() {
			if len(k.Facts(path).Notes) == 0 || !wanted.all() && !wanted.place(path) {
				continue
			}
			facts, err := k.Whole(path)
			if err != nil {
				continue // it is gone by now
			}
			for _, note := range facts.Notes {
				answer.Items = append(answer.Items, Todo{path, note})
			}
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

package code

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// TechnologyRecord is a technology in a workspace, as an object without spec.
type TechnologyRecord struct {
	Metadata Named                   `json:"metadata"`
	Status   technologies.Technology `json:"status"`
}

// Technologies is the answer with technologies.
type Technologies struct {
	Scope inventory.Scope    `json:"scope"`
	Items []TechnologyRecord `json:"items"`
}

// TechnologiesOf returns the technologies of the repository, all or those with
// certain names.
func TechnologiesOf(s *queries.Source, v url.Values) (answer Technologies, err error) {
	answer.Items = []TechnologyRecord{}
	err = askFiles(s, func(k inventory.Snapshot) {
		for _, t := range technologies.Find(k) {
			if names := v["name"]; len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, t.Name) }) {
				answer.Items = append(answer.Items, TechnologyRecord{Named{t.Name}, t})
			}
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

// DocumentRecord is a document, as an object without spec.
type DocumentRecord struct {
	Metadata Named              `json:"metadata"` // its path
	Status   documents.Document `json:"status"`
}

// Documents is the answer with documents.
type Documents struct {
	Scope inventory.Scope  `json:"scope"`
	Items []DocumentRecord `json:"items"`
}

// DocumentsOf returns the named documents, the documents in named directories,
// or all.
func DocumentsOf(s *queries.Source, v url.Values) (answer Documents, err error) {
	answer.Items = []DocumentRecord{}
	err = askFiles(s, func(k inventory.Snapshot) {
		wanted := newSymbolFilter(k, v["name"])
		for _, d := range documents.Find(k, removedFiles(context.Background(), s, "")) {
			if wanted.all() || wanted.hasPlace(d.Path) {
				answer.Items = append(answer.Items, DocumentRecord{Named{d.Path}, d})
			}
		}
		answer.Scope = k.Scope()
	})
	return answer, err
}

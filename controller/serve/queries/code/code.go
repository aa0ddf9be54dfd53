// Package code implements the questions about the files of the working tree:
// declarations, imports, technologies and documents. Each answer contains its
// date and its omissions. It also contains the table of kinds without files, which
// commands and the Kubernetes API use.
package code

import (
	"context"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// Names of the questions.
const (
	AskSymbols      = "symbols"
	AskSources      = "sources"
	AskTechnologies = "technologies"
	AskDocuments    = "documents"
	AskProject      = "project"
	AskDeps         = "deps"
	AskWhy          = "why"
	AskCycles       = "knots"
	AskTodos        = "todos"
	AskCheck        = "check"
	AskDrift        = "drift"
)

// Questions returns the questions of this package.
func Questions() []queries.Question {
	return []queries.Question{
		{Name: AskSymbols, Answer: answer(SymbolsOf)},
		{Name: AskSources, Answer: answer(SourcesOf)},
		{Name: AskTechnologies, Answer: answer(TechnologiesOf)},
		{Name: AskDocuments, Answer: answer(DocumentsOf)},
		{Name: AskProject, Answer: answer(OverviewOf)},
		{Name: AskDeps, Answer: answer(DepsOf)},
		{Name: AskWhy, Answer: answer(WhyOf)},
		{Name: AskCycles, Answer: answer(ImportCyclesOf)},
		{Name: AskTodos, Answer: answer(TodosOf)},
		{Name: AskCheck, Answer: answer(CheckOf)},
		{Name: AskDrift, Answer: answer(TreeDiffOf)},
	}
}

// askFiles answers a question from the current files. It continues if the client
// disconnects, because the next question needs the result. Git has its own
// timeout.
func askFiles(s *queries.Source, answer func(inventory.Snapshot)) error {
	return s.Inventory().Ask(context.Background(), answer)
}

// answer adapts a typed function to Question.Answer, and records that the named files were used.
func answer[A any](ask func(*queries.Source, url.Values) (A, error)) func(*queries.Source, url.Values) (any, error) {
	return func(s *queries.Source, v url.Values) (any, error) {
		s.Inventory().RecordUse(slices.Concat(v["name"], v["path"], v["from"], v["to"])...)
		a, err := ask(s, v)
		return &a, err
	}
}

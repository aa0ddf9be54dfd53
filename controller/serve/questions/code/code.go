// Package code implements the questions about the files of the working tree:
// declarations, imports, technologies and documents. Each answer contains its
// date and its omissions.
package code

import (
	"context"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/questions"
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
	AskKnots        = "knots"
	AskTodos        = "todos"
	AskCheck        = "check"
	AskDrift        = "drift"
)

// Questions returns the questions of this package.
func Questions() []questions.Question {
	return []questions.Question{
		{Name: AskSymbols, Answer: answer(SymbolsOf)},
		{Name: AskSources, Answer: answer(SourcesOf)},
		{Name: AskTechnologies, Answer: answer(TechnologiesOf)},
		{Name: AskDocuments, Answer: answer(DocumentsOf)},
		{Name: AskProject, Answer: answer(OverviewOf)},
		{Name: AskDeps, Answer: answer(DepsOf)},
		{Name: AskWhy, Answer: answer(WhyOf)},
		{Name: AskKnots, Answer: answer(KnotsOf)},
		{Name: AskTodos, Answer: answer(TodosOf)},
		{Name: AskCheck, Answer: answer(CheckOf)},
		{Name: AskDrift, Answer: answer(DriftOf)},
	}
}

// ask answers a question from the current files. It continues if the client
// disconnects, because the next question needs the result. Git has its own
// timeout.
func ask(s *questions.Source, answer func(inventory.Known)) error {
	return s.Inventory().Ask(context.Background(), answer)
}

// answer adapts a typed function to Question.Answer.
func answer[A any](ask func(*questions.Source, url.Values) (A, error)) func(*questions.Source, url.Values) (any, error) {
	return func(s *questions.Source, v url.Values) (any, error) {
		s.Inventory().Note(slices.Concat(v["name"], v["path"], v["from"], v["to"])...)
		a, err := ask(s, v)
		return &a, err
	}
}

// Package code has the questions about the files of the working tree: what they declare, who imports
// whom, and what the project is. Each answer says of when it is and what was left out.
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

// Questions are those of this package, for who answers.
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

// ask lets a question be answered from the files as they are now. It goes on where who asked hangs up:
// the next one needs what was found, and git has its own limit.
func ask(s *questions.Source, answer func(inventory.Known)) error {
	return s.Inventory().Ask(context.Background(), answer)
}

// answer forgets of which type a question's answer is.
func answer[A any](ask func(*questions.Source, url.Values) (A, error)) func(*questions.Source, url.Values) (any, error) {
	return func(s *questions.Source, v url.Values) (any, error) {
		s.Inventory().Note(slices.Concat(v["name"], v["path"], v["from"], v["to"])...)
		a, err := ask(s, v)
		return &a, err
	}
}

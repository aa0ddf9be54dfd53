package queries

import "net/url"

// Question is a read query.
type Question struct {
	Name string
	// Answer computes the answer from a source. It returns a pointer to a value
	// for Send.
	Answer func(s *Source, parameters url.Values) (any, error)
}

// Named returns the question of that name.
func Named(name string) (Question, bool) {
	for _, q := range all {
		if q.Name == name {
			return q, true
		}
	}
	return Question{}, false
}

// Names of the questions.
const (
	AskTables      = "tables"
	AskObjects     = "objects"
	AskNext        = "next"
	AskRecall      = "recall"
	AskContext     = "context"
	AskBearing     = "bearing"
	AskDescribe    = "describe"
	AskRights      = "can-i"
	AskNames       = "names"
	AskRelations   = "around"
	AskReviewItems = "concerns"
	AskTop         = "top"
	AskOverview    = "overview"
	AskNeeds       = "needs"
	AskReport      = "report"
	AskWarnings    = "warnings"
	AskGraphs      = "graphs"
	AskDash        = "dash"
	AskTodoLists   = "todo-lists"
	AskViolations  = "violations"
)

// all is the table of questions.
var all = [...]Question{
	{AskTables, answer(TablesOf)},
	{AskObjects, answer(ObjectsOf)},
	{AskNext, answer(NextOf)},
	{AskRecall, answer(RecallOf)},
	{AskContext, answer(ContextOf)},
	{AskBearing, answer(BearingOf)},
	{AskDescribe, answer(DescribeOf)},
	{AskRights, answer(RightsOf)},
	{AskNames, answer(NamesOf)},
	{AskRelations, answer(RelationsOf)},
	{AskReviewItems, answer(ReviewItemsOf)},
	{AskTop, answer(TopOf)},
	{AskOverview, answer(OverviewOf)},
	{AskNeeds, answer(NeedsOf)},
	{AskReport, answer(ReportsOf)},
	{AskWarnings, answer(WarningsOf)},
	{AskGraphs, answer(GraphsOf)},
	{AskDash, answer(DashOf)},
	{AskTodoLists, answer(TodoListsOf)},
	{AskViolations, answer(ViolationsOf)},
}

// answer adapts a typed function to Question.Answer.
func answer[A any](ask func(*Source, url.Values) (A, error)) func(*Source, url.Values) (any, error) {
	return func(s *Source, v url.Values) (any, error) {
		a, err := ask(s, v)
		return &a, err
	}
}

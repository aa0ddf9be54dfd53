package questions

import "net/url"

// Question is something that can be asked.
type Question struct {
	Name string
	// Answer answers it from a source. It returns a pointer to what Send sends.
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
	AskTables   = "tables"
	AskObjects  = "objects"
	AskNext     = "next"
	AskRecall   = "recall"
	AskContext  = "context"
	AskBearing  = "bearing"
	AskDescribe = "describe"
	AskRights   = "can-i"
	AskNames    = "names"
	AskAround   = "around"
	AskConcerns = "concerns"
	AskTop      = "top"
	AskOverview = "overview"
	AskNeeds    = "needs"
	AskReport   = "report"
	AskWarnings = "warnings"
	AskGraphs   = "graphs"
	AskDash     = "dash"
)

// all is the one table of questions.
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
	{AskAround, answer(AroundOf)},
	{AskConcerns, answer(ConcernsOf)},
	{AskTop, answer(TopOf)},
	{AskOverview, answer(OverviewOf)},
	{AskNeeds, answer(NeedsOf)},
	{AskReport, answer(ReportsOf)},
	{AskWarnings, answer(WarningsOf)},
	{AskGraphs, answer(GraphsOf)},
	{AskDash, answer(DashOf)},
}

// answer forgets of which type a question's answer is.
func answer[A any](ask func(*Source, url.Values) (A, error)) func(*Source, url.Values) (any, error) {
	return func(s *Source, v url.Values) (any, error) {
		a, err := ask(s, v)
		return &a, err
	}
}

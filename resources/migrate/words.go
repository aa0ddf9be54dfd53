package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// State is what a status of another tool means for a task.
type State struct {
	State string
	Ahead bool // planned, and not to be proposed
	Known bool // the word is one that means something
}

// taskStates is the table of words for what a task is in, folded.
var taskStates = [...]struct {
	state State
	words string
}{
	{State{resources.TaskPlanned, false, true}, "planned pending todo open new ready backlog notstarted created queued unstarted"},
	{State{resources.TaskActive, false, true}, "active inprogress doing started working wip ongoing current"},
	{State{resources.TaskReview, false, true}, "review inreview validating verifying testing validation"},
	{State{resources.TaskCompleted, false, true}, "completed complete done closed finished resolved merged passed success archived"},
	{State{resources.TaskFailed, false, true}, "failed fail error"},
	{State{resources.TaskAbandoned, false, true}, "abandoned cancelled canceled invalidated wontfix dropped obsolete removed rejected"},
	{State{resources.TaskPlanned, true, true}, "blocked deferred onhold paused later draft postponed waiting someday"},
}

// TaskState says what a status means; an unknown one is planned and not proposed.
func TaskState(status string) State {
	word := Fold(strings.TrimSpace(status))
	if word == "" {
		return State{resources.TaskPlanned, false, true}
	}
	for _, row := range taskStates {
		for known := range strings.FieldsSeq(row.words) {
			if known == word {
				return row.state
			}
		}
	}
	return State{State: resources.TaskPlanned, Ahead: true}
}

// PlanState says what a status means for a plan, and whether the word is known.
func PlanState(status string) (string, bool) {
	if Fold(status) == "archived" {
		return resources.PlanArchived, true
	}
	s := TaskState(status)
	switch s.State {
	case resources.TaskCompleted:
		return resources.PlanCompleted, s.Known
	case resources.TaskFailed, resources.TaskAbandoned:
		return resources.PlanAbandoned, s.Known
	case resources.TaskPlanned:
		if word := Fold(status); s.Ahead || word == "planned" || word == "pending" {
			return resources.PlanDraft, s.Known
		}
	}
	return resources.PlanActive, s.Known
}

// priorities is the table of words for how much something matters, folded.
var priorities = [...]struct{ priority, words string }{
	{"critical", "critical urgent blocker p0 0 highest immediate"},
	{"high", "high p1 1 major important"},
	{"medium", "medium p2 2 med moderate"},
	{"normal", "normal p3 3 default none"},
	{"low", "low p4 4 minor lowest trivial"},
}

// Priority says what a word for a priority means; "" for none and for an unknown one.
func Priority(word string) string {
	word = Fold(strings.TrimSpace(word))
	for _, row := range priorities {
		for known := range strings.FieldsSeq(row.words) {
			if known == word {
				return row.priority
			}
		}
	}
	return ""
}

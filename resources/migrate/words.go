package migrate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// State is the meaning of another tool's status for a task.
type State struct {
	State     string
	PlanAhead bool // planned, and not proposed as next
	IsKnown   bool // the word is known
}

// taskStates maps words, normalized by plainWord, to states of a task.
var taskStates = [...]struct {
	state State
	words string
}{
	{State{resources.TaskPlanned, false, true}, "planned pending todo tobedone open new ready backlog notstarted created queued unstarted " +
		"proposed accepted approved scheduled triage assigned selected reopened readyfordev readytostart"},
	{State{resources.TaskActive, false, true}, "active inprogress progress doing started working wip ongoing current hooked claimed " +
		"indevelopment development indev coding implementing executing running underway begun inwork"},
	{State{resources.TaskReview, false, true}, "review inreview validating verifying testing validation verification qa inqa test intest " +
		"codereview peerreview readyforreview needsreview underreview awaitingreview pendingreview reviewing"},
	{State{resources.TaskCompleted, false, true}, "completed complete done closed finished resolved merged passed success archived " +
		"shipped released deployed delivered fixed verified succeeded implemented x"},
	{State{resources.TaskFailed, false, true}, "failed fail error errored failure"},
	{State{resources.TaskAbandoned, false, true}, "abandoned cancelled canceled cancel invalidated wontfix dropped obsolete removed rejected " +
		"wontdo willnotdo willnotfix skipped duplicate deleted tombstone declined discarded superseded invalid notplanned aborted withdrawn"},
	{State{resources.TaskPlanned, true, true}, "blocked deferred onhold hold paused later draft postponed waiting someday " +
		"icebox parked pinned snoozed suspended stalled future"},
}

// ticks contains check marks that mean done.
const ticks = "✓✔☑✅"

// plainWord normalizes a word: lower-case letters and digits only. "Won't do" becomes
// wontdo, and "🔄 In Progress" becomes inprogress. A check mark without a word becomes done.
func plainWord(text string) string {
	word := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	if word == "" && strings.ContainsAny(text, ticks) {
		return "done"
	}
	return word
}

// TaskState returns the meaning of a status for a task. An unknown status means planned and
// not proposed.
func TaskState(status string) State {
	word := plainWord(status)
	if strings.TrimSpace(status) == "" {
		return State{resources.TaskPlanned, false, true}
	}
	for _, row := range taskStates {
		if slices.Contains(strings.Fields(row.words), word) {
			return row.state
		}
	}
	return State{State: resources.TaskPlanned, PlanAhead: true}
}

// PlanState returns the meaning of a status for a plan, and whether the word is known.
func PlanState(status string) (string, bool) {
	if plainWord(status) == "archived" {
		return resources.PlanArchived, true
	}
	s := TaskState(status)
	switch s.State {
	case resources.TaskCompleted:
		return resources.PlanCompleted, s.IsKnown
	case resources.TaskFailed, resources.TaskAbandoned:
		return resources.PlanAbandoned, s.IsKnown
	case resources.TaskPlanned:
		if word := plainWord(status); s.PlanAhead || word == "planned" || word == "pending" {
			return resources.PlanDraft, s.IsKnown
		}
	}
	return resources.PlanActive, s.IsKnown
}

// priorities maps words, normalized by plainWord, to priorities.
var priorities = [...]struct{ priority, words string }{
	{"critical", "critical urgent blocker p0 0 highest immediate veryhigh showstopper asap"},
	{"high", "high p1 1 major important"},
	{"medium", "medium p2 2 med moderate"},
	{"normal", "normal p3 3 default none"},
	{"low", "low p4 4 minor lowest trivial verylow p5 5 optional"},
}

// Priority returns the meaning of a word for a priority, or "" if it is empty or unknown.
// It ignores a number before a word, and the word priority: "2 - High", "high priority".
func Priority(word string) string {
	word = plainWord(strings.TrimSuffix(strings.TrimSpace(word), ".0"))
	word = strings.TrimSuffix(strings.TrimPrefix(word, "priority"), "priority")
	if bare := strings.TrimLeft(word, "0123456789"); bare != "" {
		word = bare
	}
	for _, row := range priorities {
		if slices.Contains(strings.Fields(row.words), word) {
			return row.priority
		}
	}
	return ""
}

// Pattern returns a function that compiles a regular expression on first use. Most
// processes never import a format.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

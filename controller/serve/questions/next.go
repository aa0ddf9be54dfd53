package questions

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Next is which tasks may be started, the best first.
type Next struct {
	Tables
	Documents []NextDocument `json:"documents,omitempty"` // in place of the table, where (documents) they are asked for
	Stuck     string         `json:"stuck,omitempty"`     // why there is none, a few lines for people
}

// NextDocument is a task that is proposed, as JSON.
type NextDocument struct {
	Name           string `json:"name"`
	Plan           string `json:"plan"`
	Title          string `json:"title,omitempty"`
	Priority       string `json:"priority"`
	ExpectedOutput string `json:"expectedOutput"`
	AssignedTo     string `json:"assignedTo,omitempty"`
	Unblocks       int    `json:"unblocks"`
	Why            string `json:"why"`
}

// nextColumns are the columns of what is proposed.
var nextColumns = []ColumnOf[status.NextTask]{
	{"NAME", false, func(n status.NextTask, _ time.Time) string { return n.Task.Metadata.Name }},
	{"PLAN", false, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.WorkPlan }},
	{"PRIORITY", false, func(n status.NextTask, _ time.Time) string { return priority(n.Task) }},
	{"WHY", false, func(n status.NextTask, _ time.Time) string { return n.Why }},
	{"ASSIGNED-TO", true, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.AssignedTo }},
	{"AGE", true, func(n status.NextTask, now time.Time) string { return Age(n.Task.Created(), now) }},
	{"TITLE", true, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.Title }},
}

func priority(t *resources.Task) string { return cmp.Or(t.Spec.Priority, resources.DefaultPriority) }

// NextOf answers which tasks may be started: of one plan, or (plan) of all; so many at most,
// or (limit) all.
func NextOf(s *Source, v url.Values) (Next, error) {
	plan := v.Get("plan")
	limit, _ := strconv.Atoi(v.Get("limit"))
	proposed := []status.NextTask(nil)
	if plan == "" {
		proposed = s.startable(max(limit, 0), func(most int) []status.NextTask { return status.NextTasks(s, most) })
	} else {
		key := resources.Key{Kind: resources.WorkPlans, Name: plan}
		if EntryOf(s, key) == nil {
			return Next{}, apierrors.NotFound(key)
		}
		proposed = s.startable(max(limit, 0), func(most int) []status.NextTask { return status.NextInPlanOf(plan, s, most) })
	}
	answer := Next{}
	switch {
	case len(proposed) == 0:
		answer.Stuck = explainStuck(s, plan)
	case v.Has("documents"):
		answer.Documents = nextDocuments(proposed)
	default:
		answer.Tables.Tables = []Table{TableOf(readShape(v), resources.Tasks, nextColumns, proposed, s.Now())}
	}
	return answer, nil
}

// startable leaves out of what is proposed what somebody holds in another working tree, and
// tasks of which the file cannot be read now: their last good version counts for others, and to
// start them fails. limit 0: all.
func (s *Source) startable(limit int, next func(most int) []status.NextTask) []status.NextTask {
	broken := map[string]bool{}
	for _, p := range s.Problems() {
		if p.Key.Kind == resources.Tasks {
			broken[p.Key.Name] = true
		}
	}
	unfit := len(broken) + s.roll().Len() // at most
	if unfit == 0 {
		return next(limit)
	}
	most := limit
	if most > 0 {
		most += unfit
	}
	proposed := slices.DeleteFunc(next(most), func(n status.NextTask) bool { return broken[n.Task.Metadata.Name] || s.roll().Elsewhere(n.Task) })
	if limit > 0 {
		proposed = proposed[:min(limit, len(proposed))]
	}
	return proposed
}

func nextDocuments(proposed []status.NextTask) []NextDocument {
	documents := make([]NextDocument, 0, len(proposed))
	for _, n := range proposed {
		spec := &n.Task.Spec
		documents = append(documents, NextDocument{
			Name: n.Task.Metadata.Name, Plan: spec.WorkPlan, Title: spec.Title, Priority: priority(n.Task), ExpectedOutput: spec.ExpectedOutput,
			AssignedTo: spec.AssignedTo, Unblocks: n.Unblocks, Why: n.Why,
		})
	}
	return documents
}

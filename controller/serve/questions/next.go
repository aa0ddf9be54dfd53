package questions

import (
	"cmp"
	"net/url"
	"strconv"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Next is which tasks may be started, the best first.
type Next struct {
	Tasks []NextTask `json:"tasks"`
	Stuck string     `json:"stuck,omitempty"` // why there is none, a few lines for people
}

// NextTask is a task that is proposed.
type NextTask struct {
	NextDocument
	Age string `json:"age"`
}

// NextDocument is what of it is printed as JSON.
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

// NextOf answers which tasks may be started: of one plan, or (plan) of all; so many at most,
// or (limit) all; with how many tasks each unblocks, where (unblocks) that is asked for.
func NextOf(s Source, v url.Values) (Next, error) {
	plan := v.Get("plan")
	limit, _ := strconv.Atoi(v.Get("limit"))
	proposed := []status.NextTask(nil)
	if plan == "" {
		proposed = status.NextTasks(s, max(limit, 0))
	} else {
		key := resources.Key{Kind: resources.WorkPlans, Name: plan}
		if EntryOf(s, key) == nil {
			return Next{}, apierrors.NotFound(key)
		}
		proposed = status.NextInPlanOf(plan, s, max(limit, 0))
	}
	answer := Next{Tasks: make([]NextTask, 0, len(proposed))}
	for _, n := range proposed {
		task, _ := s.Task(n.Name)
		next := NextTask{NextDocument{
			Name: n.Name, Plan: n.Plan, Title: task.Spec.Title, Priority: cmp.Or(task.Spec.Priority, "normal"), ExpectedOutput: task.Spec.ExpectedOutput,
			AssignedTo: task.Spec.AssignedTo, Why: n.Why,
		}, Age(task.Created(), s.Now())}
		if v.Has("unblocks") {
			next.Unblocks = status.Unblocks(n.Name, s)
		}
		answer.Tasks = append(answer.Tasks, next)
	}
	if len(proposed) == 0 {
		answer.Stuck = explainStuck(s, plan)
	}
	return answer, nil
}

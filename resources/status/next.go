package status

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxUnblocks limits the count in CountUnblocked.
const maxUnblocks = 100

// ReadyTask is a task that can be started.
type ReadyTask struct {
	Task     *resources.Task
	Unblocks int // see CountUnblocked
}

// NextTask is a proposed task with the reason for its rank.
type NextTask struct {
	Task     *resources.Task
	Unblocks int    // see CountUnblocked
	Reason   string // a short phrase: "critical; unblocks 3"
}

// NextTasks returns the ready tasks of all plans, best first. limit is the maximum number
// of tasks; 0 means all. Tasks of the plan in focus come first, then tasks of other active
// plans, of plans claimed completed, and of draft plans. Within a group, tasks are ordered
// by priority, then by the number of live tasks that they unblock (see CountUnblocked),
// then by age, oldest first, then by name. Tasks with spec.planAhead and tasks blocked by
// their plan are omitted.
func NextTasks(v WideView, limit int) []NextTask {
	var next []NextTask
	focus := effectiveFocus(v)
	if focus != "" {
		next = NextInPlanOf(focus, v, limit)
	}
	for _, state := range []string{resources.PlanActive, resources.PlanCompleted, resources.PlanDraft} {
		others := slices.DeleteFunc(slices.Clone(v.PlansInState(state)), func(plan string) bool { return plan == focus })
		next = appendNext(next, others, state, v, limit)
	}
	return next
}

// NextInPlanOf is NextTasks for one plan.
func NextInPlanOf(plan string, v WideView, limit int) []NextTask {
	state := ""
	if p, ok := v.Plan(plan); ok {
		state = resources.PlanState(p)
	}
	return appendNext(nil, []string{plan}, state, v, limit)
}

// CountReady returns the number of tasks that NextTasks, or NextInPlanOf for a plan that is
// not "", returns without a limit.
func CountReady(plan string, v WideView) (n int) {
	plans := []string{plan}
	if plan == "" {
		plans = slices.Concat(v.PlansInState(resources.PlanActive), v.PlansInState(resources.PlanCompleted), v.PlansInState(resources.PlanDraft))
	}
	for _, plan := range plans {
		for rank := range resources.PriorityRanks {
			for _, r := range v.PlanReady(plan, rank) {
				if !r.Task.Spec.PlanAhead {
					n++
				}
			}
		}
	}
	return n
}

// Fitting returns the first ready tasks for which fits returns true, at most most tasks (0
// means all). next returns the first limit ready tasks.
func Fitting(most int, fits func(*resources.Task) bool, next func(limit int) []NextTask) []NextTask {
	for limit := most; ; limit *= 4 {
		all := next(limit)
		fitting := slices.DeleteFunc(slices.Clone(all), func(n NextTask) bool { return !fits(n.Task) })
		if limit == 0 || len(all) < limit || len(fitting) >= most {
			if most > 0 {
				fitting = fitting[:min(most, len(fitting))]
			}
			return fitting
		}
	}
}

// appendNext appends the ready tasks of plans in a state, best first, until next has limit
// tasks (0 means no limit). It reads only as many priorities as needed.
func appendNext(next []NextTask, plans []string, state string, v WideView, limit int) []NextTask {
	for rank := 0; rank < resources.PriorityRanks && (limit == 0 || len(next) < limit); rank++ {
		var same []candidate
		for _, plan := range plans {
			same = appendReady(same, v.PlanReady(plan, rank))
		}
		if limit == 0 {
			slices.SortFunc(same, compareCandidates)
		} else {
			// the first candidates in sorted order
			most := limit - len(next)
			first := make([]candidate, 0, min(len(same), most)+1)
			for _, c := range same {
				if len(first) < most || compareCandidates(c, first[most-1]) < 0 {
					at, _ := slices.BinarySearchFunc(first, c, compareCandidates)
					first = slices.Insert(first, at, c)
					first = first[:min(len(first), most)]
				}
			}
			same = first
		}
		next = slices.Grow(next, len(same))
		for i, c := range same {
			if i > 0 && c.Unblocks == same[i-1].Unblocks { // same reason as the task before
				next = append(next, NextTask{c.Task, c.Unblocks, next[len(next)-1].Reason})
			} else {
				next = append(next, NextTask{c.Task, c.Unblocks, rankReason(rank, c.ReadyTask, state)})
			}
		}
	}
	return next
}

// candidate is a ready task with its sort keys.
type candidate struct {
	ReadyTask
	created int64 // in microseconds
}

// appendReady appends ready tasks as candidates. It omits tasks with spec.planAhead.
func appendReady(to []candidate, ready []ReadyTask) []candidate {
	to = slices.Grow(to, len(ready))
	for _, r := range ready {
		if !r.Task.Spec.PlanAhead {
			to = append(to, candidate{r, r.Task.Created().UnixMicro()})
		}
	}
	return to
}

// compareCandidates orders candidates by the number of tasks that they unblock, most first, then by
// age, oldest first, then by name.
func compareCandidates(a, b candidate) int {
	switch {
	case a.Unblocks != b.Unblocks:
		return b.Unblocks - a.Unblocks
	case a.created != b.created:
		return cmp.Compare(a.created, b.created)
	}
	return strings.Compare(a.Task.Metadata.Name, b.Task.Metadata.Name)
}

// CountUnblocked returns the number of live tasks that wait for a task, directly or
// indirectly, up to 100.
func CountUnblocked(task string, v WideView) int {
	todo := v.Dependents(resources.Key{Kind: resources.Tasks, Name: task})
	if len(todo) == 0 {
		return 0
	}
	seen := map[string]bool{task: true}
	for len(todo) > 0 && len(seen) <= maxUnblocks {
		name := todo[len(todo)-1].Name
		todo = todo[:len(todo)-1]
		if t, ok := v.Task(name); ok && !seen[name] && LiveTask(t) {
			seen[name] = true
			todo = append(todo, v.Dependents(resources.Key{Kind: resources.Tasks, Name: name})...)
		}
	}
	return len(seen) - 1
}

// rankReason returns the reason for the rank of a task as a short phrase.
func rankReason(rank int, r ReadyTask, planState string) string {
	var parts []string
	if rank != resources.PriorityRank(resources.DefaultPriority) {
		parts = append(parts, r.Task.Spec.Priority)
	}
	switch {
	case r.Unblocks >= maxUnblocks:
		parts = append(parts, "unblocks "+strconv.Itoa(maxUnblocks)+" or more")
	case r.Unblocks > 0:
		parts = append(parts, "unblocks "+strconv.Itoa(r.Unblocks))
	}
	if planState == resources.PlanDraft {
		parts = append(parts, "its plan is a draft")
	}
	if len(parts) == 0 {
		return "no open dependencies"
	}
	return strings.Join(parts, "; ")
}

package status

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// maxUnblocks bounds how far NextTasks looks for what a task unblocks.
const maxUnblocks = 100

// NextTask is a ready task that is proposed, with why it stands where it does.
type NextTask struct {
	Task     *resources.Task
	Unblocks int    // see Unblocks
	Why      string // a short phrase: "critical; unblocks 3"
}

// NextTasks returns the ready tasks of all plans, best first, limit at most (0:
// all): those of plans that are worked on before those of plans that claim to be
// completed, drafts last; within each by priority, then by how many live tasks
// they unblock, directly or not (counted up to 100), then oldest first, then by
// name. Tasks that are planned ahead, and tasks whose plan stands in the way, are
// not among them.
func NextTasks(v WideView, limit int) []NextTask {
	var next []NextTask
	for _, state := range []string{resources.PlanActive, resources.PlanCompleted, resources.PlanDraft} {
		var candidates []candidate
		for _, plan := range v.PlansInState(state) {
			candidates = appendReady(candidates, plan, v)
		}
		next = append(next, best(candidates, room(limit, len(next)), v)...)
		if limit > 0 && len(next) >= limit {
			break
		}
	}
	return next
}

// NextInPlanOf is NextTasks for one plan.
func NextInPlanOf(plan string, v WideView, limit int) []NextTask {
	return best(appendReady(nil, plan, v), limit, v)
}

// room is what is left of a limit; 0 is no limit.
func room(limit, used int) int {
	if limit == 0 {
		return 0
	}
	return limit - used
}

// candidate is a ready task with what it is ordered by.
type candidate struct {
	task    *resources.Task
	created int64 // of the task, in microseconds
	grounds
}

// grounds is what a candidate is proposed for.
type grounds struct {
	rank     int  // of its priority, 0 is critical
	draft    bool // its plan is one
	unblocks int
}

func appendReady(to []candidate, plan string, v WideView) []candidate {
	p, ok := v.Plan(plan)
	draft := ok && resources.PlanState(p) == resources.PlanDraft
	ready := v.PlanReady(plan)
	to = slices.Grow(to, len(ready))
	for _, t := range ready {
		if !t.Spec.PlanAhead {
			to = append(to, candidate{t, t.Created().UnixMicro(), grounds{rank: resources.PriorityRank(t.Spec.Priority), draft: draft}})
		}
	}
	return to
}

// best orders candidates and cuts them off. What a task unblocks costs a walk, so
// it is counted only for the priorities that are reached.
func best(all []candidate, limit int, v WideView) []NextTask {
	if len(all) == 0 {
		return nil
	}
	next := make([]NextTask, 0, min(len(all), cmp.Or(limit, len(all))))
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	unblocks, why, said := unblocker(v), "", grounds{rank: -1}
	for same := all; len(all) > 0 && len(next) < cap(next); all = all[len(same):] {
		same = all
		if n := slices.IndexFunc(all, func(c candidate) bool { return c.rank != all[0].rank }); n > 0 {
			same = all[:n]
		}
		for i := range same {
			same[i].unblocks = unblocks(same[i].task.Metadata.Name)
		}
		for _, c := range foremost(same, cap(next)-len(next)) {
			if c.grounds != said { // most stand where the one before does
				why, said = c.why(c.task.Spec.Priority), c.grounds
			}
			next = append(next, NextTask{c.task, c.unblocks, why})
		}
	}
	return next
}

// foremost returns the first of the candidates in their order, so many at most. It changes all.
func foremost(all []candidate, most int) []candidate {
	if most >= len(all) {
		slices.SortFunc(all, compareCandidates)
		return all
	}
	first := make([]candidate, 0, most+1)
	for _, c := range all {
		if len(first) < most || compareCandidates(c, first[most-1]) < 0 {
			at, _ := slices.BinarySearchFunc(first, c, compareCandidates)
			first = slices.Insert(first, at, c)
			first = first[:min(len(first), most)]
		}
	}
	return first
}

func compareCandidates(a, b candidate) int {
	switch {
	case a.unblocks != b.unblocks:
		return b.unblocks - a.unblocks
	case a.created != b.created:
		return cmp.Compare(a.created, b.created)
	}
	return strings.Compare(a.task.Metadata.Name, b.task.Metadata.Name)
}

// unblocker counts for many tasks how many live ones wait for each, directly or not, up to
// maxUnblocks. It is for one goroutine.
func unblocker(v WideView) func(task string) int {
	seen := map[string]bool{}
	return func(task string) int {
		todo := v.Dependents(resources.Key{Kind: resources.Tasks, Name: task})
		if len(todo) == 0 {
			return 0
		}
		clear(seen)
		seen[task] = true
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
}

// why says it in a short phrase, of a task with that priority.
func (s grounds) why(priority string) string {
	var parts []string
	if s.rank != resources.PriorityRank(resources.DefaultPriority) {
		parts = append(parts, priority)
	}
	switch {
	case s.unblocks >= maxUnblocks:
		parts = append(parts, "unblocks "+strconv.Itoa(maxUnblocks)+" or more")
	case s.unblocks > 0:
		parts = append(parts, "unblocks "+strconv.Itoa(s.unblocks))
	}
	if s.draft {
		parts = append(parts, "its plan is a draft")
	}
	if len(parts) == 0 {
		return "nothing comes first"
	}
	return strings.Join(parts, "; ")
}

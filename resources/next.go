package resources

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// unblocksCap bounds how far NextTasks looks for what a task unblocks.
const unblocksCap = 100

// NextTask is a ready task that is proposed, with why it stands where it does.
type NextTask struct {
	Name string
	Plan string
	Why  string // a short phrase: "critical; unblocks 3"
}

// NextTasks returns the ready tasks of all plans, best first, limit at most (0:
// all): those of plans that are worked on before those of plans that claim to be
// completed, drafts last; within each by priority, then by how many live tasks
// they unblock, directly or not (counted up to 100), then oldest first, then by
// name. Tasks that are planned ahead, and tasks whose plan stands in the way, are
// not among them.
func NextTasks(v WideView, limit int) []NextTask {
	var next []NextTask
	for _, state := range []string{PlanActive, PlanCompleted, PlanDraft} {
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
	task     *Task
	rank     int  // of its priority, 0 is critical
	draft    bool // its plan is one
	unblocks int
	created  time.Time
}

func appendReady(to []candidate, plan string, v WideView) []candidate {
	p, ok := v.Plan(plan)
	draft := ok && PlanState(p) == PlanDraft
	ready := readyTasks(plan, v)
	to = slices.Grow(to, len(ready))
	for _, t := range ready {
		if !t.Spec.PlanAhead {
			to = append(to, candidate{task: t, draft: draft, rank: PriorityRank(t.Spec.Priority), created: t.Created()})
		}
	}
	return to
}

// readyTasks returns the ready tasks of a plan; a Snapshot has them at hand.
func readyTasks(plan string, v WideView) []*Task {
	if s, ok := v.(*Snapshot); ok {
		return s.tally(plan).tasks
	}
	var ready []*Task
	for _, name := range v.PlanReady(plan) {
		if t, ok := v.Task(name); ok {
			ready = append(ready, t)
		}
	}
	return ready
}

// best orders candidates and cuts them off. What a task unblocks costs a walk, so
// it is counted only for the priorities that are reached.
func best(all []candidate, limit int, v WideView) []NextTask {
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	if len(all) == 0 {
		return nil
	}
	next := make([]NextTask, 0, min(len(all), cmp.Or(limit, len(all))))
	unblocks := unblocker(v)
	for len(all) > 0 && (limit == 0 || len(next) < limit) {
		same := all
		if end := slices.IndexFunc(all, func(c candidate) bool { return c.rank != all[0].rank }); end >= 0 {
			same = all[:end]
		}
		all = all[len(same):]
		for i := range same {
			same[i].unblocks = unblocks(same[i].task.Metadata.Name)
		}
		slices.SortFunc(same, compareCandidates)
		for _, c := range same {
			if limit > 0 && len(next) == limit {
				break
			}
			next = append(next, NextTask{Name: c.task.Metadata.Name, Plan: c.task.Spec.WorkPlan, Why: c.why()})
		}
	}
	return next
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(b.unblocks, a.unblocks),
		a.created.Compare(b.created),
		strings.Compare(a.task.Metadata.Name, b.task.Metadata.Name),
	)
}

// Unblocks returns how many live tasks wait for that one, directly or not, counted
// up to 100.
func Unblocks(task string, v WideView) int {
	todo := v.Dependents(Key{Tasks, task})
	if len(todo) == 0 {
		return 0
	}
	seen := map[string]bool{task: true}
	for len(todo) > 0 && len(seen) <= unblocksCap {
		name := todo[len(todo)-1].Name
		todo = todo[:len(todo)-1]
		if t, ok := v.Task(name); ok && !seen[name] && LiveTask(t) {
			seen[name] = true
			todo = append(todo, v.Dependents(Key{Tasks, name})...)
		}
	}
	return len(seen) - 1
}

// unblocker returns Unblocks for many tasks, which a Snapshot counts by their numbers.
// It is for one goroutine.
func unblocker(v WideView) func(task string) int {
	s, ok := v.(*Snapshot)
	if !ok {
		return func(task string) int { return Unblocks(task, v) }
	}
	waiting := s.indexes.chains()[Tasks].waiting
	seen, round, todo := make([]int, len(waiting)), 0, []int(nil) // seen: in which round
	return func(task string) int {
		first, known := s.tasks.find(task)
		if !known || len(waiting[first]) == 0 {
			return 0
		}
		round++
		seen[first] = round
		count := 0
		for todo = append(todo[:0], waiting[first]...); len(todo) > 0 && count < unblocksCap; {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if t, ok := s.tasks.objects[n].(*Task); ok && seen[n] != round && LiveTask(t) {
				seen[n] = round
				count++
				todo = append(todo, waiting[n]...)
			}
		}
		return count
	}
}

func (c *candidate) why() string {
	var parts []string
	if c.rank != PriorityRank(DefaultPriority) {
		parts = append(parts, c.task.Spec.Priority)
	}
	switch {
	case c.unblocks >= unblocksCap:
		parts = append(parts, "unblocks "+strconv.Itoa(unblocksCap)+" or more")
	case c.unblocks > 0:
		parts = append(parts, "unblocks "+strconv.Itoa(c.unblocks))
	}
	if c.draft {
		parts = append(parts, "its plan is a draft")
	}
	if len(parts) == 0 {
		return "nothing comes first"
	}
	return strings.Join(parts, "; ")
}

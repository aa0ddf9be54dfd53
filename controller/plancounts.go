package controller

import (
	"maps"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// recount updates the number of a plan's tasks in each phase.
func (c *cache) recount(before, after *entry) {
	was, wasPhase, had := planPhase(before)
	is, isPhase, has := planPhase(after)
	if had == has && was == is && wasPhase == isPhase {
		return
	}
	if had {
		c.count(was, wasPhase, -1)
	}
	if has {
		c.count(is, isPhase, 1)
	}
}

// planPhase returns the plan and the phase of a task. isTask is false for other
// objects.
func planPhase(e *entry) (plan, phase string, isTask bool) {
	if task, ok := e.object.(*resources.Task); ok {
		return task.Spec.WorkPlan, e.phase, true
	}
	return "", "", false
}

// count changes the number of a plan's tasks in a phase.
func (c *cache) count(plan, phase string, by int) {
	counts := c.phases[plan]
	if counts == nil {
		counts = map[string]int{}
		c.phases[plan] = counts
	}
	if counts[phase] += by; counts[phase] == 0 {
		delete(counts, phase)
	}
	if len(counts) == 0 {
		delete(c.phases, plan)
	}
}

// planCounts returns the number of a plan's tasks in each phase.
func (c *cache) planCounts(plan string) map[string]int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return maps.Clone(c.phases[plan])
}

// ready returns the plan's ready tasks with that priority rank. uncounted holds
// the tasks for which Unblocks is outdated; waiting is cache.dependencyVersion.
func (c *cache) ready(plan string, rank int) (ready []status.ReadyTask, uncounted []*status.ReadyTask, waiting uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	set := c.indexes[indexReady][readyValue(plan, rank)]
	ready = make([]status.ReadyTask, len(set))
	for i, e := range set {
		ready[i] = status.ReadyTask{Task: e.object.(*resources.Task), Unblocks: e.unblocks}
		if e.unblocksVersion != c.dependencyVersion {
			uncounted = append(uncounted, &ready[i])
		}
	}
	return ready, uncounted, c.dependencyVersion
}

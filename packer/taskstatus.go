package packer

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Doubt derives the statuses of tasks and plans anew: they may not follow yet from what changed.
func (s *Stock) Doubt() {
	s.use.Lock()
	defer s.use.Unlock()
	clear(s.tasks)
	clear(s.plans)
	clear(s.ahead)
}

// renewAhead looks at the tasks that changed, or at all of them where many did.
func (s *Stock) renewAhead(source Source, changed []resources.Key) {
	switch {
	case len(changed) == 0:
		return
	case len(changed) > 100:
		clear(s.ahead)
		return
	}
	for plan, names := range s.ahead {
		ready := source.PlanReady(plan)
		for _, key := range changed {
			at, known := slices.BinarySearch(names, key.Name)
			if known {
				names = slices.Delete(names, at, at+1)
			}
			if _, is := slices.BinarySearch(ready, key.Name); is && aheadIn(source, key.Name) {
				names = slices.Insert(names, at, key.Name)
			}
		}
		s.ahead[plan] = names
	}
}

// readyAhead names the tasks of a plan that are planned ahead and could be started.
func (s *Stock) readyAhead(plan string, source Source) []string {
	names, known := s.ahead[plan]
	if !known {
		for _, name := range source.PlanReady(plan) {
			if aheadIn(source, name) {
				names = append(names, name)
			}
		}
		s.ahead[plan] = names
	}
	return names
}

// aheadIn reports whether a task is planned ahead.
func aheadIn(s Source, task string) bool {
	t, ok := s.Task(task)
	return ok && t.Spec.PlanAhead
}

// plan is the status of a plan.
func (s *Stock) plan(p *resources.WorkPlan, v status.WideView) resources.WorkPlanStatus {
	st, known := s.plans[p.Metadata.Name]
	if !known {
		st, _ = status.DerivePlan(p, v)
		s.plans[p.Metadata.Name] = st
	}
	return st
}

// mostTasks is of how many tasks statuses are remembered.
const mostTasks = 2 * maxPlanTasks

// task is the status of a task.
func (s *Stock) task(t *resources.Task, v status.WideView) resources.TaskStatus {
	st, known := s.tasks[t.Metadata.Name]
	if !known {
		st, _ = status.DeriveTask(t, v)
		if len(s.tasks) >= mostTasks {
			clear(s.tasks)
		}
		s.tasks[t.Metadata.Name] = st
	}
	return st
}

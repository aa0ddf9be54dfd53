package packer

import (
	"slices"
	"strings"

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
			if i, is := slices.BinarySearchFunc(ready, key.Name, byName); is && ready[i].Spec.PlanAhead {
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
		for _, t := range source.PlanReady(plan) {
			if t.Spec.PlanAhead {
				names = append(names, t.Metadata.Name)
			}
		}
		s.ahead[plan] = names
	}
	return names
}

func byName(t *resources.Task, name string) int { return strings.Compare(t.Metadata.Name, name) }

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

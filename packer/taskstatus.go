package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Doubt derives the statuses of tasks anew: they may not follow yet from what changed.
func (s *Stock) Doubt() {
	s.use.Lock()
	defer s.use.Unlock()
	clear(s.tasks)
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
		for _, key := range changed {
			at, known := slices.BinarySearch(names, key.Name)
			if known {
				names = slices.Delete(names, at, at+1)
			}
			if t, ok := source.Task(key.Name); ok && t.Spec.PlanAhead && t.Spec.WorkPlan == plan && ready(t, source) {
				names = slices.Insert(names, at, key.Name)
			}
		}
		s.ahead[plan] = names
	}
}

func ready(t *resources.Task, source Source) bool {
	_, found := slices.BinarySearchFunc(source.PlanReady(t.Spec.WorkPlan, resources.PriorityRank(t.Spec.Priority)), t.Metadata.Name, byName)
	return found
}

// readyAhead names the tasks of a plan that are planned ahead and could be started.
func (s *Stock) readyAhead(plan string, source Source) []string {
	names, known := s.ahead[plan]
	if !known {
		for rank := range resources.PriorityRanks {
			for _, t := range source.PlanReady(plan, rank) {
				if t.Task.Spec.PlanAhead {
					names = append(names, t.Task.Metadata.Name)
				}
			}
		}
		slices.Sort(names)
		s.ahead[plan] = names
	}
	return names
}

func byName(t status.ReadyTask, name string) int { return strings.Compare(t.Task.Metadata.Name, name) }

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

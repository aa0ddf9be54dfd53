package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// InvalidateTasks drops the cached statuses of tasks, because they may not follow the last change.
func (s *Stock) InvalidateTasks() {
	s.work.Lock()
	defer s.work.Unlock()
	clear(s.tasks)
	clear(s.planTasks)
}

// refreshPlanTasks updates the cached lists of notablePlanTasks for the changed tasks, or drops
// the lists if many tasks changed.
func (s *Stock) refreshPlanTasks(source Source, changed []resources.Key) {
	switch {
	case len(changed) == 0:
		return
	case len(changed) > 100:
		clear(s.planTasks)
		return
	}
	for plan, names := range s.planTasks {
		if isLarge(plan.name, source) != plan.large {
			delete(s.planTasks, plan)
			continue
		}
		for _, key := range changed {
			at, known := slices.BinarySearch(names, key.Name)
			if known {
				names = slices.Delete(names, at, at+1)
			}
			if t, ok := source.Task(key.Name); ok && s.isNotable(t, plan, source) {
				names = slices.Insert(names, at, key.Name)
			}
		}
		s.planTasks[plan] = names
	}
}

// sizedPlan is the key of a cached list of notablePlanTasks.
type sizedPlan struct {
	name  string
	large bool
}

// isLarge reports whether a plan has more than maxPlanTasks tasks.
func isLarge(plan string, source Source) bool {
	n := 0
	for _, inPhase := range source.PlanCounts(plan) {
		n += inPhase
	}
	return n > maxPlanTasks
}

// notablePlanTasks returns the tasks of a plan that a pack may mention although no active task is near:
// tasks that are planned ahead, completed, or have a warning. For a large plan it returns the ready
// tasks that are planned ahead.
func (s *Stock) notablePlanTasks(name string, source Source) []string {
	plan := sizedPlan{name, isLarge(name, source)}
	if names, known := s.planTasks[plan]; known {
		return names
	}
	var names []string
	if plan.large {
		for rank := range resources.PriorityRanks {
			for _, t := range source.PlanReady(name, rank) {
				if t.Task.Spec.PlanAhead {
					names = append(names, t.Task.Metadata.Name)
				}
			}
		}
	} else {
		names = slices.DeleteFunc(slices.Clone(source.PlanTasks(name)), func(task string) bool {
			t, ok := source.Task(task)
			return !ok || !s.isNotable(t, plan, source)
		})
	}
	slices.Sort(names)
	s.planTasks[plan] = names
	return names
}

// isNotable reports whether a task belongs to the list of notablePlanTasks for a plan.
func (s *Stock) isNotable(t *resources.Task, of sizedPlan, source Source) bool {
	switch {
	case t.Spec.WorkPlan != of.name:
		return false
	case of.large:
		return t.Spec.PlanAhead && ready(t, source)
	}
	st := s.task(t, source)
	return t.Spec.PlanAhead || st.Phase == resources.TaskCompleted || len(conditionWarnings("", st.Conditions, 0)) > 0
}

// ready reports whether source lists a task among the ready tasks of its plan and priority.
func ready(t *resources.Task, source Source) bool {
	_, found := slices.BinarySearchFunc(source.PlanReady(t.Spec.WorkPlan, resources.PriorityRank(t.Spec.Priority)), t.Metadata.Name, byName)
	return found
}

// byName compares a ready task with a name, for a binary search.
func byName(t status.ReadyTask, name string) int { return strings.Compare(t.Task.Metadata.Name, name) }

// maxCachedStatuses is the maximal number of cached statuses.
const maxCachedStatuses = 2 * maxPlanTasks

// task returns the status of a task from the cache, or derives and caches it.
func (s *Stock) task(t *resources.Task, v status.WideView) resources.TaskStatus {
	st, known := s.tasks[t.Metadata.Name]
	if !known {
		st, _ = status.DeriveTask(t, v)
		if len(s.tasks) >= maxCachedStatuses {
			clear(s.tasks)
		}
		s.tasks[t.Metadata.Name] = st
	}
	return st
}

package status

import (
	"fmt"
	"strconv"

	"github.com/idumb-dev/idumb/resources"
)

// Tasks finds tasks by name.
type Tasks interface {
	Task(name string) (*resources.Task, bool)
}

// level returns the level of a task below its plan: 1 without a parent, 2 for a
// part. It returns 0 for tasks with more than maxParents parents, as below a
// cycle, which has a separate condition.
func level(t *resources.Task, v Tasks) int {
	for n := 1; n <= maxParents; n++ {
		parent, ok := v.Task(t.Spec.Parent)
		if t.Spec.Parent == "" || !ok {
			return n
		}
		t = parent
	}
	return 0
}

// CheckLevel returns an error if a new or moved task, or one of its parts, is deeper than
// spec.taskLevels of the config allows (002, trial 7: three levels).
func CheckLevel(old, next *resources.Task, v View, planTasks func(plan string) []string) []resources.FieldError {
	most := v.Settings().TaskLevels
	if next.Spec.Parent == "" || old != nil && old.Spec.Parent == next.Spec.Parent {
		return nil
	}
	if level(next, v) > most {
		return []resources.FieldError{tooDeep(next, most)}
	}
	if old == nil {
		return nil
	}
	for _, name := range planTasks(next.Spec.WorkPlan) {
		if part, ok := v.Task(name); ok && isPart(name, next.Metadata.Name, v) && level(part, v) > most {
			return []resources.FieldError{tooDeep(next, most)}
		}
	}
	return nil
}

// tooDeep returns the error for a task with more levels of parents than the config allows.
func tooDeep(t *resources.Task, most int) resources.FieldError {
	return resources.FieldError{Field: "spec.parent", Detail: fmt.Sprintf("Invalid value: %q: tasks have at most %d levels (config spec.taskLevels); make it a separate task with a dependency: --depends-on", t.Spec.Parent, most)}
}

// deep returns a condition if a live task has more parents than the config allows.
func (d *taskDerivation) deep() (resources.Condition, bool) {
	most := d.view.Settings().TaskLevels
	if d.task.Spec.Parent == "" || !LiveTask(d.task) || level(d.task, d.view) <= most {
		return resources.Condition{}, false
	}
	return resources.Condition{Type: resources.TooDeep, Status: resources.True, Reason: "TaskLevels",
		Message: "tasks have at most " + strconv.Itoa(most) + " levels; remove or replace spec.parent (idumb edit task " + d.task.Metadata.Name + "), or set spec.taskLevels of the config"}, true
}

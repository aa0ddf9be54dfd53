package mutate

import (
	"iter"
	"maps"

	"github.com/idumb-dev/idumb/resources"
)

// View is a store's content, changed by what is about to be written.
type View struct {
	*resources.Snapshot
	staged map[resources.Key]resources.Object // nil: about to be removed
}

// Get returns the last good version of what will be there under that key.
func (v *View) Get(key resources.Key) (resources.Object, bool) {
	if o, found := v.staged[key]; found {
		return o, o != nil
	}
	return v.Snapshot.Get(key)
}

// Task returns the last good version of a task.
func (v *View) Task(name string) (*resources.Task, bool) {
	o, found := v.staged[resources.Key{Kind: resources.Tasks, Name: name}]
	if !found {
		return v.Snapshot.Task(name)
	}
	task, ok := o.(*resources.Task)
	return task, ok
}

// Plan returns the last good version of a plan.
func (v *View) Plan(name string) (*resources.WorkPlan, bool) {
	o, found := v.staged[resources.Key{Kind: resources.WorkPlans, Name: name}]
	if !found {
		return v.Snapshot.Plan(name)
	}
	plan, ok := o.(*resources.WorkPlan)
	return plan, ok
}

// Exists reports whether there will be an object of that key, readable or not.
func (v *View) Exists(key resources.Key) bool {
	if o, found := v.staged[key]; found {
		return o != nil
	}
	return v.Snapshot.Exists(key)
}

// PlanCounts returns how many of a plan's tasks will stand in each phase.
func (v *View) PlanCounts(plan string) map[string]int {
	counts := maps.Clone(v.Snapshot.PlanCounts(plan))
	if counts == nil {
		counts = map[string]int{}
	}
	for key, o := range v.staged {
		if key.Kind != resources.Tasks {
			continue
		}
		if old, found := v.Snapshot.Task(key.Name); found && old.Spec.WorkPlan == plan {
			counts[phase(old, v.Snapshot)]--
		}
		if task, ok := o.(*resources.Task); ok && task.Spec.WorkPlan == plan {
			counts[phase(task, v)]++
		}
	}
	return counts
}

func phase(t *resources.Task, v resources.View) string {
	status, _ := resources.DeriveTask(t, v)
	return status.Phase
}

// With returns the view as it is once o is written; v stays as it is.
func (v *View) With(o resources.Object) *View {
	staged := maps.Clone(v.staged)
	staged[o.Key()] = o
	return &View{Snapshot: v.Snapshot, staged: staged}
}

// objects yields what will be there, as far as it can be read, in no particular
// order.
func (v *View) objects() iter.Seq[resources.Object] {
	return func(yield func(resources.Object) bool) {
		for _, kind := range resources.Kinds() {
			for _, key := range v.Snapshot.List(kind.Plural) {
				if o, found := v.Get(key); found && !yield(o) {
					return
				}
			}
		}
	}
}

package reconcilers

import (
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// upstreamWalk limits the search for upstream tasks.
const upstreamWalk = 256

// plansUpstream returns the plans of the live tasks that block a task, directly or indirectly, if
// the change alters how many tasks they unblock. After upstreamWalk tasks it returns every plan,
// because reconciling all plans is cheaper than a longer search.
func plansUpstream(ch controller.Change, c controller.Client) []resources.Key {
	old, new := asTask(ch.Old), asTask(ch.New)
	if !specChanged(ch) || old != nil && new != nil && status.LiveTask(old) == status.LiveTask(new) && slices.Equal(resources.ComesFirst(old), resources.ComesFirst(new)) {
		return nil
	}
	seen, plans := map[string]bool{}, map[string]bool{}
	todo := append(blockersOf(old), blockersOf(new)...)
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		t, ok := c.Task(name)
		if !ok || seen[name] || !status.LiveTask(t) {
			continue
		}
		if seen[name] = true; len(seen) > upstreamWalk {
			return c.List(resources.WorkPlans)
		}
		plans[t.Spec.WorkPlan] = true
		todo = append(todo, blockersOf(t)...)
	}
	keys := make([]resources.Key, 0, len(plans))
	for plan := range plans {
		keys = append(keys, planKey(plan))
	}
	return keys
}

// blockersOf returns the tasks that come before a task; nil for a nil task.
func blockersOf(t *resources.Task) []string {
	if t == nil {
		return nil
	}
	return slices.Clone(resources.ComesFirst(t))
}

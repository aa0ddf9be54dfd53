package reconcilers

import (
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// respecified reports whether the good version of the object is another one now,
// or there is none: anything that is computed from its spec may have changed.
func respecified(ch controller.Change) bool { return ch.Old != ch.New || ch.New == nil }

// appeared reports whether the object came or went: references to it may have
// begun or ceased to name something.
func appeared(ch controller.Change) bool { return ch.Old == nil || ch.New == nil }

// rephased reports whether the status, as written, has another phase now.
func rephased(ch controller.Change) bool { return ch.OldPhase != ch.NewPhase }

// itself is the object that came in the first listing, if it is of one of these kinds. Whoever
// sees it comes in the same listing: to look for them, for each object, would be quadratic
// where many see one another.
func itself(ch controller.Change, kinds ...string) []resources.Key {
	if slices.Contains(kinds, ch.Key.Kind) {
		return []resources.Key{ch.Key}
	}
	return nil
}

// taskKey, planKey and memKey name an object of that kind.
func taskKey(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }
func planKey(name string) resources.Key { return resources.Key{Kind: resources.WorkPlans, Name: name} }
func memKey(name string) resources.Key  { return resources.Key{Kind: resources.Mems, Name: name} }

// keysOf names objects of a kind.
func keysOf(kind string, names []string) []resources.Key {
	keys := make([]resources.Key, len(names))
	for i, name := range names {
		keys[i] = resources.Key{Kind: kind, Name: name}
	}
	return keys
}

// referring returns the objects of these kinds that name key.
func referring(c controller.Client, key resources.Key, kinds ...string) []resources.Key {
	var found []resources.Key
	for _, other := range c.By(graph.IndexRefers, key.String()) {
		for _, kind := range kinds {
			if other.Kind == kind {
				found = append(found, other)
			}
		}
	}
	return found
}

// asTask returns an object as a task; nil if it is none.
func asTask(o resources.Object) *resources.Task {
	t, _ := o.(*resources.Task)
	return t
}

func asPlan(o resources.Object) *resources.WorkPlan {
	p, _ := o.(*resources.WorkPlan)
	return p
}

func asMem(o resources.Object) *resources.Mem {
	m, _ := o.(*resources.Mem)
	return m
}

// outcome is all that others see of a task when they wait for it.
type outcome struct {
	there bool
	state string
	done  bool
}

func outcomeOf(t *resources.Task, c controller.Client) outcome {
	if t == nil {
		return outcome{}
	}
	return outcome{true, resources.TaskState(t), status.TaskDone(t, c.Evidence(t.Metadata.Name))}
}

// concluded reports whether a change of a task may matter to whoever waits for it.
func concluded(ch controller.Change, c controller.Client) bool {
	if ch.New == nil {
		return true // whether there is something that cannot be read is not in the change
	}
	return outcomeOf(asTask(ch.Old), c) != outcomeOf(asTask(ch.New), c)
}

// isConfig reports whether the settings changed, on which most things depend.
func isConfig(ch controller.Change) bool {
	return ch.Key.Kind == resources.Configs && respecified(ch)
}

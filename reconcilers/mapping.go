package reconcilers

import (
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// specChanged reports whether the valid version of an object changed or is missing, so that
// anything computed from its spec may have changed.
func specChanged(ch controller.Change) bool { return ch.Old != ch.New || ch.New == nil }

// existenceChanged reports whether the object was created or deleted, so that references to it may have
// become valid or dangling.
func existenceChanged(ch controller.Change) bool { return ch.Old == nil || ch.New == nil }

// phaseChanged reports whether the phase in the written status changed.
func phaseChanged(ch controller.Change) bool { return ch.OldPhase != ch.NewPhase }

// firstKeys returns the key of an object of the first listing, if it is of one of the kinds. The
// objects that depend on it are in the same listing; looking them up for each object would take
// quadratic time.
func firstKeys(ch controller.Change, kinds ...string) []resources.Key {
	if slices.Contains(kinds, ch.Key.Kind) {
		return []resources.Key{ch.Key}
	}
	return nil
}

func taskKey(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

func planKey(name string) resources.Key { return resources.Key{Kind: resources.WorkPlans, Name: name} }

func memKey(name string) resources.Key { return resources.Key{Kind: resources.Mems, Name: name} }

// keysOf returns the keys of named objects of a kind.
func keysOf(kind string, names []string) []resources.Key {
	keys := make([]resources.Key, len(names))
	for i, name := range names {
		keys[i] = resources.Key{Kind: kind, Name: name}
	}
	return keys
}

// referring returns the objects of the given kinds that refer to key.
func referring(c controller.Client, key resources.Key, kinds ...string) []resources.Key {
	var found []resources.Key
	for _, other := range c.Lookup(graph.IndexRefers, key.String()) {
		for _, kind := range kinds {
			if other.Kind == kind {
				found = append(found, other)
			}
		}
	}
	return found
}

// asTask returns an object as a task, nil if it is of another kind.
func asTask(o resources.Object) *resources.Task {
	t, _ := o.(*resources.Task)
	return t
}

// asPlan returns an object as a plan, nil if it is of another kind.
func asPlan(o resources.Object) *resources.WorkPlan {
	p, _ := o.(*resources.WorkPlan)
	return p
}

// asMem returns an object as a mem, nil if it is of another kind.
func asMem(o resources.Object) *resources.Mem {
	m, _ := o.(*resources.Mem)
	return m
}

// outcome is the part of a task that its dependents depend on.
type outcome struct {
	there bool
	state string
	done  bool
}

// outcomeOf returns the outcome of a task; the zero value if t is nil.
func outcomeOf(t *resources.Task, c controller.Client) outcome {
	if t == nil {
		return outcome{}
	}
	return outcome{true, resources.TaskState(t), status.TaskDone(t, c.Evidence(t.Metadata.Name))}
}

// outcomeChanged reports whether a change of a task can affect its dependents.
func outcomeChanged(ch controller.Change, c controller.Client) bool {
	if ch.New == nil {
		return true // the change does not tell whether an invalid file remains
	}
	return outcomeOf(asTask(ch.Old), c) != outcomeOf(asTask(ch.New), c)
}

// configChanged reports whether the spec of the configuration changed.
func configChanged(ch controller.Change) bool {
	return ch.Key.Kind == resources.Configs && specChanged(ch)
}

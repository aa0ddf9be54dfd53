package graph

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Wide is a Graph with access to entire kinds. It implements status.WideView.
// If its Reader has no Surroundings, its methods about files and work days
// return zero values.
type Wide struct{ *Graph }

var _ status.WideView = Wide{}

// Mem returns the last valid version of a mem, or nil if it does not exist.
func (w Wide) Mem(name string) *resources.Mem {
	m, _ := get[*resources.Mem](w.Graph, resources.Mems, name)
	return m
}

// Anchor returns the last valid version of an anchor, or nil if it does not exist.
func (w Wide) Anchor(name string) *resources.Anchor {
	a, _ := get[*resources.Anchor](w.Graph, resources.Anchors, name)
	return a
}

// Triggers returns all triggers, sorted by name.
func (w Wide) Triggers() []*resources.Trigger {
	return objects[*resources.Trigger](w.Graph, resources.Triggers, w.Names(resources.Triggers))
}

// Superseders returns the mems with that spec.supersedes, sorted by name.
func (w Wide) Superseders(mem string) []*resources.Mem {
	return objects[*resources.Mem](w.Graph, resources.Mems, w.lookupNames(resources.Mems, IndexSupersedes, mem))
}

// Topic returns the mems of a topic, sorted by name.
func (w Wide) Topic(key string) []*resources.Mem {
	return objects[*resources.Mem](w.Graph, resources.Mems, w.lookupNames(resources.Mems, IndexTopic, memory.NormalTopic(key)))
}

// WorkDays returns the days with project activity.
func (w Wide) WorkDays() status.WorkDays {
	if w.surroundings == nil {
		return nil
	}
	return w.surroundings.WorkDays()
}

// SourceSection describes a section of a repository file.
func (w Wide) SourceSection(path, section string) resources.Part {
	if w.surroundings == nil {
		return resources.Part{}
	}
	return w.surroundings.SourceSection(path, section)
}

// SourceMoved returns the new path of a missing file or section.
func (w Wide) SourceMoved(path, section, sha256 string) string {
	if w.surroundings == nil {
		return ""
	}
	return w.surroundings.SourceMoved(path, section, sha256)
}

// SourceStack returns the packages in the repository's manifests, as of the last scan.
func (w Wide) SourceStack() resources.Stack {
	if w.surroundings == nil {
		return resources.Stack{}
	}
	return w.surroundings.SourceStack()
}

// SourceFile describes a file of the repository.
func (w Wide) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	if w.surroundings == nil {
		return time.Time{}, "", false
	}
	return w.surroundings.SourceFile(path)
}

// PlansInState returns the names of all plans with that spec.state, sorted.
func (w Wide) PlansInState(state string) []string {
	return w.lookupNames(resources.WorkPlans, IndexState, state)
}

// Dependents returns the objects of the same kind that wait for a task or plan, sorted by
// name.
func (w Wide) Dependents(key resources.Key) []resources.Key {
	return keysOf(key.Kind, w.lookupNames(key.Kind, IndexDependsOn, key.String()))
}

// PlanReady returns the ready tasks of a plan with a priority rank, sorted by name.
func (w Wide) PlanReady(plan string, rank int) []status.ReadyTask {
	if w.live != nil {
		return w.live.PlanReady(plan, rank)
	}
	_, ready := w.tally(plan, w.derive)
	return ofRank(ready, rank, w)
}

// ofRank returns the tasks of a priority rank as ready tasks, each with the number of tasks that it
// unblocks.
func ofRank(tasks []*resources.Task, rank int, v status.WideView) (same []status.ReadyTask) {
	for _, t := range tasks {
		if resources.PriorityRank(t.Spec.Priority) == rank {
			same = append(same, status.ReadyTask{Task: t, Unblocks: status.CountUnblocked(t.Metadata.Name, v)})
		}
	}
	return same
}

// TasksInState returns the names of all tasks with that spec.state, sorted.
func (w Wide) TasksInState(state string) []string {
	return w.lookupNames(resources.Tasks, IndexState, state)
}

// Derive computes the status of any object. It returns a pointer to the status of the kind,
// and the next time at which the status changes, or the zero time. Phases only depend on
// specs, logs and the clock. Derive does not set the fields of FillStatus and the
// transition times (see resources.MergeConditions).
func Derive(o resources.Object, v status.WideView) (st any, next time.Time) {
	switch o := o.(type) {
	case *resources.Task:
		return pointed(status.DeriveTask(o, v))
	case *resources.WorkPlan:
		return pointed(status.DerivePlan(o, v))
	case *resources.Anchor:
		return pointed(status.DeriveAnchor(o, v))
	case *resources.Mem:
		return pointed(memory.Derive(o, v))
	case *resources.Decision:
		return pointed(memory.DeriveDecision(o, v))
	case *resources.Trigger:
		return pointed(status.DeriveTrigger(o, v))
	case *resources.Delegation:
		return pointed(status.DeriveDelegation(o, v))
	case *resources.Comment:
		return pointed(status.DeriveComment(o, v))
	case *resources.Artifact:
		return pointed(status.DeriveArtifact(o, v))
	case *resources.ChainRule:
		return pointed(status.DeriveChainRule(o, v))
	case *resources.Session:
		return pointed(status.DeriveSession(o, v))
	case *resources.Trajectory:
		return pointed(status.DeriveTrajectory(o, v))
	}
	kind, _ := resources.KindOf(o.Key().Kind)
	return kind.New().StatusPointer(), time.Time{} // roles, settings and shell rules have no observed state
}

// pointed returns a pointer to a status, as an any.
func pointed[S any](status S, next time.Time) (any, time.Time) { return &status, next }

// FillStatus adds the revision of the file to a derived status. It adds a UID if the object
// has none. For an unreadable or invalid file, it adds the phase Invalid and the condition
// Valid=False. o is the last valid version, or nil; problem is nil for a valid file.
func FillStatus(c *resources.Common, key resources.Key, o resources.Object, revision string, problem *resources.Problem) {
	c.ObservedRevision = revision
	if o == nil || o.Head().Metadata.UID == "" {
		c.UID = resources.DerivedUID(key)
	}
	if problem != nil {
		c.Phase = resources.PhaseInvalid
		c.Conditions = append(c.Conditions, resources.Condition{Type: resources.Valid, Status: resources.False, Reason: "InvalidFile", Message: problem.Error()})
	}
}

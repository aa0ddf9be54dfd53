package graph

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Wide is a Graph that can be asked about whole kinds as well: a status.WideView.
type Wide struct{ *Graph }

var _ status.WideView = Wide{}

// Mem returns the last good version of a mem; nil if there is none.
func (w Wide) Mem(name string) *resources.Mem {
	m, _ := get[*resources.Mem](w.Graph, resources.Mems, name)
	return m
}

// Triggers returns all triggers, sorted by name.
func (w Wide) Triggers() []*resources.Trigger {
	return objects[*resources.Trigger](w.Graph, resources.Triggers, w.Names(resources.Triggers))
}

// Superseders returns the mems that name that mem in spec.supersedes, sorted by name.
func (w Wide) Superseders(mem string) []*resources.Mem {
	return objects[*resources.Mem](w.Graph, resources.Mems, w.found(resources.Mems, IndexSupersedes, mem))
}

// Topic returns the mems of a topic, sorted by name.
func (w Wide) Topic(key string) []*resources.Mem {
	return objects[*resources.Mem](w.Graph, resources.Mems, w.found(resources.Mems, IndexTopic, memory.NormalTopic(key)))
}

// WorkDays are the days on which the project saw work.
func (w Wide) WorkDays() status.WorkDays {
	if w.around == nil {
		return nil
	}
	return w.around.WorkDays()
}

// SourceSection reports on a part of a file of the repository.
func (w Wide) SourceSection(path, section string) resources.Part {
	if w.around == nil {
		return resources.Part{}
	}
	return w.around.SourceSection(path, section)
}

// SourceMoved returns the file that stands in the place of one that is gone.
func (w Wide) SourceMoved(path, section, sha256 string) string {
	if w.around == nil {
		return ""
	}
	return w.around.SourceMoved(path, section, sha256)
}

// SourceStack is what the map last saw in the repository's manifests.
func (w Wide) SourceStack() resources.Stack {
	if w.around == nil {
		return resources.Stack{}
	}
	return w.around.SourceStack()
}

// SourceFile reports on a file of the repository.
func (w Wide) SourceFile(path string) (modTime time.Time, sha256 string, exists bool) {
	if w.around == nil {
		return time.Time{}, "", false
	}
	return w.around.SourceFile(path)
}

// PlansInState returns the names of all plans with that spec.state, sorted.
func (w Wide) PlansInState(state string) []string {
	return w.found(resources.WorkPlans, IndexState, state)
}

// Dependents returns the objects of the same kind that wait for that task or plan, sorted by name.
func (w Wide) Dependents(key resources.Key) []resources.Key {
	return keysOf(key.Kind, w.found(key.Kind, IndexDependsOn, key.String()))
}

// PlanReady returns the ready tasks of a plan whose priority has that rank, sorted by name.
func (w Wide) PlanReady(plan string, rank int) []status.ReadyTask {
	if w.live != nil {
		return w.live.PlanReady(plan, rank)
	}
	_, ready := w.tally(plan, w.derive)
	return ofRank(ready, rank, w)
}

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
	return w.found(resources.Tasks, IndexState, state)
}

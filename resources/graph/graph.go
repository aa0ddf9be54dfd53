// Package graph answers for what there is: it follows names from object to object over a
// Reader, and is the one view that the gate's rules and the phases of tasks are computed from.
// The controller's cache is a Reader, and so are the files of a repository.
package graph

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Reader gives objects by name. What it returns is shared and read-only.
type Reader interface {
	// Get returns the last good version of an object, nil if there is none. broken says that
	// its file is there and cannot be taken as it stands.
	Get(key resources.Key) (o resources.Object, broken bool)
	// Exists reports whether there is an object of that key, readable or not.
	Exists(key resources.Key) bool
	// Archived reports whether the object stands in .idumb/archive.
	Archived(key resources.Key) bool
	// Names returns the names of a kind's objects, readable or not, sorted.
	Names(kind string) []string
	// Mentioning returns the names of the objects of a kind that may hold one of the words,
	// sorted: all that do, and perhaps others.
	Mentioning(kind string, words ...string) []string
	// Evidence returns what the task's checkpoint log amounts to; never nil.
	Evidence(task string) *status.Sightings
}

// Indexed is what a Reader may know beside: what it keeps up to date as objects change, so
// that nobody has to look through all of them. Its answers are as Graph's own would be.
type Indexed interface {
	// TasksInState returns the names of all tasks with that spec.state, sorted.
	TasksInState(state string) []string
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
	// PlanReady returns the ready tasks of a plan, sorted by name.
	PlanReady(plan string) []string
	// PlanCounts returns how many of a plan's tasks stand in each phase.
	PlanCounts(plan string) map[string]int
	// Circle returns the dependency circle that key stands in, nil if none.
	Circle(key resources.Key) []string
	// Dependents returns the objects of the same kind whose spec.dependsOn or
	// spec.temporalGate.after names that task or plan, sorted by name.
	Dependents(key resources.Key) []resources.Key
	// Delegations returns the delegations that hand over that task, sorted by name.
	Delegations(task string) []*resources.Delegation
	// Delegates returns the sessions that work under that delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
}

// Graph is a status.View, and with what a gate adds to it an admission.View, over a
// Reader. One goroutine uses it, for one computation.
type Graph struct {
	reader   Reader
	indexed  Indexed // nil: the reader keeps no indexes
	settings *resources.ConfigSpec
	now      time.Time
	circles  CircleFinder
}

// New returns the graph over a reader as of now, under those settings.
func New(r Reader, settings *resources.ConfigSpec, now time.Time) *Graph {
	g := &Graph{reader: r, settings: settings, now: now}
	g.indexed, _ = r.(Indexed)
	return g
}

// Settings returns the configuration, defaults filled in.
func (g *Graph) Settings() *resources.ConfigSpec { return g.settings }

// Now is the clock of the computation.
func (g *Graph) Now() time.Time { return g.now }

// Exists reports whether there is an object of that key, readable or not.
func (g *Graph) Exists(key resources.Key) bool { return g.reader.Exists(key) }

// Archived reports whether the object stands in .idumb/archive.
func (g *Graph) Archived(key resources.Key) bool { return g.reader.Archived(key) }

// Names returns the names of all objects of a kind, sorted.
func (g *Graph) Names(kind string) []string { return g.reader.Names(kind) }

// get returns the last good version of an object of a type.
func get[T resources.Object](g *Graph, kind, name string) (T, bool) {
	o, _ := g.reader.Get(resources.Key{Kind: kind, Name: name})
	t, ok := o.(T)
	return t, ok
}

// Task returns the last good version of a task.
func (g *Graph) Task(name string) (*resources.Task, bool) {
	return get[*resources.Task](g, resources.Tasks, name)
}

// Plan returns the last good version of a plan.
func (g *Graph) Plan(name string) (*resources.WorkPlan, bool) {
	return get[*resources.WorkPlan](g, resources.WorkPlans, name)
}

// Role returns the last good version of a role.
func (g *Graph) Role(name string) (*resources.Role, bool) {
	return get[*resources.Role](g, resources.Roles, name)
}

// Session returns the record of a session.
func (g *Graph) Session(name string) (*resources.Session, bool) {
	return get[*resources.Session](g, resources.Sessions, name)
}

// Delegation returns the last good version of a delegation.
func (g *Graph) Delegation(name string) (*resources.Delegation, bool) {
	return get[*resources.Delegation](g, resources.Delegations, name)
}

// collect returns those objects of the names that pass.
func collect[T resources.Object](g *Graph, kind string, names []string, passes func(T) bool) []T {
	var found []T
	for _, name := range names {
		if o, ok := get[T](g, kind, name); ok && passes(o) {
			found = append(found, o)
		}
	}
	return found
}

// Roles returns every role, sorted by name.
func (g *Graph) Roles() []*resources.Role {
	return collect(g, resources.Roles, g.Names(resources.Roles), func(*resources.Role) bool { return true })
}

// Delegations returns the delegations that hand over that task, sorted by name.
func (g *Graph) Delegations(task string) []*resources.Delegation {
	if g.indexed != nil {
		return g.indexed.Delegations(task)
	}
	return collect(g, resources.Delegations, g.reader.Mentioning(resources.Delegations, task),
		func(d *resources.Delegation) bool { return d.Spec.Task == task })
}

// Delegates returns the sessions that work under that delegation, sorted by name.
func (g *Graph) Delegates(delegation string) []*resources.Session {
	if g.indexed != nil {
		return g.indexed.Delegates(delegation)
	}
	return collect(g, resources.Sessions, g.reader.Mentioning(resources.Sessions, delegation),
		func(s *resources.Session) bool { return s.Spec.Delegation == delegation })
}

// ChainRules returns the rules that hold one of the words, and perhaps some more, sorted by
// name. A word that no file could hold as it is may stand in any of them.
func (g *Graph) ChainRules(words ...string) []*resources.ChainRule {
	names := g.Names(resources.ChainRules)
	odd := slices.ContainsFunc(words, func(word string) bool { return resources.CheckName(word) != nil })
	if !odd && len(names) > 0 {
		names = g.reader.Mentioning(resources.ChainRules, words...)
	}
	return collect(g, resources.ChainRules, names, func(*resources.ChainRule) bool { return true })
}

// Evidence returns what the task's log amounts to, where a phase depends on it: a task that
// is being worked on and asks for no evidence has the same phase whatever its log says, so
// that the log need not be read.
func (g *Graph) Evidence(task string) *status.Sightings {
	if t, ok := g.Task(task); ok && len(t.Spec.Evidence) == 0 && status.LiveTask(t) {
		return &status.Sightings{}
	}
	return g.reader.Evidence(task)
}

// Recorded reports whether there is a checkpoint of a task.
func (g *Graph) Recorded(task string) bool {
	return resources.CheckName(task) == nil && g.reader.Evidence(task).Count > 0
}

// Circle returns the dependency circle that key stands in, nil if none.
func (g *Graph) Circle(key resources.Key) []string {
	if g.indexed != nil {
		return g.indexed.Circle(key)
	}
	return g.circles.Find(key, g.before)
}

// before returns what an object names as coming first.
func (g *Graph) before(key resources.Key) []string {
	if key.Kind == resources.WorkPlans {
		if p, ok := g.Plan(key.Name); ok {
			return p.Spec.DependsOn
		}
		return nil
	}
	t, ok := g.Task(key.Name)
	if !ok {
		return nil
	}
	if t.Spec.TemporalGate == nil {
		return t.Spec.DependsOn
	}
	return append(slices.Clone(t.Spec.DependsOn), t.Spec.TemporalGate.After)
}

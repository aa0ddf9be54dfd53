// Package graph provides one view of all objects of a repository over a Reader. The gate's
// rules and the statuses of objects are computed from this view. The controller's cache,
// the files of a repository and a loaded copy of them implement Reader.
package graph

import (
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// State is the state of an object's file.
type State int

const (
	Missing  State = iota // does not exist
	Archived              // only in .idumb/archive
	Broken                // exists, but is unreadable or invalid
	Good
)

// Reader provides objects by name. Its results are shared and must not be modified.
type Reader interface {
	// Get returns the last valid version of an object, or nil, and the state of its file.
	Get(key resources.Key) (resources.Object, State)
	// Names returns the names of a kind's objects, including unreadable ones, sorted.
	Names(kind string) []string
	// Mentioning returns the sorted names of the objects of a kind with at least one of the
	// terms. A Reader without an index returns all objects that may contain one of the
	// words, and false for exact.
	Mentioning(kind string, terms ...Term) (names []string, exact bool)
	// Evidence returns the summary of the task's checkpoint log. It is never nil.
	Evidence(task string) *status.Evidence
}

// Live is implemented by Readers that maintain derived data incrementally. The results are
// the same as those of Graph.
type Live interface {
	// PlanReady returns the ready tasks of a plan with a priority rank, sorted by name.
	PlanReady(plan string, rank int) []status.ReadyTask
	// PlanCounts returns the number of a plan's tasks by phase.
	PlanCounts(plan string) map[string]int
	// Circle returns the dependency cycle that contains key, or nil.
	Circle(key resources.Key) []resources.Key
	// Settings returns the configuration with defaults applied.
	Settings() *resources.ConfigSpec
}

// Surroundings is implemented by Readers with access to the repository's files. See
// status.WideView for its methods.
type Surroundings interface {
	WorkDays() status.WorkDays
	SourceSection(path, section string) resources.Part
	SourceMoved(path, section, sha256 string) string
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
	SourceDocument(path string) resources.Document
	SourceStack() resources.Stack
}

// Graph implements status.View and most of admission.View over a Reader. It is for one
// goroutine and one computation. Over a Live reader it is safe for concurrent use.
type Graph struct {
	reader       Reader
	live         Live         // nil if the content does not change
	surroundings Surroundings // nil without access to the repository's files
	settings     *resources.ConfigSpec
	now          time.Time

	mu      sync.Mutex // guards circles
	circles CircleFinder
}

// New returns the graph of a reader at a time, with settings. Over a Live reader, the zero
// time means the time of each call, and nil settings mean the current settings.
func New(r Reader, settings *resources.ConfigSpec, now time.Time) *Graph {
	g := &Graph{reader: r, settings: settings, now: now}
	g.live, _ = r.(Live)
	g.surroundings, _ = r.(Surroundings)
	return g
}

// Settings returns the configuration with defaults applied.
func (g *Graph) Settings() *resources.ConfigSpec {
	if g.settings == nil && g.live != nil {
		return g.live.Settings()
	}
	return g.settings
}

// Now returns the time of the computation.
func (g *Graph) Now() time.Time {
	if g.now.IsZero() {
		return time.Now()
	}
	return g.now
}

// Get returns the last valid version of an object.
func (g *Graph) Get(key resources.Key) (resources.Object, bool) {
	o, _ := g.reader.Get(key)
	return o, o != nil
}

// Exists reports whether an object with that key exists, including unreadable objects.
func (g *Graph) Exists(key resources.Key) bool {
	_, state := g.reader.Get(key)
	return state >= Broken
}

// Archived reports whether the object exists only in .idumb/archive.
func (g *Graph) Archived(key resources.Key) bool {
	_, state := g.reader.Get(key)
	return state == Archived
}

// Names returns the names of all objects of a kind, sorted.
func (g *Graph) Names(kind string) []string { return g.reader.Names(kind) }

// List returns the keys of all objects of a kind, including unreadable ones, sorted.
func (g *Graph) List(kind string) []resources.Key { return keysOf(kind, g.reader.Names(kind)) }

// keysOf returns the keys of names of a kind, or nil for none.
func keysOf(kind string, names []string) []resources.Key {
	if len(names) == 0 {
		return nil
	}
	keys := make([]resources.Key, len(names))
	for i, name := range names {
		keys[i] = resources.Key{Kind: kind, Name: name}
	}
	return keys
}

// lookupNames returns the sorted names of the objects of a kind with an index term.
func (g *Graph) lookupNames(kind, index, value string) []string {
	term := Term{index, value}
	names, exact := g.reader.Mentioning(kind, term)
	if exact {
		return names
	}
	terms := ownTerms
	if index == IndexRefers {
		terms = Terms
	}
	var all []string
	var of []Term
	for _, name := range names {
		o, _ := g.reader.Get(resources.Key{Kind: kind, Name: name})
		if o == nil {
			continue
		}
		if of = terms(of[:0], o); slices.Contains(of, term) {
			all = append(all, name)
		}
	}
	return all
}

// get returns the last valid version of an object of a type.
func get[T resources.Object](g *Graph, kind, name string) (T, bool) {
	o, _ := g.reader.Get(resources.Key{Kind: kind, Name: name})
	t, ok := o.(T)
	return t, ok
}

// objects returns the readable objects of a type among names.
func objects[T resources.Object](g *Graph, kind string, names []string) []T {
	var found []T
	for _, name := range names {
		if o, ok := get[T](g, kind, name); ok {
			found = append(found, o)
		}
	}
	return found
}

// Task returns the last valid version of a task.
func (g *Graph) Task(name string) (*resources.Task, bool) {
	return get[*resources.Task](g, resources.Tasks, name)
}

// Plan returns the last valid version of a plan.
func (g *Graph) Plan(name string) (*resources.WorkPlan, bool) {
	return get[*resources.WorkPlan](g, resources.WorkPlans, name)
}

// Trajectory returns the content of trajectory.json, or nil if the file does not exist.
func (g *Graph) Trajectory() *resources.Trajectory {
	t, _ := get[*resources.Trajectory](g, resources.Trajectories, resources.TrajectoryName)
	return t
}

// Role returns the last valid version of a role.
func (g *Graph) Role(name string) (*resources.Role, bool) {
	return get[*resources.Role](g, resources.Roles, name)
}

// Session returns the record of a session.
func (g *Graph) Session(name string) (*resources.Session, bool) {
	return get[*resources.Session](g, resources.Sessions, name)
}

// OtherLease returns nil, because a Graph has no leases. Views with leases override it.
func (g *Graph) OtherLease(*resources.Task, string) *resources.Lease { return nil }

// Lapsed returns nil, because a Graph has no leases.
func (g *Graph) Lapsed(*resources.Task) *resources.Lease { return nil }

// EndedElsewhere returns nil, because a Graph has no leases.
func (g *Graph) EndedElsewhere(*resources.Task) *resources.Lease { return nil }

// Delegation returns the last valid version of a delegation.
func (g *Graph) Delegation(name string) (*resources.Delegation, bool) {
	return get[*resources.Delegation](g, resources.Delegations, name)
}

// Roles returns every role, sorted by name.
func (g *Graph) Roles() []*resources.Role {
	return objects[*resources.Role](g, resources.Roles, g.Names(resources.Roles))
}

// Decision returns the last valid version of a decision.
func (g *Graph) Decision(name string) (*resources.Decision, bool) {
	return get[*resources.Decision](g, resources.Decisions, name)
}

// DecisionsReplacing returns the decisions with that spec.supersedes, sorted by name.
func (g *Graph) DecisionsReplacing(name string) []*resources.Decision {
	return objects[*resources.Decision](g, resources.Decisions, g.lookupNames(resources.Decisions, IndexSupersedes, name))
}

// Delegations returns the delegations of a task, sorted by name.
func (g *Graph) Delegations(task string) []*resources.Delegation {
	names := g.lookupNames(resources.Delegations, IndexRefers, keyText(resources.Tasks, task))
	return slices.DeleteFunc(objects[*resources.Delegation](g, resources.Delegations, names), func(d *resources.Delegation) bool { return d.Spec.Task != task })
}

// Delegates returns the sessions under a delegation, sorted by name.
func (g *Graph) Delegates(delegation string) []*resources.Session {
	names := g.lookupNames(resources.Sessions, IndexRefers, keyText(resources.Delegations, delegation))
	return slices.DeleteFunc(objects[*resources.Session](g, resources.Sessions, names), func(s *resources.Session) bool { return s.Spec.Delegation != delegation })
}

// ChainRules returns the rules that contain one of the words, sorted by name. It may return
// further rules. A word that is not a valid name may be in any rule.
func (g *Graph) ChainRules(words ...string) []*resources.ChainRule {
	names := g.Names(resources.ChainRules)
	odd := slices.ContainsFunc(words, func(word string) bool { return resources.CheckName(word) != nil })
	if !odd && len(names) > 0 {
		terms := make([]Term, len(words))
		for i, word := range words {
			terms[i].Value = word
		}
		names, _ = g.reader.Mentioning(resources.ChainRules, terms...)
	}
	return objects[*resources.ChainRule](g, resources.ChainRules, names)
}

// Evidence returns the summary of the task's log if a phase depends on it. The phase of a
// live task without required evidence does not depend on its log, so the log is not read.
func (g *Graph) Evidence(task string) *status.Evidence {
	if g.surroundings != nil { // the evidence is in memory, and statuses include it
		return g.reader.Evidence(task)
	}
	if t, ok := g.Task(task); ok && len(t.Spec.Evidence) == 0 && status.LiveTask(t) {
		return &status.Evidence{}
	}
	return g.reader.Evidence(task)
}

// Recorded reports whether a task has a checkpoint.
func (g *Graph) Recorded(task string) bool {
	return resources.CheckName(task) == nil && g.reader.Evidence(task).Count > 0
}

// Circle returns the dependency cycle that contains key, or nil.
func (g *Graph) Circle(key resources.Key) []resources.Key {
	if g.live != nil {
		return g.live.Circle(key)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.circles.Find(key, func(s status.Step) []status.Step { return Steps(status.Precedence(s, g)) })
}

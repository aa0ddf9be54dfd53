// Package graph answers for what there is: it follows names from object to object over a
// Reader, and is the one view that the gate's rules and the statuses of objects are computed
// from. The controller's cache is a Reader, and so are the files of a repository and what was
// loaded of them.
package graph

import (
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// State is how an object stands.
type State int

const (
	Missing  State = iota // there is none
	Archived              // it stands in .idumb/archive alone
	Broken                // its file is there and cannot be taken as it stands
	Good
)

// Reader gives objects by name. What it returns is shared and read-only.
type Reader interface {
	// Get returns the last good version of an object, nil if there is none, and how its file stands.
	Get(key resources.Key) (resources.Object, State)
	// Names returns the names of a kind's objects, readable or not, sorted.
	Names(kind string) []string
	// Mentioning returns the names of the objects of a kind that are found under one of the
	// terms, sorted. A Reader that keeps no such index returns those that may hold one of the
	// words, perhaps others, and exact false.
	Mentioning(kind string, terms ...Term) (names []string, exact bool)
	// Evidence returns what the task's checkpoint log amounts to; never nil.
	Evidence(task string) *status.Evidence
}

// Live is what a Reader may know beside: what it keeps up to date as objects change, so that
// nobody has to look through all of them. Its answers are as Graph's own would be.
type Live interface {
	// PlanReady returns the ready tasks of a plan whose priority has that rank, sorted by name.
	PlanReady(plan string, rank int) []status.ReadyTask
	// PlanCounts returns how many of a plan's tasks stand in each phase.
	PlanCounts(plan string) map[string]int
	// Circle returns the dependency circle that key stands in, nil if none.
	Circle(key resources.Key) []resources.Key
	// Settings returns the configuration, defaults filled in.
	Settings() *resources.ConfigSpec
}

// Surroundings is what a Reader may know of the repository that the objects stand in: the
// rest of status.WideView, which says what each returns.
type Surroundings interface {
	WorkDays() status.WorkDays
	SourceSection(path, section string) resources.Part
	SourceMoved(path, section, sha256 string) string
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
	SourceDocument(path string) resources.Document
	SourceStack() resources.Stack
}

// Graph is a status.View, and with what a gate adds to it an admission.View, over a Reader. One goroutine uses it, for one computation; over a Live reader any number may.
type Graph struct {
	reader   Reader
	live     Live         // nil: what is there does not change
	around   Surroundings // nil: nothing is known of it
	settings *resources.ConfigSpec
	now      time.Time

	mu      sync.Mutex // of circles
	circles CircleFinder
}

// New returns the graph over a reader as of now, under those settings. Over a Live reader the
// zero time is always the time of the call, and nil settings are those that hold then.
func New(r Reader, settings *resources.ConfigSpec, now time.Time) *Graph {
	g := &Graph{reader: r, settings: settings, now: now}
	g.live, _ = r.(Live)
	g.around, _ = r.(Surroundings)
	return g
}

// Settings returns the configuration, defaults filled in.
func (g *Graph) Settings() *resources.ConfigSpec {
	if g.settings == nil && g.live != nil {
		return g.live.Settings()
	}
	return g.settings
}

// Now is the clock of the computation.
func (g *Graph) Now() time.Time {
	if g.now.IsZero() {
		return time.Now()
	}
	return g.now
}

// Get returns the last good version of an object.
func (g *Graph) Get(key resources.Key) (resources.Object, bool) {
	o, _ := g.reader.Get(key)
	return o, o != nil
}

// Exists reports whether there is an object of that key, readable or not.
func (g *Graph) Exists(key resources.Key) bool {
	_, state := g.reader.Get(key)
	return state >= Broken
}

// Archived reports whether the object stands in .idumb/archive, and nowhere else.
func (g *Graph) Archived(key resources.Key) bool {
	_, state := g.reader.Get(key)
	return state == Archived
}

// Names returns the names of all objects of a kind, sorted.
func (g *Graph) Names(kind string) []string { return g.reader.Names(kind) }

// List returns the keys of all objects of a kind, readable or not, sorted.
func (g *Graph) List(kind string) []resources.Key { return keysOf(kind, g.reader.Names(kind)) }

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

// found returns the names of the objects of a kind that are found under a term, sorted.
func (g *Graph) found(kind, index, value string) []string {
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

// get returns the last good version of an object of a type.
func get[T resources.Object](g *Graph, kind, name string) (T, bool) {
	o, _ := g.reader.Get(resources.Key{Kind: kind, Name: name})
	t, ok := o.(T)
	return t, ok
}

// objects returns those of the names that are readable objects of a type.
func objects[T resources.Object](g *Graph, kind string, names []string) []T {
	var found []T
	for _, name := range names {
		if o, ok := get[T](g, kind, name); ok {
			found = append(found, o)
		}
	}
	return found
}

// Task returns the last good version of a task.
func (g *Graph) Task(name string) (*resources.Task, bool) {
	return get[*resources.Task](g, resources.Tasks, name)
}

// Plan returns the last good version of a plan.
func (g *Graph) Plan(name string) (*resources.WorkPlan, bool) {
	return get[*resources.WorkPlan](g, resources.WorkPlans, name)
}

// Trajectory returns what trajectory.json says; nil if there is none.
func (g *Graph) Trajectory() *resources.Trajectory {
	t, _ := get[*resources.Trajectory](g, resources.Trajectories, resources.TrajectoryName)
	return t
}

// Role returns the last good version of a role.
func (g *Graph) Role(name string) (*resources.Role, bool) {
	return get[*resources.Role](g, resources.Roles, name)
}

// Session returns the record of a session.
func (g *Graph) Session(name string) (*resources.Session, bool) {
	return get[*resources.Session](g, resources.Sessions, name)
}

// Other returns nil: a Graph knows of no leases. Whoever does says so in its place.
func (g *Graph) Other(*resources.Task, string) *resources.Lease { return nil }

// Lapsed returns nil, as Other does.
func (g *Graph) Lapsed(*resources.Task) *resources.Lease { return nil }

// EndedElsewhere returns nil: a graph knows no leases.
func (g *Graph) EndedElsewhere(*resources.Task) *resources.Lease { return nil }

// Delegation returns the last good version of a delegation.
func (g *Graph) Delegation(name string) (*resources.Delegation, bool) {
	return get[*resources.Delegation](g, resources.Delegations, name)
}

// Roles returns every role, sorted by name.
func (g *Graph) Roles() []*resources.Role {
	return objects[*resources.Role](g, resources.Roles, g.Names(resources.Roles))
}

// Decision returns the last good version of a decision.
func (g *Graph) Decision(name string) (*resources.Decision, bool) {
	return get[*resources.Decision](g, resources.Decisions, name)
}

// DecisionsReplacing returns the decisions that name that one in spec.supersedes, sorted by name.
func (g *Graph) DecisionsReplacing(name string) []*resources.Decision {
	return objects[*resources.Decision](g, resources.Decisions, g.found(resources.Decisions, IndexSupersedes, name))
}

// Delegations returns the delegations that hand over that task, sorted by name.
func (g *Graph) Delegations(task string) []*resources.Delegation {
	names := g.found(resources.Delegations, IndexRefers, keyText(resources.Tasks, task))
	return slices.DeleteFunc(objects[*resources.Delegation](g, resources.Delegations, names), func(d *resources.Delegation) bool { return d.Spec.Task != task })
}

// Delegates returns the sessions that work under that delegation, sorted by name.
func (g *Graph) Delegates(delegation string) []*resources.Session {
	names := g.found(resources.Sessions, IndexRefers, keyText(resources.Delegations, delegation))
	return slices.DeleteFunc(objects[*resources.Session](g, resources.Sessions, names), func(s *resources.Session) bool { return s.Spec.Delegation != delegation })
}

// ChainRules returns the rules that hold one of the words, and perhaps some more, sorted by
// name. A word that no file could hold as it is may stand in any of them.
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

// Evidence returns what the task's log amounts to, where a phase depends on it: a task that
// is being worked on and asks for no evidence has the same phase whatever its log says, so
// that the log need not be read.
func (g *Graph) Evidence(task string) *status.Evidence {
	if g.around != nil { // it is at hand, and statuses tell of it
		return g.reader.Evidence(task)
	}
	if t, ok := g.Task(task); ok && len(t.Spec.Evidence) == 0 && status.LiveTask(t) {
		return &status.Evidence{}
	}
	return g.reader.Evidence(task)
}

// Recorded reports whether there is a checkpoint of a task.
func (g *Graph) Recorded(task string) bool {
	return resources.CheckName(task) == nil && g.reader.Evidence(task).Count > 0
}

// Circle returns the dependency circle that key stands in, nil if none.
func (g *Graph) Circle(key resources.Key) []resources.Key {
	if g.live != nil {
		return g.live.Circle(key)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.circles.Find(key, func(s status.Step) []status.Step { return Steps(status.Precedence(s, g)) })
}

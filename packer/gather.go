package packer

import (
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// Source is the input of Make. The controller's cache and graph.Snapshot implement it, so that
// commands, the hook and the controller build the same bytes.
type Source interface {
	status.WideView
	// Get returns the last valid version of an object.
	Get(key resources.Key) (resources.Object, bool)
	// List returns the sorted keys of all objects of a kind, valid or not.
	List(kind string) []resources.Key
	// Naming returns the sorted names of the objects of a kind that name a file, and possibly
	// others.
	Naming(kind, file string) []string
	// Problem returns why an object's file is invalid, if it is.
	Problem(key resources.Key) (resources.Problem, bool)
	// Problems returns all problems, sorted by key.
	Problems() []resources.Problem
}

// Reader describes the reader of a pack. The zero Reader is the repository's pack,
// .idumb/context/context.xml.
type Reader struct {
	Session *resources.Session // nil for no particular session
	// Starts is set if the session's task is about to start. The pack then covers it regardless of
	// the focus.
	Starts bool
	Rights *admission.Rights // rights and role of the reader; nil means all rights and no role
	Limit  int               // limit of the host, in characters; 0 means none
	// Project describes the project in a few lines.
	Project []string
	// Code lists the map's entries of files that tasks name. Those of active tasks are included.
	Code []resources.CodeFile
	// Unseen is Input.Unseen.
	Unseen string
	// NamesOnly is Input.NamesOnly.
	NamesOnly bool
	// Previous is the reader's last pack, nil if there was none; see Input.Previous.
	Previous []byte
	// Terse is Input.Terse.
	Terse bool
	// Stock caches work between calls; nil caches nothing.
	Stock *Stock
}

// maxPlanTasks is the number of tasks of a plan above which only ready tasks are read,
// because deriving a status takes a few microseconds. maxAround limits the chain in each
// direction; maxChain are shown.
const (
	maxPlanTasks = 2000
	maxAround    = 100
)

// gather reads the input of Build for a reader, and derives the statuses. The
// pack covers the session's task if it is about to start, or if it is live, in
// focus and open to the reader; otherwise the tasks in focus of the trajectory.
func gather(s Source, reader Reader) Input {
	trajectory, st := readHead(s)
	g := gatherer{source: s, added: map[string]bool{}, in: Input{
		Day: s.Now(), Limit: reader.Limit, Config: s.Settings(), Session: reader.Session, Project: reader.Project, Unseen: reader.Unseen, NamesOnly: reader.NamesOnly, Previous: PreviousIn(reader.Previous), Terse: reader.Terse,
		ActivePhase: st.ActivePhase, Others: map[string]string{}, HandTo: map[string]string{}, stock: reader.Stock,
	}, rights: reader.Rights}
	if g.rights != nil {
		g.in.Role, g.in.StartsNone = g.rights.Role(), !g.rights.MayRun("idumb start TASK")
	}
	g.in.stock.refresh(s)
	g.in.Tasks = make([]Task, 0, g.in.stock.taskCount)
	if trajectory != nil {
		g.in.Intent, g.in.IntentSince = trajectory.Spec.Intent, trajectory.Spec.IntentShiftedAt.Time
	}
	plan := st.ActivePlan
	var others []string
	for _, name := range st.ActiveTasks {
		switch t, ok := s.Task(name); {
		case !ok:
		case g.mayWork(t):
			g.in.Active = append(g.in.Active, name)
		case len(others) <= maxOthers:
			others = append(others, name)
		}
	}
	if reader.Session != nil {
		g.in.Figures = status.FiguresOf(reader.Session, s)
		g.in.Triggers = status.TriggersIn(reader.Session, g.in.Figures, s.Triggers())
		if t, ok := s.Task(reader.Session.Spec.ActiveTask); ok && status.LiveTask(t) && (reader.Starts || status.InFocus(t, s) && g.mayWork(t)) {
			g.in.Active = []string{t.Metadata.Name}
			if t.Spec.WorkPlan != plan {
				plan, g.in.ActivePhase = t.Spec.WorkPlan, t.Spec.Phase
			}
		}
	}
	g.addHandedBack()
	g.plans(plan)
	g.tasks(plan)
	for _, name := range others {
		g.task(name)
	}
	g.ownDelegation()
	g.artifacts()
	g.code(reader.Code)
	g.comments()
	g.in.Anchors = g.in.stock.anchors()
	for _, p := range g.source.Problems() {
		if kind, ok := resources.KindOf(p.Key.Kind); ok && !kind.Local {
			g.in.Problems = append(g.in.Problems, p)
		}
	}
	g.in.stock.taskCount = len(g.in.Tasks)
	return g.in
}

// readHead returns the trajectory, nil if it has no file, and its derived status.
func readHead(s Source) (*resources.Trajectory, resources.TrajectoryStatus) {
	object, _ := s.Get(resources.Key{Kind: resources.Trajectories, Name: resources.TrajectoryName})
	trajectory, _ := object.(*resources.Trajectory)
	status, _ := status.DeriveTrajectory(trajectory, s)
	return trajectory, status
}

// gatherer fills an Input.
type gatherer struct {
	source Source
	in     Input
	rights *admission.Rights // Reader.Rights
	added  map[string]bool   // tasks already added
}

// mayWork reports whether the reader may work on a task. If not, it records who may.
func (g *gatherer) mayWork(t *resources.Task) bool {
	if g.rights == nil {
		return true
	}
	b := g.rights.Bar(admission.For, t)
	if b != nil {
		g.in.Others[t.Metadata.Name] = b.Brief()
	}
	return b == nil
}

// addHandedBack adds the reader's task if it was abandoned, and failed tasks
// that the reader worked on.
func (g *gatherer) addHandedBack() {
	if g.in.Session == nil {
		return
	}
	on := g.in.Session.Spec.ActiveTask
	if t, ok := g.source.Task(on); ok && t.Spec.State == resources.TaskAbandoned {
		g.in.Back = append(g.in.Back, t)
	}
	for _, name := range g.source.TasksInState(resources.TaskFailed) {
		worked := func(c resources.Checkpoint) bool { return c.Session == g.in.Session.Metadata.Name }
		if t, ok := g.source.Task(name); ok && len(g.in.Back) < maxOthers && (name == on || slices.ContainsFunc(g.source.Evidence(name).Last, worked)) {
			g.in.Back = append(g.in.Back, t)
		}
	}
}

// isOffered reports whether a ready task is offered to the reader. If the
// reader may only hand it over, isOffered records the role that takes it.
func (g *gatherer) isOffered(t *resources.Task) bool {
	to, ok := g.rights.Offer(t.Metadata.Name)
	if ok && to != "" {
		g.in.HandTo[t.Metadata.Name] = to
	}
	return ok
}

// plans adds the active plan and its dependencies. Status.Next of the plan
// contains only tasks that are offered to the reader.
func (g *gatherer) plans(name string) {
	p, ok := g.source.Plan(name)
	if !ok {
		return
	}
	g.in.Plan = g.planWithStatus(p)
	if most := len(g.in.Plan.Status.Next); g.rights != nil && most > 0 {
		g.in.Plan.Status.Next = nil
		for _, next := range status.Fitting(status.NextInPlan, g.isOffered, func(most int) []status.NextTask { return status.NextInPlanOf(name, g.source, most) }) {
			g.in.Plan.Status.Next = append(g.in.Plan.Status.Next, next.Task.Metadata.Name)
		}
	}
	for _, before := range p.Spec.DependsOn {
		if other, ok := g.source.Plan(before); ok {
			g.in.Plans = append(g.in.Plans, *g.planWithStatus(other))
		}
	}
}

// planWithStatus returns a plan with its derived status.
func (g *gatherer) planWithStatus(p *resources.WorkPlan) *Plan {
	st, _ := status.DerivePlan(p, g.source)
	return &Plan{Object: p, Status: st}
}

// tasks adds the active tasks, the chain around them, and the plan's tasks.
func (g *gatherer) tasks(plan string) {
	for _, name := range g.in.Active {
		g.task(name)
	}
	g.walk(func(name string) []string {
		if t, ok := g.source.Task(name); ok {
			return resources.ComesFirst(t)
		}
		return nil
	})
	g.walk(func(name string) []string {
		var names []string
		for _, key := range g.source.Dependents(resources.Key{Kind: resources.Tasks, Name: name}) {
			names = append(names, key.Name)
		}
		return names
	})
	g.walk(func(name string) []string {
		if t, ok := g.source.Task(name); ok && t.Spec.Parent != "" {
			return []string{t.Spec.Parent}
		}
		return nil
	})
	for _, name := range g.in.stock.notablePlanTasks(plan, g.source) {
		g.task(name)
	}
	if g.in.Plan != nil {
		for _, name := range g.in.Plan.Status.Next {
			g.task(name)
		}
	}
}

// walk adds the active tasks, or the first task that can start, and the tasks
// that neighbours leads to from them, nearest first and at most maxAround.
func (g *gatherer) walk(neighbours func(string) []string) {
	queue := slices.Clone(g.in.Active)
	if p := g.in.Plan; len(queue) == 0 && p != nil {
		queue = append(queue, p.Status.Next[:min(1, len(p.Status.Next))]...)
	}
	visited := map[string]bool{}
	for len(queue) > 0 && len(visited) < maxAround {
		name := queue[0]
		queue = queue[1:]
		if visited[name] {
			continue
		}
		visited[name] = true
		g.task(name)
		queue = append(queue, neighbours(name)...)
	}
}

// task adds a task, with its delegations if it is active. For a live task it
// also records who may work on it, if the reader may not.
func (g *gatherer) task(name string) {
	t, ok := g.source.Task(name)
	if !ok || g.added[name] {
		return
	}
	g.added[name] = true
	g.in.Tasks = append(g.in.Tasks, Task{Object: t, Status: g.in.stock.task(t, g.source)})
	if status.LiveTask(t) {
		g.mayWork(t)
	}
	if !slices.Contains(g.in.Active, name) {
		return
	}
	for _, d := range g.source.Delegations(name) {
		status, _ := status.DeriveDelegation(d, g.source)
		g.in.Delegations = append(g.in.Delegations, Delegation{Object: d, Status: status})
	}
}

// ownDelegation adds the session's delegation, also if it was recalled.
func (g *gatherer) ownDelegation() {
	if g.in.Session == nil || g.in.Session.Spec.Delegation == "" {
		return
	}
	name := g.in.Session.Spec.Delegation
	if slices.ContainsFunc(g.in.Delegations, func(d Delegation) bool { return d.Object.Metadata.Name == name }) {
		return
	}
	object, _ := g.source.Get(resources.Key{Kind: resources.Delegations, Name: name})
	if d, ok := object.(*resources.Delegation); ok {
		status, _ := status.DeriveDelegation(d, g.source)
		g.in.Delegations = append(g.in.Delegations, Delegation{Object: d, Status: status})
	}
}

// withStatus returns an object with its derived status, and when that status changes without an
// event. It returns false if the object has no valid version. An object with an invalid file has
// the phase Invalid and does not enter a pack.
func withStatus[S, T any](s Source, key resources.Key, derive func(*resources.Resource[S, T], status.WideView) (T, time.Time)) (entry Observed[S, T], next time.Time, ok bool) {
	object, _ := s.Get(key)
	if entry.Object, ok = object.(*resources.Resource[S, T]); !ok {
		return entry, next, false
	}
	entry.Status, next = derive(entry.Object, s)
	if _, broken := s.Problem(key); broken {
		resources.CommonOf(&entry.Status).Phase = resources.PhaseInvalid
	}
	return entry, next, true
}

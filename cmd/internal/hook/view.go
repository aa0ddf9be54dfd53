package hook

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// repo implements admission.View by reading files by name. Whole kinds are
// looked through only where no living controller says where to look, and before
// anything is denied for lack of a task.

func (r *repo) Task(name string) (*resources.Task, bool) {
	o, ok := r.get(resources.Key{Kind: resources.Tasks, Name: name})
	t, _ := o.(*resources.Task)
	return t, ok
}

func (r *repo) Plan(name string) (*resources.WorkPlan, bool) {
	o, ok := r.get(resources.Key{Kind: resources.WorkPlans, Name: name})
	p, _ := o.(*resources.WorkPlan)
	return p, ok
}

func (r *repo) Session(name string) (*resources.Session, bool) {
	o, ok := r.get(resources.Key{Kind: resources.Sessions, Name: name})
	s, _ := o.(*resources.Session)
	return s, ok
}

func (r *repo) Delegation(name string) (*resources.Delegation, bool) {
	o, ok := r.get(resources.Key{Kind: resources.Delegations, Name: name})
	d, _ := o.(*resources.Delegation)
	return d, ok
}

// Delegations looks through the folder for those of a task.
func (r *repo) Delegations(task string) []*resources.Delegation {
	var found []*resources.Delegation
	for _, name := range r.mentioning(resources.Delegations, task) {
		if d, ok := r.Delegation(name); ok && d.Spec.Task == task {
			found = append(found, d)
		}
	}
	return found
}

// Delegates looks through the records of sessions for those under a delegation.
func (r *repo) Delegates(delegation string) []*resources.Session {
	var found []*resources.Session
	for _, name := range r.mentioning(resources.Sessions, delegation) {
		if s, ok := r.Session(name); ok && s.Spec.Delegation == delegation {
			found = append(found, s)
		}
	}
	return found
}

func (r *repo) Exists(key resources.Key) bool {
	if o, known := r.objects[key]; known && o != nil {
		return true
	}
	return r.standsAt(key, layout.Path)
}

func (r *repo) Archived(key resources.Key) bool { return r.standsAt(key, layout.ArchivePath) }

func (r *repo) standsAt(key resources.Key, place func(resources.Key) string) bool {
	if resources.CheckName(key.Name) != nil {
		return false
	}
	return exists(r.root.Abs(place(key)))
}

// Evidence returns what the task's log amounts to, where a phase depends on it: a
// task that is being worked on and asks for no evidence has the same phase
// whatever its log says, so the gate need not read it.
func (r *repo) Evidence(task string) *resources.Sightings {
	if t, ok := r.Task(task); ok && len(t.Spec.Evidence) == 0 && resources.LiveTask(t) {
		return &resources.Sightings{}
	}
	return r.sightings(task)
}

// sightings reads a task's log.
func (r *repo) sightings(task string) *resources.Sightings {
	if s, known := r.seen[task]; known {
		return s
	}
	data, _, _ := r.root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	s, _ := resources.ReadSightings(data)
	r.seen[task] = s
	return s
}

func (r *repo) PlanCounts(plan string) map[string]int {
	counts := map[string]int{}
	for _, name := range r.PlanTasks(plan) {
		if t, ok := r.Task(name); ok {
			status, _ := resources.DeriveTask(t, r)
			counts[status.Phase]++
		}
	}
	return counts
}

func (r *repo) PlanTasks(plan string) []string {
	return r.keep(r.mentioning(resources.Tasks, plan), func(t *resources.Task) bool { return t.Spec.WorkPlan == plan })
}

// keep returns those of the tasks that pass.
func (r *repo) keep(names []string, passes func(*resources.Task) bool) []string {
	var kept []string
	for _, name := range names {
		if t, ok := r.Task(name); ok && passes(t) {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	return kept
}

func (r *repo) Circle(key resources.Key) []string {
	return r.circles.Find(key, r.before)
}

// before returns what an object names as coming first.
func (r *repo) before(key resources.Key) []string {
	if key.Kind == resources.WorkPlans {
		if p, ok := r.Plan(key.Name); ok {
			return p.Spec.DependsOn
		}
		return nil
	}
	t, ok := r.Task(key.Name)
	if !ok {
		return nil
	}
	if t.Spec.TemporalGate == nil {
		return t.Spec.DependsOn
	}
	return append(slices.Clone(t.Spec.DependsOn), t.Spec.TemporalGate.After)
}

func (r *repo) Settings() *resources.ConfigSpec { return r.settings }

func (r *repo) Now() time.Time { return r.now }

// ActivePlans believes a living controller that names some; that there are none
// is looked up, because much follows from it.
func (r *repo) ActivePlans() []string {
	if h := r.liveHints(); h != nil {
		if plans := r.keepActive(h.ActivePlans); len(plans) > 0 {
			return plans
		}
	}
	return r.keepActive(r.list(resources.WorkPlans))
}

// keepActive returns those of the plans that are active. One that cannot be read, and
// of which no good version is known, may be: breaking a file must not open the gate.
func (r *repo) keepActive(names []string) []string {
	var active []string
	for _, name := range names {
		p, ok := r.Plan(name)
		_, broken := r.broken[resources.Key{Kind: resources.WorkPlans, Name: name}]
		if !ok && broken || ok && p.Spec.State == resources.PlanActive && !r.planDone(name) {
			active = append(active, name)
		}
	}
	slices.Sort(active)
	return active
}

// planDone derives no more tasks than it has to: one that nobody claims to be
// completed or abandoned settles it, and most plans have one.
func (r *repo) planDone(plan string) bool {
	for _, name := range r.PlanTasks(plan) {
		if t, ok := r.Task(name); ok && t.Spec.State != resources.TaskCompleted && t.Spec.State != resources.TaskAbandoned {
			return false
		}
	}
	return resources.PlanDone(r.PlanCounts(plan))
}

// ActiveTasks does the same for tasks.
func (r *repo) ActiveTasks() []string {
	if h := r.liveHints(); h != nil {
		var hinted []string
		for _, t := range h.ActiveTasks {
			hinted = append(hinted, t.Name)
		}
		if names := r.keep(hinted, isActive); len(names) > 0 {
			return names
		}
	}
	return r.keep(r.maybeActive(), isActive)
}

func isActive(t *resources.Task) bool { return t.Spec.State == resources.TaskActive }

// maxReady is how many ready tasks are looked for where no controller lists them.
const maxReady = 10

func (r *repo) ReadyTasks() []string {
	if h := r.liveHints(); h != nil {
		if names := r.keepReady(h.Ready); len(names) > 0 {
			return names
		}
	}
	var live []string
	for _, plan := range r.ActivePlans() {
		live = append(live, r.PlanTasks(plan)...)
	}
	slices.SortStableFunc(live, r.byPriority)
	return r.keepReady(live)
}

func (r *repo) byPriority(a, b string) int {
	return cmp.Compare(r.rank(a), r.rank(b))
}

func (r *repo) rank(task string) int {
	t, ok := r.Task(task)
	if !ok {
		return math.MaxInt
	}
	return resources.PriorityRank(t.Spec.Priority)
}

func (r *repo) keepReady(names []string) []string {
	var ready []string
	for _, name := range names {
		t, ok := r.Task(name)
		if !ok || t.Spec.PlanAhead {
			continue
		}
		if status, _ := resources.DeriveTask(t, r); status.Ready {
			ready = append(ready, name)
		}
		if len(ready) == maxReady {
			break
		}
	}
	return ready
}

func (r *repo) Role(name string) (*resources.Role, bool) {
	o, ok := r.get(resources.Key{Kind: resources.Roles, Name: name})
	role, _ := o.(*resources.Role)
	return role, ok
}

func (r *repo) Roles() []*resources.Role {
	var roles []*resources.Role
	for _, name := range r.list(resources.Roles) {
		if role, ok := r.Role(name); ok {
			roles = append(roles, role)
		}
	}
	return roles
}

package admission

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/status"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// world is a small repository in memory.
type world struct {
	status.Artifacts // nobody asks for any

	settings resources.ConfigSpec
	tasks    map[string]*resources.Task
	plans    map[string]*resources.WorkPlan
	roles    map[string]*resources.Role
	sessions map[string]*resources.Session
	handed   map[string]*resources.Delegation
	seen     map[string]*status.Evidence
	broken   map[resources.Key]bool // there, and not readable
	archived map[resources.Key]bool
	chain    map[string]*resources.ChainRule
	files    []string
	held     map[string]*resources.Lease
	head     *resources.Trajectory

	decisions map[string]*resources.Decision
	comments  []*resources.Comment
	asked     []string // words that rules were looked for by
}

// newWorld holds the plan of DESIGN: a schema, a form that waits for it, tests
// that wait for the form, and documentation that waits for nothing.
func newWorld() *world {
	w := &world{
		settings: resources.DefaultConfig(),
		tasks:    map[string]*resources.Task{}, plans: map[string]*resources.WorkPlan{}, roles: map[string]*resources.Role{},
		sessions: map[string]*resources.Session{}, handed: map[string]*resources.Delegation{}, seen: map[string]*status.Evidence{}, broken: map[resources.Key]bool{}, chain: map[string]*resources.ChainRule{},
		decisions: map[string]*resources.Decision{},
	}
	w.plan("user-auth", resources.WorkPlanSpec{Title: "User authentication", State: resources.PlanActive})
	w.task("db-schema", resources.TaskSpec{Title: "Database schema migration", State: resources.TaskPlanned})
	w.task("build-login-form", resources.TaskSpec{Title: "Login form", DependsOn: []string{"db-schema"}})
	w.task("write-auth-tests", resources.TaskSpec{DependsOn: []string{"build-login-form"}})
	w.task("write-docs", resources.TaskSpec{})
	return w
}

// empty returns a new object of a kind.
func empty(plural string) resources.Object {
	k, _ := resources.KindOf(plural)
	return k.New()
}

func (w *world) task(name string, spec resources.TaskSpec) {
	if spec.WorkPlan == "" {
		spec.WorkPlan = "user-auth"
	}
	if spec.ExpectedOutput == "" {
		spec.ExpectedOutput = "it works"
	}
	t := empty(resources.Tasks).(*resources.Task)
	t.Spec, t.Metadata.Name = spec, name
	w.tasks[name] = t
}

func (w *world) plan(name string, spec resources.WorkPlanSpec) {
	p := empty(resources.WorkPlans).(*resources.WorkPlan)
	p.Spec, p.Metadata.Name = spec, name
	w.plans[name] = p
}

func (w *world) decision(name string, spec resources.DecisionSpec) {
	d := empty(resources.Decisions).(*resources.Decision)
	d.Spec, d.Metadata.Name = spec, name
	w.decisions[name] = d
}

func (w *world) role(name string, spec resources.RoleSpec) {
	r := empty(resources.Roles).(*resources.Role)
	r.Spec, r.Metadata.Name = spec, name
	w.roles[name] = r
}

func (w *world) session(name string, spec resources.SessionSpec) {
	s := empty(resources.Sessions).(*resources.Session)
	s.Spec, s.Metadata.Name = spec, name
	w.sessions[name] = s
}

// hand makes a delegation of a task from solo.
func (w *world) hand(name, task, to string, tools ...string) *resources.Delegation {
	d := empty(resources.Delegations).(*resources.Delegation)
	d.Metadata.Name, d.Spec = name, resources.DelegationSpec{Task: task, From: "solo", To: to, AllowedTools: tools}
	w.handed[name] = d
	return d
}

// state changes what is claimed about a task.
func (w *world) state(task, state string) { w.tasks[task].Spec.State = state }

func (w *world) Task(name string) (*resources.Task, bool) {
	t, ok := w.tasks[name]
	return t, ok
}

func (w *world) Trajectory() *resources.Trajectory { return w.head }

func (w *world) Decision(name string) (*resources.Decision, bool) {
	d, ok := w.decisions[name]
	return d, ok
}

func (w *world) DecisionsReplacing(name string) (found []*resources.Decision) {
	for _, by := range slices.Sorted(maps.Keys(w.decisions)) {
		if w.decisions[by].Spec.Supersedes == name {
			found = append(found, w.decisions[by])
		}
	}
	return found
}

func (w *world) Plan(name string) (*resources.WorkPlan, bool) {
	p, ok := w.plans[name]
	return p, ok
}

func (w *world) Session(name string) (*resources.Session, bool) {
	s, ok := w.sessions[name]
	return s, ok
}

func (w *world) Delegation(name string) (*resources.Delegation, bool) {
	d, ok := w.handed[name]
	return d, ok
}

func (w *world) Delegations(task string) []*resources.Delegation {
	var all []*resources.Delegation
	for _, name := range slices.Sorted(maps.Keys(w.handed)) {
		if w.handed[name].Spec.Task == task {
			all = append(all, w.handed[name])
		}
	}
	return all
}

func (w *world) Delegates(delegation string) []*resources.Session {
	var all []*resources.Session
	for _, name := range slices.Sorted(maps.Keys(w.sessions)) {
		if w.sessions[name].Spec.Delegation == delegation {
			all = append(all, w.sessions[name])
		}
	}
	return all
}

func (w *world) Exists(key resources.Key) bool {
	switch key.Kind {
	case resources.Tasks:
		return w.tasks[key.Name] != nil || w.broken[key]
	case resources.WorkPlans:
		return w.plans[key.Name] != nil || w.broken[key]
	case resources.Roles:
		return w.roles[key.Name] != nil || w.broken[key]
	case resources.Delegations:
		return w.handed[key.Name] != nil || w.broken[key]
	}
	return w.broken[key]
}

func (w *world) Archived(key resources.Key) bool { return w.archived[key] }

func (w *world) Evidence(task string) *status.Evidence {
	if s := w.seen[task]; s != nil {
		return s
	}
	return &status.Evidence{}
}

func (w *world) PlanCounts(plan string) map[string]int {
	counts := map[string]int{}
	for _, name := range w.PlanTasks(plan) {
		s, _ := status.DeriveTask(w.tasks[name], w)
		counts[s.Phase]++
	}
	return counts
}

func (w *world) Circle(resources.Key) []resources.Key { return nil }
func (w *world) Settings() *resources.ConfigSpec      { return &w.settings }
func (w *world) Now() time.Time                       { return noon }
func (w *world) names() []string                      { return slices.Sorted(maps.Keys(w.tasks)) }
func (w *world) pick(keep func(*resources.Task) bool) (names []string) {
	for _, name := range w.names() {
		if keep(w.tasks[name]) {
			names = append(names, name)
		}
	}
	return names
}

func (w *world) PlanTasks(plan string) []string {
	return w.pick(func(t *resources.Task) bool { return t.Spec.WorkPlan == plan })
}

func (w *world) ActiveTasks() []string {
	return w.pick(func(t *resources.Task) bool { return t.Spec.State == resources.TaskActive })
}

func (w *world) ReadyTasks() iter.Seq[string] {
	return slices.Values(w.pick(func(t *resources.Task) bool {
		s, _ := status.DeriveTask(t, w)
		return s.Ready
	}))
}

func (w *world) Offered(t *resources.Task) bool { return !w.broken[t.Key()] }

func (w *world) ActivePlans() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(w.plans)) {
		if w.plans[name].Spec.State == resources.PlanActive && !status.TasksDone(w.PlanCounts(name)) {
			names = append(names, name)
		}
	}
	return names
}

func (w *world) Role(name string) (*resources.Role, bool) {
	r, ok := w.roles[name]
	return r, ok
}

func (w *world) Roles() []*resources.Role {
	var all []*resources.Role
	for _, name := range slices.Sorted(maps.Keys(w.roles)) {
		all = append(all, w.roles[name])
	}
	return all
}

func (w *world) ChainRules(words ...string) []*resources.ChainRule {
	w.asked = append(w.asked, words...)
	var all []*resources.ChainRule
	for _, name := range slices.Sorted(maps.Keys(w.chain)) {
		all = append(all, w.chain[name])
	}
	return all
}

func (w *world) FileTasks(string) []string { return w.names() }
func (w *world) TrackedFiles() []string    { return w.files }

func (w *world) HasFile(glob string) bool {
	return slices.ContainsFunc(w.files, func(file string) bool { return resources.MatchGlob(glob, file) })
}

func (w *world) Recorded(task string) bool { return w.Evidence(task).Count > 0 }

func (w *world) Names(kind string) []string {
	switch kind {
	case resources.Tasks:
		return w.names()
	case resources.WorkPlans:
		return slices.Sorted(maps.Keys(w.plans))
	case resources.Decisions:
		return slices.Sorted(maps.Keys(w.decisions))
	case resources.Delegations:
		return slices.Sorted(maps.Keys(w.handed))
	}
	return nil
}

// OtherLease returns the lease of whoever else than that session has the task.
func (w *world) OtherLease(t *resources.Task, session string) *resources.Lease {
	l := w.held[t.Metadata.Name]
	if l == nil || l.Spec.Holder.Session == session {
		return nil
	}
	return l
}

// EndedElsewhere returns the lease of a task that another clone ended.
func (w *world) EndedElsewhere(t *resources.Task) *resources.Lease {
	if l := w.held[t.Metadata.Name]; l != nil && l.InOtherClone() && l.Ended() != "" {
		return l
	}
	return nil
}

// Lapsed returns the lease of a task if the team may have given it to another clone.
func (w *world) Lapsed(t *resources.Task) *resources.Lease {
	if l := w.held[t.Metadata.Name]; l != nil && l.Lapsed(w.Now()) {
		return l
	}
	return nil
}

func (w *world) Comment(name string) (*resources.Comment, bool) {
	for _, c := range w.comments {
		if c.Metadata.Name == name {
			return c, true
		}
	}
	return nil, false
}

func (w *world) CommentsNaming(key resources.Key) (found []*resources.Comment) {
	for _, c := range w.comments {
		if slices.ContainsFunc(resources.References(c), func(r resources.Reference) bool { return r.Key == key }) {
			found = append(found, c)
		}
	}
	return found
}

func (w *world) CommentsBy(string) []*resources.Comment { return nil }

// runs reads command lines as the hook does.
func runs(lines ...string) (all []command.Run) {
	for _, line := range lines {
		all = append(all, command.Read(line, command.Options{}).Runs...)
	}
	return all
}

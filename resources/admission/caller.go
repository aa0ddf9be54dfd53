package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// caller is who makes a call.
type caller struct {
	agent    string
	roleName string
	role     *resources.Role // nil: no such role, so it sets no bounds
	own      bool            // the role is the agent's own, not config.defaultRole
	unknown  bool            // no role names the agent: it acts in the least one
	person   bool            // a user, whom no role binds
	names    []resources.Key // Call.Names
	session  *resources.Session
	ancestry
}

// identities is what a caller's identity is found in: what a View and Objects have in common.
type identities interface {
	status.View
	// Role returns the last good version of a role.
	Role(name string) (*resources.Role, bool)
	// Roles returns every role, sorted by name. Read-only.
	Roles() []*resources.Role
	// Session returns the record of a session.
	Session(name string) (*resources.Session, bool)
	// Delegation returns the last good version of a delegation.
	Delegation(name string) (*resources.Delegation, bool)
	// Delegations returns the delegations that hand over that task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// identify finds the caller's role: the one that its own delegation names, the one
// recorded for it, one that its name belongs to, or what is left for one that no role
// names (resources.ActingRole).
func identify(call Call, view identities) *caller {
	if call.Person {
		return &caller{person: true}
	}
	c := &caller{agent: call.Agent, names: call.Names}
	c.session, _ = view.Session(call.Session)
	c.ancestry = ancestryOf(call, c.session, view)
	if c.roleName = cmp.Or(c.handedRole(view), call.Role); c.roleName == "" { // to look for it costs a list
		c.roleName = RoleNamed(call.Agent, view)
	}
	c.own = c.roleName != ""
	if !c.own {
		c.leftOver(view)
	}
	c.role, _ = view.Role(c.roleName)
	return c
}

// leftOver gives the caller the role of those that no role names.
func (c *caller) leftOver(view identities) {
	settings := view.Settings()
	c.roleName = settings.DefaultRole
	if !resources.UnknownAgent(c.agent, settings) {
		return
	}
	if least := resources.LeastRole(view.Roles()); least != nil {
		c.roleName, c.unknown, c.own = least.Metadata.Name, true, true
	}
}

// handedRole is the role that the caller's own delegation is addressed to, "" if it
// has none, or is addressed to an agent that no role names.
func (c *caller) handedRole(view identities) string {
	if !c.ancestry.own || c.under[0].d == nil {
		return ""
	}
	return RoleNamed(c.under[0].d.Spec.To, view)
}

// delegate reports whether the caller works under a delegation.
func (c *caller) delegate() bool { return len(c.under) > 0 }

// RoleNamed returns the name of the role that an agent of that name acts in: the role
// of the same name, or the first whose spec.agents name it; "" if there is none.
func RoleNamed(agent string, view identities) string {
	if agent == "" {
		return ""
	}
	if r, ok := view.Role(strings.ToLower(agent)); ok {
		return r.Metadata.Name
	}
	if r := resources.RoleNamed(agent, view.Roles()); r != nil {
		return r.Metadata.Name
	}
	return ""
}

// claim is how a task's assignee stands to a caller.
type claim int

const (
	foreign claim = iota // another role's
	open                 // nobody's, or a person's: the agent acts for one that we cannot know
	mine
)

// claims tells whose an assignee is.
func (c *caller) claims(assignedTo string, view identities) claim {
	switch {
	case assignedTo == "":
		return open
	case strings.EqualFold(assignedTo, c.agent), assignedTo == c.roleName:
		return mine
	case c.session != nil && assignedTo == c.session.Metadata.Name:
		return mine
	}
	switch role := RoleNamed(assignedTo, view); {
	case role == "":
		return open
	case role == c.roleName && c.agent == "":
		return mine
	}
	return foreign
}

// says reports whether a task is the one that the caller was handed, or that its session
// says to be its own.
func (c *caller) says(task string) bool {
	if c.delegate() {
		return c.task() == task
	}
	return c.session != nil && c.session.Spec.ActiveTask == task
}

// maxAncestors bounds the sessions that are looked through from a subagent
// upwards: records are files, and may name each other in a circle.
const maxAncestors = 16

// grant is one delegation that a caller works under.
type grant struct {
	name   string
	d      *resources.Delegation // nil: not there, or never readable
	broken bool                  // there, and not readable
}

// ancestry is what the sessions above a caller say.
type ancestry struct {
	hops  int     // how many sessions started one another down to this one
	under []grant // the delegations of the caller and of whoever started it, nearest first
	own   bool    // the first of them is the caller's own
	top   string  // the session that a person started; "" where no host names one
}

// ancestryOf follows a session to those that started it. What is handed over to
// one of them binds whatever it starts: a delegate gains nothing by starting a
// subagent. A session that a person started, without a delegation, costs nothing.
func ancestryOf(call Call, session *resources.Session, view identities) ancestry {
	var a ancestry
	parent := call.Parent
	a.top = call.Session
	seen := []string{call.Session}
	for s := session; ; {
		if s != nil {
			a.take(s.Spec.Delegation, s == session, view)
			if s.Spec.Parent != "" {
				parent = s.Spec.Parent
			}
		}
		if parent == "" || a.hops == maxAncestors {
			return a
		}
		a.hops++
		if slices.Contains(seen, parent) {
			return a
		}
		seen = append(seen, parent)
		a.top = parent
		s, _ = view.Session(parent)
		parent = ""
	}
}

// take adds a delegation, once.
func (a *ancestry) take(name string, own bool, view identities) {
	if name == "" || slices.ContainsFunc(a.under, func(t grant) bool { return t.name == name }) {
		return
	}
	t := grant{name: name}
	t.d, _ = view.Delegation(name)
	t.broken = t.d == nil && view.Exists(resources.Key{Kind: resources.Delegations, Name: name})
	a.own = a.own || own
	a.under = append(a.under, t)
}

// depth is how many hand-overs lead to the caller: over the sessions that started
// one another, and over the delegations that its own follows from.
func (a *ancestry) depth(view identities) int {
	depth := a.hops
	for _, t := range a.under {
		if t.d != nil {
			chain, _ := status.DelegationChain(t.d, view)
			depth = max(depth, len(chain)-1)
		}
	}
	return depth
}

// task is the name of the task that the caller was handed, "" if none was, or
// nobody knows.
func (a *ancestry) task() string {
	if len(a.under) == 0 || a.under[0].d == nil {
		return ""
	}
	return a.under[0].d.Spec.Task
}

// work is the task that a call is work on, or why there is none.
type work struct {
	task    *resources.Task
	status  resources.TaskStatus
	several []string // active tasks of which the caller has to choose one
	others  []string // active tasks that are another role's
	left    string   // the task the session was on, no longer live
	held    []string // active tasks that somebody else holds
	came    []string // active tasks of the caller that came back from whoever they were handed to
	parked  []string // active tasks of which nobody may work while another plan is in focus
}

// assign finds the caller's task: the one that it was handed, and then no other;
// or the one its session is on, or else the one active task that is its own, or
// else the one that is nobody's. Of several it is the only one that names all files of the call.
func assign(c *caller, files []Path, view View) *work {
	w := &work{}
	if c.delegate() {
		w.left = c.task()
	} else if c.session != nil {
		w.left = c.session.Spec.ActiveTask
	}
	if w.left != "" {
		if t, ok := view.Task(w.left); ok && status.LiveTask(t) {
			switch {
			case !status.InFocus(t, view):
				w.parked = []string{w.left}
			default:
				switch b := c.bar(For, t, view); {
				case b == nil:
					w.take(t, view)
					return w
				case b.Cause == Held:
					w.held = []string{w.left}
				default:
					w.others = []string{w.left}
				}
			}
		}
	}
	if c.delegate() {
		return w
	}
	var own, free []*resources.Task
	for _, name := range view.ActiveTasks() {
		t, ok := view.Task(name)
		if !ok {
			continue
		}
		if name == w.left {
			continue // it was looked at above
		}
		b := c.bar(For, t, view)
		switch {
		case !status.InFocus(t, view):
			w.parked = append(w.parked, name)
		case b != nil && b.Cause == Held:
			w.held = append(w.held, name)
		case b != nil:
			w.others = append(w.others, name)
		case status.Returned(name, view): // it waits to be started again
			w.came = append(w.came, name)
		case c.claims(t.Spec.AssignedTo, view) == mine:
			own = append(own, t)
		default:
			free = append(free, t)
		}
	}
	if len(own) == 0 {
		own = free
	}
	w.choose(own, files, view)
	return w
}

func (w *work) take(t *resources.Task, view View) {
	w.task = t
	w.status, _ = status.DeriveTask(t, view)
}

// choose takes the only candidate, or the only one that is not blocked, or of these the only one that names
// all files of the call.
func (w *work) choose(candidates []*resources.Task, files []Path, view View) {
	if len(candidates) == 1 {
		w.take(candidates[0], view)
		return
	}
	var workable, naming []*resources.Task
	for _, t := range candidates {
		w.several = append(w.several, t.Metadata.Name)
		if s, _ := status.DeriveTask(t, view); s.Phase != resources.TaskActive {
			continue
		}
		workable = append(workable, t)
		other := func(p Path) bool { return p.Repo == "" || len(claimsOf(t, p.Repo)) == 0 }
		if len(files) > 0 && !slices.ContainsFunc(files, other) {
			naming = append(naming, t)
		}
	}
	if len(workable) > 1 {
		workable = naming
	}
	if len(workable) == 1 {
		w.several = nil
		w.take(workable[0], view)
	}
}

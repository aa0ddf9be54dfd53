package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// caller is the agent or person that makes a call.
type caller struct {
	agent    string
	roleName string
	role     *resources.Role // nil if the role does not exist, so there are no limits
	ownRole  bool            // the role is assigned to the agent, not config.defaultRole
	unknown  bool            // no role names the agent; it has the least privileged one
	person   bool            // a user, without role limits
	names    []resources.Key // Call.Names
	session  *resources.Session
	ancestry
}

// identities looks up a caller's identity. View and Objects implement it.
type identities interface {
	status.View
	// Role returns the last valid version of a role.
	Role(name string) (*resources.Role, bool)
	// Roles returns all roles, sorted by name. Read-only.
	Roles() []*resources.Role
	// Session returns the record of a session.
	Session(name string) (*resources.Session, bool)
	// Delegation returns the last valid version of a delegation.
	Delegation(name string) (*resources.Delegation, bool)
	// Delegations returns the delegations of a task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// identify determines the caller's role: the role of its delegation, the recorded role, the
// role that names the agent, or the default for agents without a role
// (resources.ActingRole).
func identify(call Call, view identities) *caller {
	if call.Person {
		return &caller{person: true}
	}
	c := &caller{agent: call.Agent, names: call.Names}
	c.session, _ = view.Session(call.Session)
	c.ancestry = ancestryOf(call, c.session, view)
	if c.roleName = cmp.Or(c.handedRole(view), call.Role); c.roleName == "" { // needs a list of all roles
		c.roleName = RoleNamed(call.Agent, view)
	}
	c.ownRole = c.roleName != ""
	if !c.ownRole {
		c.leftOver(view)
	}
	c.role, _ = view.Role(c.roleName)
	return c
}

// leftOver sets the default role for agents without a role.
func (c *caller) leftOver(view identities) {
	settings := view.Settings()
	c.roleName = settings.DefaultRole
	if !resources.UnknownAgent(c.agent, settings) {
		return
	}
	if least := resources.LeastRole(view.Roles()); least != nil {
		c.roleName, c.unknown, c.ownRole = least.Metadata.Name, true, true
	}
}

// handedRole returns the role that the caller's delegation is addressed to. It returns ""
// without a delegation, or if no role names the addressed agent.
func (c *caller) handedRole(view identities) string {
	if !c.ancestry.isCaller || c.delegations[0].d == nil {
		return ""
	}
	return RoleNamed(c.delegations[0].d.Spec.To, view)
}

// delegate reports whether the caller works under a delegation.
func (c *caller) delegate() bool { return len(c.delegations) > 0 }

// RoleNamed returns the role of an agent: the role with the agent's name, or the first
// whose spec.agents contain it, or "".
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

// claim is the relation of a task's assignee to a caller.
type claim int

const (
	foreign claim = iota // assigned to another role
	open                 // unassigned, or assigned to a person for whom the agent may act
	mine
)

// claims returns the caller's relation to an assignee.
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

// has reports whether a task is the caller's delegated task or the task of its session.
func (c *caller) has(task string) bool {
	if c.delegate() {
		return c.task() == task
	}
	return c.session != nil && c.session.Spec.ActiveTask == task
}

// maxAncestors is the maximum number of sessions followed upwards from a subagent.
// Session records are files and can form cycles.
const maxAncestors = 16

// grant is a delegation that a caller works under.
type grant struct {
	name   string
	d      *resources.Delegation // nil if missing, or never valid
	broken bool                  // exists, but is invalid
}

// ancestry holds the information of the caller's parent sessions.
type ancestry struct {
	hops        int     // number of parent sessions
	delegations []grant // delegations of the caller and its parents, nearest first
	isCaller    bool    // the first one is of the caller
	top         string  // session that a person started; empty if the host does not report it
}

// ancestryOf follows a session to its parents. A delegation of a parent also limits all
// sessions that it starts, so that delegates cannot escape it with a subagent. It is cheap
// for sessions that a person started without a delegation.
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

// take adds a delegation to the ancestry unless it is already there. own means that the caller
// itself works under it.
func (a *ancestry) take(name string, own bool, view identities) {
	if name == "" || slices.ContainsFunc(a.delegations, func(t grant) bool { return t.name == name }) {
		return
	}
	t := grant{name: name}
	t.d, _ = view.Delegation(name)
	t.broken = t.d == nil && view.Exists(resources.Key{Kind: resources.Delegations, Name: name})
	a.isCaller = a.isCaller || own
	a.delegations = append(a.delegations, t)
}

// depth returns the number of hand-overs to the caller, by parent sessions and by the
// chain of its delegation.
func (a *ancestry) depth(view identities) int {
	depth := a.hops
	for _, t := range a.delegations {
		if t.d != nil {
			chain, _ := status.DelegationChain(t.d, view)
			depth = max(depth, len(chain)-1)
		}
	}
	return depth
}

// task returns the delegated task of the caller, or "".
func (a *ancestry) task() string {
	if len(a.delegations) == 0 || a.delegations[0].d == nil {
		return ""
	}
	return a.delegations[0].d.Spec.Task
}

// work is the task that a call works on, or the reason why it has no task.
type work struct {
	task       *resources.Task
	status     resources.TaskStatus
	several    []string // active tasks from which the caller must choose one
	otherRoles []string // active tasks of other roles
	lastTask   string   // former task of the session, which has ended
	heldTasks  []string // active tasks that another session or user holds
	handedBack []string // active tasks that the caller's delegates returned
	parked     []string // active tasks that are paused because another plan is in focus
}

// assign determines the caller's task. A delegated task has precedence and excludes other tasks.
// It is followed by the task of the session, the only active task of the caller, and the
// only unassigned one. If there are several, the only one that contains all files of the
// call is used.
func assign(c *caller, files []Path, view View) *work {
	w := &work{}
	if c.delegate() {
		w.lastTask = c.task()
	} else if c.session != nil {
		w.lastTask = c.session.Spec.ActiveTask
	}
	if w.lastTask != "" {
		if t, ok := view.Task(w.lastTask); ok && status.LiveTask(t) {
			switch {
			case !status.InFocus(t, view):
				w.parked = []string{w.lastTask}
			default:
				switch b := c.bar(For, t, view); {
				case b == nil:
					w.take(t, view)
					return w
				case b.Cause == HeldByOther:
					w.heldTasks = []string{w.lastTask}
				default:
					w.otherRoles = []string{w.lastTask}
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
		if name == w.lastTask {
			continue // already checked above
		}
		switch b := c.bar(For, t, view); {
		case !status.InFocus(t, view):
			w.parked = append(w.parked, name)
		case b != nil && b.Cause == HeldByOther:
			w.heldTasks = append(w.heldTasks, name)
		case b != nil:
			w.otherRoles = append(w.otherRoles, name)
		case status.WasReturned(name, view): // must be started again
			w.handedBack = append(w.handedBack, name)
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

// take sets the task that the call works on, and its derived status.
func (w *work) take(t *resources.Task, view View) {
	w.task = t
	w.status, _ = status.DeriveTask(t, view)
}

// choose takes the only candidate, the only one that is not blocked, or the only one of
// these that contains all files of the call.
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

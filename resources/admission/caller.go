package admission

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// caller is who makes a call.
type caller struct {
	agent    string
	roleName string
	role     *resources.Role // nil: no such role, so it sets no bounds
	own      bool            // the role is the agent's own, not config.defaultRole
	unknown  bool            // no role names the agent: it acts in the least one
	session  *resources.Session
	ancestry
}

// identify finds the caller's role: the one that its own delegation names, the one
// recorded for it, one that its name belongs to, or what is left for one that no role
// names (resources.ActingRole).
func identify(call Call, view View) *caller {
	c := &caller{agent: call.Agent}
	c.session, _ = view.Session(call.Session)
	c.ancestry = ancestryOf(call, c.session, view)
	c.roleName = c.handedRole(view)
	if c.roleName == "" {
		c.roleName = call.Role
	}
	if c.roleName == "" {
		c.roleName = roleOfAgent(view, call.Agent)
	}
	c.own = c.roleName != ""
	if !c.own {
		c.leftOver(view)
	}
	c.role, _ = view.Role(c.roleName)
	return c
}

// leftOver gives the caller the role of those that no role names.
func (c *caller) leftOver(view View) {
	settings := view.Settings()
	c.roleName = settings.DefaultRole
	if !resources.UnknownAgent(c.agent, settings) {
		return
	}
	if least := resources.LeastRole(view.Roles()); least != nil {
		c.roleName, c.unknown, c.own = least.Metadata.Name, true, true
	}
}

// RoleNamed returns the name of the role that an agent of that name acts in: the role
// of the same name, or the first whose spec.agents name it; "" if there is none.
func RoleNamed(agent string, view View) string { return roleOfAgent(view, agent) }

// handedRole is the role that the caller's own delegation is addressed to, "" if it
// has none, or is addressed to an agent that no role names.
func (c *caller) handedRole(view View) string {
	if !c.ancestry.own || c.under[0].d == nil {
		return ""
	}
	return roleOfAgent(view, c.under[0].d.Spec.To)
}

// delegate reports whether the caller works under a delegation.
func (c *caller) delegate() bool { return len(c.under) > 0 }

// roleOfAgent returns the role of that name, or the first whose agents name it.
func roleOfAgent(view View, agent string) string {
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
func (c *caller) claims(assignedTo string, view View) claim {
	switch {
	case assignedTo == "":
		return open
	case strings.EqualFold(assignedTo, c.agent), assignedTo == c.roleName:
		return mine
	case c.session != nil && assignedTo == c.session.Metadata.Name:
		return mine
	case roleOfAgent(view, assignedTo) == "":
		return open
	}
	if role := roleOfAgent(view, assignedTo); role == c.roleName && c.agent == "" {
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

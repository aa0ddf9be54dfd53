package admission

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// caller is who makes a call.
type caller struct {
	agent    string
	roleName string
	role     *resources.Role // nil: no such role, so it sets no bounds
	own      bool            // the role is the agent's own, not config.defaultRole
	session  *resources.Session
}

// identify finds the caller's role: the one recorded for it, one that its name
// belongs to, or the default of the repository.
func identify(call Call, view View) *caller {
	c := &caller{agent: call.Agent}
	c.session, _ = view.Session(call.Session)
	c.roleName = call.Role
	if c.roleName == "" {
		c.roleName = roleOfAgent(view, call.Agent)
	}
	c.own = c.roleName != ""
	if !c.own {
		c.roleName = view.Settings().DefaultRole
	}
	c.role, _ = view.Role(c.roleName)
	return c
}

// roleOfAgent returns the role of that name, or the first whose agents name it.
func roleOfAgent(view View, agent string) string {
	if agent == "" {
		return ""
	}
	if r, ok := view.Role(strings.ToLower(agent)); ok {
		return r.Metadata.Name
	}
	for _, r := range view.Roles() {
		for _, pattern := range r.Spec.Agents {
			if ok, _ := path.Match(pattern, agent); ok {
				return r.Metadata.Name
			}
		}
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

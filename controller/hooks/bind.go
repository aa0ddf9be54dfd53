package hooks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// bindingLock is held while a subagent's delegation is looked for, so that two that
// start at once do not take the same one. No session's record has such a name.
const bindingLock = ".bindings"

// bind finds the delegation that a subagent's session works under, and notes it in
// its record, with the session that really started it. Who is no subagent, or has a
// delegation, costs nothing. It is tried when the subagent starts and, because a
// host may not know by then which call started it, at its first tool call.
func (h *handler) bind() {
	if name := h.env.get(admission.DelegationVariable); name != "" {
		h.bindChild(name)
		return
	}
	if h.parentName() == "" || h.event.Type == hosts.BeforeTool && len(h.readNotes(notesCalls)) > 0 {
		return
	}
	if h.record().Delegation != "" {
		return
	}
	unlock, err := h.repo.lockSession(bindingLock)
	if err != nil {
		return // without a delegation a subagent works under its parent's task
	}
	defer unlock()
	started, unsure := h.startedBy()
	if unsure && h.event.Type == hosts.SubagentStart {
		return
	}
	names := slices.Concat(h.told(), started.Handed)
	tasks := slices.Concat(h.toldTasks(), started.Tasks)
	name := h.handedIn(names)
	if name == "" {
		name = h.handedWith(tasks)
	}
	if name == "" && len(names) == 0 && len(tasks) == 0 {
		name = h.addressed()
	}
	h.bindTo(name, started)
}

// bindChild binds a session of a host that was started for a delegation, and its subagents, to
// that one. A name that is none binds as well: then there is nothing left to do.
func (h *handler) bindChild(name string) {
	if resources.CheckName(name) == nil && h.record().Delegation == "" {
		h.updateSession(func(s *resources.SessionSpec) { s.Delegation = name })
	}
}

// told lists the delegations that the agent's own prompt names. The text of a call
// is somebody else's: that of the subagent which it starts.
func (h *handler) told() []string {
	if h.event.Type == hosts.BeforeTool {
		return nil
	}
	return tags(h.event.Text)
}

// toldTasks lists the tasks that the agent's own prompt names.
func (h *handler) toldTasks() []string {
	if h.event.Type == hosts.BeforeTool {
		return nil
	}
	return tagged(h.event.Text, taskTag)
}

// bindTo notes what was found: a delegation, or at least who the parent is.
func (h *handler) bindTo(name string, started spawn) {
	d, found := h.repo.Delegation(name)
	if found || started.By != "" {
		h.updateSession(func(s *resources.SessionSpec) {
			s.Parent = cmp.Or(started.By, s.Parent)
			if found {
				s.Delegation, s.ActiveTask = name, d.Spec.Task
			} else if parent, ok := h.repo.Session(s.Parent); ok && s.ActiveTask == "" {
				s.ActiveTask = parent.Spec.ActiveTask
			}
		})
	}
	if started.Call != "" {
		h.noteSpawn(h.parentName(), spawn{Call: started.Call, Taken: h.sessionName()})
	}
}

// handedIn returns the first of the delegations named in a prompt that holds, and is
// addressed to this agent: that a subagent is told to look at somebody's delegation
// does not make it its own.
func (h *handler) handedIn(names []string) string {
	for _, name := range names {
		d, ok := h.repo.Delegation(name)
		if ok && h.holds(d) && h.mayTake(d) {
			return name
		}
	}
	return ""
}

// handedWith returns the delegation that hands one of these tasks to this agent or its role; empty if none does.
func (h *handler) handedWith(tasks []string) string {
	for _, task := range tasks {
		for _, d := range h.repo.Delegations(task) {
			if h.holds(d) && h.addressedTo(d) && !h.heldElsewhere(d.Metadata.Name) {
				return d.Metadata.Name
			}
		}
	}
	return ""
}

// addressed returns the one delegation that names this session, or is addressed to an agent that has no other use,
// and that no other session works under; empty if there are several, since a guess may be the wrong task. A
// general-purpose agent that the role only lists may have been started for anything.
func (h *handler) addressed() string {
	found := ""
	for _, name := range h.repo.Names(resources.Delegations) {
		d, ok := h.repo.Delegation(name)
		if !ok || !h.holds(d) || !h.addressedTo(d) || h.heldElsewhere(name) {
			continue
		}
		if d.Spec.Session == "" && !h.madeFor(d) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

// holds reports whether a delegation is neither recalled nor done, for a task that
// can be worked on.
func (h *handler) holds(d *resources.Delegation) bool {
	t, ok := h.repo.Task(d.Spec.Task)
	return status.LiveDelegation(d) && ok && status.LiveTask(t) && h.isFor(d)
}

// isFor reports whether a delegation names no session, or this one: by its record's
// name or by the host's id.
func (h *handler) isFor(d *resources.Delegation) bool {
	session := d.Spec.Session
	return session == "" || session == h.sessionName() || session == h.event.Session || session == h.event.Subagent
}

// addressedTo reports whether a delegation names this agent, or the role it acts in.
func (h *handler) addressedTo(d *resources.Delegation) bool {
	if h.event.Agent == "" {
		return false
	}
	role := admission.RoleNamed(h.event.Agent, h.repo)
	return strings.EqualFold(d.Spec.To, h.event.Agent) || role != "" && admission.RoleNamed(d.Spec.To, h.repo) == role
}

// madeFor reports whether the agent is the one that a delegation names, or exists for its role only: it has the
// role's name or is the profile that iDumb installs for it.
func (h *handler) madeFor(d *resources.Delegation) bool {
	agent := strings.ToLower(h.event.Agent)
	role := admission.RoleNamed(d.Spec.To, h.repo)
	return strings.EqualFold(d.Spec.To, agent) || role != "" && strings.TrimPrefix(agent, admission.ProfilePrefix) == role
}

// mayTake reports whether this agent may work under a delegation that its prompt names.
func (h *handler) mayTake(d *resources.Delegation) bool {
	return admission.Permitted(admission.Call{Agent: h.event.Agent, Names: []resources.Key{d.Key()}}, admission.Take, nil, h.repo) == nil
}

// heldElsewhere reports whether another session that goes on works under a delegation.
func (h *handler) heldElsewhere(delegation string) bool {
	for _, s := range h.repo.Delegates(delegation) {
		if s.Metadata.Name == h.sessionName() {
			continue
		}
		if phase, _ := status.SessionPhase(s, h.repo); phase != resources.SessionEnded && phase != resources.SessionStale {
			return true
		}
	}
	return false
}

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

// bindingLock is the lock for the search for a subagent's delegation, so that
// two subagents that start at the same time do not take the same one. No
// session record has this name.
const bindingLock = ".bindings"

// bind finds the delegation of a subagent's session, and writes it into its
// record with the session that started it. It does nothing for a main agent that
// no delegation started, or if the record contains the delegation. It runs at the
// start of the subagent. It runs again at the first tool call, because some hosts
// do not know earlier which call started the subagent.
func (h *handler) bind() {
	if name := h.env.get(admission.DelegationVariable); name != "" {
		// A session that a host started for a delegation. The delegation need not exist.
		if resources.CheckName(name) == nil && h.record().Delegation == "" {
			h.updateSession(func(s *resources.SessionSpec) { s.Delegation = name })
		}
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
		return // without a delegation a subagent works on the task of its parent
	}
	defer unlock()
	started, unsure := h.startedBy()
	if unsure && h.event.Type == hosts.SubagentStart {
		return
	}
	names := slices.Concat(h.promptDelegations(), started.Handed)
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

// promptDelegations lists the delegations that the agent's prompt names. It ignores the text
// of a call, which is the prompt of another agent.
func (h *handler) promptDelegations() []string {
	if h.event.Type == hosts.BeforeTool {
		return nil
	}
	return tags(h.event.Text)
}

// toldTasks lists the tasks that the agent's prompt names.
func (h *handler) toldTasks() []string {
	if h.event.Type == hosts.BeforeTool {
		return nil
	}
	return tagged(h.event.Text, taskTag)
}

// bindTo writes the delegation, or at least the parent, into the session's
// record.
func (h *handler) bindTo(name string, started spawn) {
	if d, found := h.repo.Delegation(name); found || started.Parent != "" {
		h.updateSession(func(s *resources.SessionSpec) {
			s.Parent = cmp.Or(started.Parent, s.Parent)
			if found {
				s.Delegation, s.ActiveTask = name, d.Spec.Task
			} else if parent, ok := h.repo.Session(s.Parent); ok && s.ActiveTask == "" {
				s.ActiveTask = parent.Spec.ActiveTask
			}
		})
	}
	if started.Call != "" {
		h.noteSpawn(h.parentName(), spawn{Call: started.Call, Child: h.sessionName()})
	}
}

// handedIn returns the first delegation in a prompt that is in effect and
// addressed to this agent. A prompt may mention a delegation of another agent,
// so a mention is not enough to bind.
func (h *handler) handedIn(names []string) string {
	for _, name := range names {
		if d, ok := h.repo.Delegation(name); ok && h.holds(d) && h.mayTake(d) {
			return name
		}
	}
	return ""
}

// handedWith returns the delegation that assigns one of the tasks to this agent
// or its role, or an empty name.
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

// addressed returns the delegation that names this session, or that is
// addressed to an agent with no other purpose, if no other session works on it.
// The name is empty if there are several, because a guess may select the wrong
// task. A general-purpose agent that the role only lists may have been started
// for other work.
func (h *handler) addressed() string {
	found := ""
	for _, name := range h.repo.Names(resources.Delegations) {
		d, ok := h.repo.Delegation(name)
		if !ok || !h.holds(d) || !h.addressedTo(d) || h.heldElsewhere(name) || d.Spec.Session == "" && !h.madeFor(d) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

// holds reports whether a delegation is neither recalled nor done, names no other
// session, and its task can be worked on. A draft plan binds no agent.
func (h *handler) holds(d *resources.Delegation) bool {
	t, ok := h.repo.Task(d.Spec.Task)
	if !ok || !status.LiveDelegation(d) || !status.LiveTask(t) || !h.isFor(d) {
		return false
	}
	plan, ok := h.repo.Plan(t.Spec.WorkPlan)
	return !ok || resources.PlanState(plan) != resources.PlanDraft
}

// isFor reports whether a delegation names no session, or this session by its
// record's name or the host's id.
func (h *handler) isFor(d *resources.Delegation) bool {
	session := d.Spec.Session
	return session == "" || session == h.sessionName() || session == h.event.Session || session == h.event.Subagent
}

// addressedTo reports whether a delegation names this agent or its role.
func (h *handler) addressedTo(d *resources.Delegation) bool {
	if h.event.Agent == "" {
		return false
	}
	role := admission.RoleNamed(h.event.Agent, h.repo)
	return strings.EqualFold(d.Spec.To, h.event.Agent) || role != "" && admission.RoleNamed(d.Spec.To, h.repo) == role
}

// madeFor reports whether a delegation names the agent, or the agent exists only
// for the delegation's role. Such an agent has the name of the role, or is the
// profile that iDumb installs for the role.
func (h *handler) madeFor(d *resources.Delegation) bool {
	agent := strings.ToLower(h.event.Agent)
	role := admission.RoleNamed(d.Spec.To, h.repo)
	return strings.EqualFold(d.Spec.To, agent) || role != "" && strings.TrimPrefix(agent, admission.ProfilePrefix) == role
}

// mayTake reports whether this agent may work on a delegation that its prompt
// names.
func (h *handler) mayTake(d *resources.Delegation) bool {
	return admission.Permitted(admission.Call{Agent: h.event.Agent, Names: []resources.Key{d.Key()}}, admission.Take, nil, h.repo) == nil
}

// heldElsewhere reports whether another live session works on a delegation.
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

package hooks

import (
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Question is a hypothetical call, for finding out how the gate would judge it.
type Question struct {
	Tool       string           // as a host names it, in any case
	Action     admission.Action // the action of the call; Toolbox finds it by the tool's name
	Path       string           // for Read and Write: the file; if empty, only the tool is judged
	Command    string           // for Shell and Governance
	To         string           // for Delegate: the agent that would be started
	As         string           // the role or agent that would call; empty for an unnamed agent
	Task       string           // the task of the call; if empty, the active task
	Delegation string           // the delegation under which the agent would work
	Dir        string           // the folder for a relative Path; empty for the repository's root
}

// Judged is the gate's answer to a Question.
type Judged struct {
	Verdict admission.Verdict
	Mode    string // the mode of the judgment: enforce, log or off
	Role    string // the role of the caller; empty if the role does not exist
	Unknown bool   // no role names the caller, so the role with the fewest rights applies
}

// asker is the session of a Question. It is never written.
const asker = "can-i"

// Ask judges a hypothetical call in the same way as the hook judges a real one.
// It records nothing.
func (k Backend) Ask(root Root, q Question, env []string, now time.Time) Judged {
	g := k.OpenGate(root, callers.Caller{Session: asker, Agent: q.As}, env, now)
	g.h.imagine(q)
	call, err := g.h.call()
	call.Opened = nil // the question is not the first call of its session
	j := Judged{Mode: g.h.repo.settings.Mode}
	if role := admission.RoleOf(call, g.h.repo); role != nil {
		j.Role = role.Metadata.Name
	}
	j.Unknown = q.Delegation == "" && admission.RoleNamed(q.As, g.h.repo) == "" && resources.UnknownAgent(q.As, g.h.repo.settings)
	if err != nil {
		j.Verdict = g.h.unfollowed(call, err)
		return j
	}
	j.Verdict = g.h.decide(call).WithoutAsking()
	return j
}

// imagine sets the handler's event and session from a question.
func (h *handler) imagine(q Question) {
	kind, _ := resources.KindOf(resources.Sessions)
	s := kind.New().(*resources.Session)
	s.Metadata.Name = asker
	s.Spec.Agent, s.Spec.ActiveTask, s.Spec.Delegation = q.As, q.Task, q.Delegation
	h.repo.overlay.overrides[resources.Key{Kind: resources.Sessions, Name: asker}] = s
	e := &h.event
	e.Tool, e.Action, e.Command, e.DelegateTo = q.Tool, q.Action, q.Command, q.To
	if q.Dir != "" {
		e.Cwd = q.Dir
	}
	if q.Path != "" {
		e.Paths = []string{q.Path}
	}
	if q.Action == admission.Shell {
		e.SetCommand(q.Command)
	}
}

// RoleIn returns a role as the gate reads it in an environment, and whether it
// exists.
func (k Backend) RoleIn(root Root, name string, env []string, now time.Time) (*resources.Role, bool) {
	return k.open(root, env, now).Role(name)
}

// Planless reports whether no plan is active under which roles restrict agents.
func (k Backend) Planless(root Root, env []string, now time.Time) bool {
	return admission.Planless(k.open(root, env, now))
}

package hooks

import (
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Question is a call that nobody makes, to learn what the gate would say to it.
type Question struct {
	Tool       string           // as a host names it, in any case
	Action     admission.Action // what it does; Toolbox finds it by the tool's name
	Path       string           // for Read and Write: the file; "" asks for the tool alone
	Command    string           // for Shell and Governance
	To         string           // for Delegate: the agent that would be started
	As         string           // the role or agent that would call; "" for an unnamed agent
	Task       string           // the task that it would be on; "" leaves it to what is active
	Delegation string           // the delegation that it would work under
	Dir        string           // where a relative Path stands; "" for the repository's root
}

// Judged is the gate's answer to a Question.
type Judged struct {
	Verdict admission.Verdict
	Mode    string // in which it was judged: enforce, log or off
	Role    string // in which the caller would act; "" if there is no such role
	Unknown bool   // no role names the caller: it acts in the least one
}

// asker is the session of whoever a Question is about. It is never written.
const asker = "can-i"

// Ask judges a call that nobody makes as the hook judges one that somebody makes, and
// records nothing.
func (k Backend) Ask(root Root, q Question, env []string, now time.Time) Judged {
	g := k.OpenGate(root, callers.Caller{Session: asker, Agent: q.As}, env, now)
	g.h.imagine(q)
	call, err := g.h.call()
	call.Opened = nil // the question is not the first of its session
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

// imagine makes the handler's event and its session those of a question.
func (h *handler) imagine(q Question) {
	h.repo.overlay.own[resources.Key{Kind: resources.Sessions, Name: asker}] = imagined(q)
	e := &h.event
	e.Tool, e.Action, e.Command, e.Delegates = q.Tool, q.Action, q.Command, q.To
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

func imagined(q Question) *resources.Session {
	kind, _ := resources.KindOf(resources.Sessions)
	s := kind.New().(*resources.Session)
	s.Metadata.Name = asker
	s.Spec.Agent, s.Spec.ActiveTask, s.Spec.Delegation = q.As, q.Task, q.Delegation
	return s
}

// RoleIn returns a role as the gate reads it in an environment.
func (k Backend) RoleIn(root Root, name string, env []string, now time.Time) (*resources.Role, bool) {
	return k.open(root, env, now).Role(name)
}

package hooks

import (
	"cmp"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Gate judges calls that no host's event describes: those of our own tools, which
// run in a process of their own. It looks at the same files by the same rules,
// and keeps the same records, as the hook does. It is for one call.
type Gate struct {
	h   *handler
	who callers.Caller
}

// OpenGate returns the gate of a repository, over what k reads, for one call of that
// caller; the zero Caller is somebody unnamed in the repository's default role. env is the
// environment as os.Environ gives it.
func (k Backend) OpenGate(root Root, who callers.Caller, env []string, now time.Time) *Gate {
	h := &handler{repo: k.open(root, env, now), env: env}
	h.event = hosts.Event{Type: hosts.BeforeTool, Host: who.Host, Session: who.Session, Agent: who.Agent, Cwd: string(root)}
	return &Gate{h: h, who: who}
}

// GateFor returns the gate for the agent of a session, as its record names it; for somebody unnamed if session is empty.
func (k Backend) GateFor(root Root, session string, env []string, now time.Time) *Gate {
	g := k.OpenGate(root, callers.Caller{Session: session}, env, now)
	record := g.h.record()
	g.who.Agent, g.who.Host = record.Agent, record.Host
	return g
}

// Rights are what the caller may do.
func (g *Gate) Rights() admission.Rights { return admission.Rights{Call: g.owner(), View: g.h.repo} }

// Trusted reports whether the person trusts what the repository says.
func (g *Gate) Trusted() bool { return g.h.repo.trusted() }

// View is what decisions look at.
func (g *Gate) View() admission.View { return g.h.repo }

// Role is the role that the caller acts in, nil if there is no such role.
func (g *Gate) Role() *resources.Role { return admission.RoleOf(g.owner(), g.h.repo) }

// Work is the task that the caller works on, if there is one.
func (g *Gate) Work() (*resources.Task, bool) { return admission.WorkOf(g.owner(), g.h.repo) }

// Next lists the tasks that the caller may start, best first, most at most.
func (g *Gate) Next(most int) []string { return admission.NextFor(g.owner(), g.h.repo, most) }

// CanStart reports whether the caller may start a task, and starting makes it active.
func (g *Gate) CanStart(task string) bool { return admission.CanStart(g.owner(), task, g.h.repo) }

// CanHandOver returns the role to which the caller may hand a task; see admission.CanHandOver.
func (g *Gate) CanHandOver(task, to string) string {
	return admission.CanHandOver(g.owner(), task, to, g.h.repo)
}

func (g *Gate) owner() admission.Call { return g.called(admission.Call{Session: g.h.sessionName()}) }

// called fills in who makes a call.
func (g *Gate) called(c admission.Call) admission.Call {
	c.Agent, c.SubagentID, c.Role = g.who.Agent, g.who.Subagent, cmp.Or(g.who.Role, g.h.record().Role)
	return c
}

// MayMove reports whether the caller may take a step in a delegation: whoever gave it
// any step, whoever works under it any but the recall. One that is not there is
// refused elsewhere.
func (g *Gate) MayMove(delegation string, recall bool) bool {
	if admission.MayChange(g.owner(), delegation, g.h.repo) {
		return true
	}
	return delegation != "" && g.h.record().Delegation == delegation && !recall
}

// Judge judges a call of one of our tools by the command line that does the same, or, of no
// tool, a command line that is to be run in the repository's root as if the host's own shell
// tool ran it. It records nothing.
func (g *Gate) Judge(tool, command string) admission.Verdict {
	call, err := g.call(tool, command)
	if err != nil {
		return admission.Undecided(call, g.h.repo.settings.Mode, "A path in it cannot be followed: "+err.Error()+".", byItsPath)
	}
	g.h.looks = true
	defer func() { g.h.looks = false }()
	return g.h.lifting(&call, g.h.decide(call)).WithoutAsking()
}

// Remember records what Judge, of this gate or of the controller's, has said of a call, and returns what
// counts: a call that a person allowed once is denied where another one was faster.
func (g *Gate) Remember(tool, command string, v admission.Verdict) admission.Verdict {
	call, err := g.call(tool, command)
	if err != nil {
		return v
	}
	v = g.h.use(&call, v).WithoutAsking()
	g.h.opening(v)
	g.h.bypassed(v)
	switch v.Outcome {
	case admission.Deny:
		g.h.deny(call, v)
	case admission.Record:
		g.h.violation(call, v)
	}
	return v
}

// Allowed is what the agent is told of a grant that its call used; "" for none.
func (g *Gate) Allowed() string { return g.h.allowed }

func (g *Gate) call(tool, line string) (admission.Call, error) {
	e := &g.h.event
	if tool == "" {
		e.Tool, e.Action = "bash", admission.Shell
		e.SetCommand(line)
		call, err := g.h.call()
		return g.called(call), err
	}
	e.Tool, e.Action, e.Own = tool, admission.Governance, true
	call := g.owner()
	call.Host, call.Tools = g.who.Host, hosts.TraitsOf(g.who.Host).Tools
	call.Tool, call.Action, call.Own, call.Runs = tool, admission.Governance, true, runsIn(line)
	call.Agreed = g.h.agreed
	return call, nil
}

// runsIn reads the command of idumb's that does what a call of one of its tools does.
func runsIn(line string) []command.Run { return command.Read(line, command.Options{}).Runs }

// Ended is how a command line ended that was run by us.
type Ended struct {
	ExitCode int // -1: it was ended at its timeout
	Took     time.Duration
	Printed  string          // what it printed, as far as that is known
	work     *resources.Task // for which it was run
}

// Ran records what a command line that Judge let pass has done for the task that the caller
// works on, "" for none: a checkpoint for each build, test or git command of it, or if there is
// none, one for the whole line.
func (g *Gate) Ran(command string, ended Ended, work string) {
	g.h.ended = &ended
	clear(g.h.repo.leases) // the command may have started a task
	g.h.ended.work, _ = g.h.repo.Task(work)
	succeeded := ended.ExitCode == 0
	g.h.event.Type, g.h.event.Tool, g.h.event.Action = hosts.AfterTool, "bash", admission.Shell
	g.h.event.Command, g.h.event.Failed, g.h.event.Printed = command, !succeeded, ended.Printed
	g.h.recordShell()
}

// Started puts the caller's session on a task that it has just started.
func (g *Gate) Started(task string) {
	g.h.event.Type = hosts.AfterTool
	g.h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask, s.Counters.QuietTurns = task, 0 })
}

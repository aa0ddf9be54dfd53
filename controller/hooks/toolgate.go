package hooks

import (
	"cmp"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Gate judges calls without an event of a host: calls of iDumb's tools, which
// run in a separate process. It applies the same rules to the same files as the
// hook, and keeps the same records. A Gate is for one call.
type Gate struct {
	h      *handler
	caller callers.Caller
}

// OpenGate returns the gate of a repository for one call of a caller, reading
// with k. The zero Caller is an unnamed agent in the default role of the
// repository. env has the format of os.Environ.
func (k Backend) OpenGate(root Root, who callers.Caller, env []string, now time.Time) *Gate {
	h := &handler{repo: k.open(root, env, now), env: env}
	h.event = hosts.Event{Type: hosts.BeforeTool, Host: who.Host, Session: who.Session, Agent: who.Agent, Cwd: string(root)}
	return &Gate{h: h, caller: who}
}

// GateFor returns the gate for the agent in a session's record, or for an
// unnamed agent if session is empty.
func (k Backend) GateFor(root Root, session string, env []string, now time.Time) *Gate {
	g := k.OpenGate(root, callers.Caller{Session: session}, env, now)
	record := g.h.record()
	g.caller.Agent, g.caller.Host = record.Agent, record.Host
	return g
}

// Rights returns the rights of the caller.
func (g *Gate) Rights() admission.Rights { return admission.Rights{Call: g.owner(), View: g.h.repo} }

// Trusted reports whether the person trusts the content of the repository.
func (g *Gate) Trusted() bool { return g.h.repo.trusted() }

// View returns the view on which decisions are based.
func (g *Gate) View() admission.View { return g.h.repo }

// Role returns the role of the caller, or nil if it does not exist.
func (g *Gate) Role() *resources.Role { return admission.RoleOf(g.owner(), g.h.repo) }

// Sharing returns how the plans of the repository reach the caller's worktree.
func (g *Gate) Sharing() planvisibility.Sharing { return g.h.sharing() }

// Work returns the current task of the caller.
func (g *Gate) Work() (*resources.Task, bool) { return admission.WorkOf(g.owner(), g.h.repo) }

// Next returns at most most tasks that the caller may start, the best first.
func (g *Gate) Next(most int) []string { return admission.NextFor(g.owner(), g.h.repo, most) }

// CanStart reports whether the caller may start a task, and starting makes it
// active.
func (g *Gate) CanStart(task string) bool { return admission.CanStart(g.owner(), task, g.h.repo) }

// CanHandOver returns the role to which the caller may hand a task; see
// admission.CanHandOver.
func (g *Gate) CanHandOver(task, to string) string {
	return admission.CanHandOver(g.owner(), task, to, g.h.repo)
}

// owner returns a call without a tool, which contains only the caller. Package admission finds the
// caller's rights by it.
func (g *Gate) owner() admission.Call { return g.called(admission.Call{Session: g.h.sessionName()}) }

// called adds the caller to a call.
func (g *Gate) called(c admission.Call) admission.Call {
	c.Agent, c.SubagentID, c.Role = g.caller.Agent, g.caller.Subagent, cmp.Or(g.caller.Role, g.h.record().Role)
	return c
}

// MayMove reports whether the caller may change the state of a delegation. The
// creator may make any change; an agent that works on it may make any change
// except a recall. A missing delegation is refused elsewhere.
func (g *Gate) MayMove(delegation string, recall bool) bool {
	if admission.MayChange(g.owner(), delegation, g.h.repo) {
		return true
	}
	return delegation != "" && g.h.record().Delegation == delegation && !recall
}

// Judge judges a call of one of iDumb's tools by the equivalent command line.
// If tool is empty, it judges a command line as if the host's shell tool ran it
// in the repository root. It records nothing.
func (g *Gate) Judge(tool, command string) admission.Verdict {
	call, err := g.call(tool, command)
	if err != nil {
		return admission.Undecided(call, g.h.repo.settings.Mode, "A path in it cannot be followed: "+err.Error()+".", byItsPath)
	}
	g.h.dryRun = true
	defer func() { g.h.dryRun = false }()
	return g.h.decideWithGrants(&call, g.h.decide(call)).WithoutAsking()
}

// Remember records a verdict of Judge, from this gate or from the controller's,
// and returns the final verdict. A call that a person allowed once is denied if
// another call has used the permission first.
func (g *Gate) Remember(tool, command string, v admission.Verdict) admission.Verdict {
	call, err := g.call(tool, command)
	if err != nil {
		return v
	}
	v = g.h.useGrants(&call, v).WithoutAsking()
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

// Allowed returns the text for the agent about a grant that its call used; it
// may be empty.
func (g *Gate) Allowed() string { return g.h.allowed }

// call returns the call that Judge and Remember judge.
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
	call.Host, call.Tools = g.caller.Host, hosts.TraitsOf(g.caller.Host).ToolPrefix
	call.Tool, call.Action, call.Own, call.Runs = tool, admission.Governance, true, runsIn(line)
	call.Agreed = g.h.agreed
	return call, nil
}

// runsIn parses the idumb command that is equivalent to a call of one of
// iDumb's tools.
func runsIn(line string) []command.Run { return command.Read(line, command.Options{}).Runs }

// Ended is the outcome of a command line that iDumb ran.
type Ended struct {
	ExitCode int // -1 if the command reached its timeout
	Took     time.Duration
	Printed  string          // the output of the command, if known
	work     *resources.Task // the task for which it ran
}

// Ran records the effect of a command line that Judge allowed, for the task
// that the caller works on; work may be empty. It writes a checkpoint for each
// build, test or git command, or else one for the whole line.
func (g *Gate) Ran(command string, ended Ended, work string) {
	g.h.ended = &ended
	g.h.repo.forgetLeases() // the command may have started a task
	g.h.ended.work, _ = g.h.repo.Task(work)
	succeeded := ended.ExitCode == 0
	g.h.event.Type, g.h.event.Tool, g.h.event.Action = hosts.AfterTool, "bash", admission.Shell
	g.h.event.Command, g.h.event.Failed, g.h.event.Printed = command, !succeeded, ended.Printed
	g.h.recordShell()
}

// Started sets the task that the caller's session has just started.
func (g *Gate) Started(task string) {
	g.h.event.Type = hosts.AfterTool
	g.h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask, s.Counters.QuietTurns = task, 0 })
}

package hooks

import (
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// Other returns the lease of whoever else than a session has a task to themselves. See admission.View.
func (r *repo) Other(t *resources.Task, session string) *resources.Lease {
	l := r.lease(t)
	if l == nil || session != "" && l.Spec.Holder.Session == session && !l.Elsewhere() { // a name in another clone is another one's
		return nil
	}
	book := leases.Open(r.Root)
	return book.Other(t, book.Session(session, nil), r.now)
}

// Lapsed returns the lease of a task that the team may have given to another clone. See admission.View.
func (r *repo) Lapsed(t *resources.Task) *resources.Lease {
	if l := r.lease(t); l != nil && l.Lapsed(r.now) {
		return l
	}
	return nil
}

// EndedElsewhere returns the lease of a task that another clone ended. See admission.View.
func (r *repo) EndedElsewhere(t *resources.Task) *resources.Lease {
	if l := r.lease(t); l != nil && l.Elsewhere() && l.Ended() != "" {
		return l
	}
	return nil
}

// lease is the lease of a task, read once; nil if nobody has one.
func (r *repo) lease(t *resources.Task) *resources.Lease {
	l, known := r.leases[t.Metadata.Name]
	if !known {
		l = leases.Open(r.Root).Get(t)
		r.leases[t.Metadata.Name] = l
	}
	return l
}

// Offered reports whether a task may be proposed. See admission.View.
func (r *repo) Offered(t *resources.Task) bool {
	book := leases.Open(r.Root)
	l := book.Holding(t)
	return r.Graph.Offered(t) && (l == nil || book.Here(l.Spec.Holder))
}

// noteAgent leaves word of who acts in the host's process, so that the commands which the agent's
// shell runs know whose they are: when somebody begins to act, and before a call that may run one.
func (h *handler) noteAgent() {
	switch h.event.Type {
	case hosts.SessionStart, hosts.Prompt, hosts.SubagentStart:
	case hosts.BeforeTool:
		if !strings.Contains(h.event.Command, "idumb") {
			return
		}
	default:
		return
	}
	if h.sessionName() == "" {
		return
	}
	if p := h.process(); p != nil {
		_ = callers.Settle(h.repo.Root, callers.Agent{Process: *p, Session: h.sessionName()})
	}
}

// noteAgentIn is noteAgent for other repositories in which the call runs commands of idumb: their rules hold for the
// agent as they do for a file that it writes there. Without the record those commands would be a user's.
func (h *handler) noteAgentIn(dirs []string) {
	p := h.process()
	if h.sessionName() == "" || p == nil {
		return
	}
	for _, dir := range dirs {
		if root, err := layout.Find(dir); err == nil && root != h.repo.Root {
			_ = callers.Settle(root, callers.Agent{Process: *p, Session: h.sessionName()})
		}
	}
}

// process is the host's; nil if that is not known.
func (h *handler) process() *resources.Process {
	if h.pid == nil {
		return nil
	}
	return process.Host(h.pid())
}

// topSession is the session that a person started, for which whoever acts does; "" if none is known.
func (h *handler) topSession() string { return h.above(h.sessionName(), h.parentName()) }

// above is the topmost session above one; parent is its parent where no record says so.
func (h *handler) above(top, parent string) string {
	for range maxParents {
		if s, ok := h.repo.Session(top); ok && s.Spec.Parent != "" {
			parent = s.Spec.Parent
		}
		if parent == "" {
			break
		}
		top, parent = parent, ""
	}
	return top
}

// maxParents bounds the sessions above one: records may name each other in a circle.
const maxParents = 16

// renew says, of the tasks that the session holds, that their holder was heard of. It is asked
// whenever the session's record is renewed, which is once a minute at most.
func (h *handler) renew() {
	top := h.topSession()
	book := leases.Open(h.repo.Root)
	held, _ := book.All()
	for _, l := range held {
		if l.Elsewhere() || l.Spec.Holder.Session != top || h.repo.now.Sub(l.Spec.RenewTime.Time) < leases.RenewEvery {
			continue
		}
		if task, ok := h.repo.Task(l.Metadata.Name); ok && task.Metadata.UID == l.Metadata.UID && task.Spec.State == resources.TaskActive {
			book.Renew(task, book.Session(top, h.process()), h.repo.now)
		}
	}
}

// takeUp makes the session the holder of the task that it works on, if nobody else is: of one that
// was active already, that a person started for it, or that a session held which is gone. It
// reports whether another session was faster; where it cannot be written, none can be.
func (h *handler) takeUp(task *resources.Task) (late bool) {
	session := h.topSession()
	if session == "" || task.Spec.State != resources.TaskActive {
		return false
	}
	if l := h.repo.lease(task); l != nil && l.Spec.Holder.Session == session && !l.Elsewhere() {
		return false
	}
	clear(h.repo.leases)
	book := leases.Open(h.repo.Root)
	// Nobody waits for Settle: no power cut leaves the session's host running, and what it held is free then.
	_, err := book.Claim(task, book.Session(session, h.process()), false, h.repo.now)
	var held *leases.HeldError
	return errors.As(err, &held) && admission.Permitted(h.self(), admission.For, task, h.repo) != nil // a delegate works for who handed it over
}

// tooLate takes up the task for which a call that passes would write, before it does: of several
// sessions to which a task falls, one has it. It reports whether that is another one.
func (h *handler) tooLate(call admission.Call, v admission.Verdict) bool {
	passes := v.Outcome == admission.NoOpinion || v.Outcome == admission.Advise
	if !passes || call.Action != admission.Write && call.Action != admission.Shell || len(inRepo(call.Paths)) == 0 {
		return false
	}
	task, ok := h.repo.Task(v.Task)
	return ok && h.takeUp(task)
}

// takenOver tells a session, once, that somebody else holds its task by now.
func (h *handler) takenOver() string {
	name := h.record().ActiveTask
	t, ok := h.repo.Task(name)
	if !ok || h.record().Delegation != "" {
		return ""
	}
	if aside := h.setAside(t); aside != "" {
		return aside
	}
	l := h.repo.Other(t, h.topSession())
	if l == nil {
		return ""
	}
	h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask = "" })
	return "iDumb: task \"" + name + "\" is not yours any more: " + admission.HeldSince(l, h.repo.now) + ". " + h.inTools("`idumb next`") + " shows what is free.\n"
}

// setAside tells a session, once, that the work is about another plan by now and its task free: it
// was planned again by whoever said so, and is now if only the read-head's file was changed.
func (h *handler) setAside(t *resources.Task) string {
	if status.InFocus(t, h.repo) {
		return ""
	}
	if t.Spec.State == resources.TaskActive {
		h.carry(wishes.Park, wishes.Args{Names: wishes.NamesOf(t.Key())})
	}
	if l := h.repo.lease(t); l != nil && l.Spec.Holder.Session == h.topSession() {
		_ = leases.Open(h.repo.Root).Release(t)
		clear(h.repo.leases)
	}
	h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask = "" })
	head := h.repo.Trajectory().Spec
	intent := ""
	if head.Intent != "" {
		intent = " (" + admission.Plain(head.Intent) + ")"
	}
	return "iDumb: INTENT SHIFTED: the work is about plan \"" + head.ActivePlan + "\" now" + intent + ". Your task \"" + t.Metadata.Name +
		"\" was set aside with its progress, and is nobody's. Go on with a task of that plan: " + h.inTools("`idumb next`") + " shows what is ready.\n"
}

package hooks

import (
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// OtherLease returns the lease of a task if another session holds it. See
// admission.View.
func (r *repo) OtherLease(t *resources.Task, session string) *resources.Lease {
	l := r.lease(t)
	if l == nil || session != "" && l.Spec.Holder.Session == session && !l.InOtherClone() { // the same session name in another clone is a different session
		return nil
	}
	book := leases.Open(r.Root)
	return book.OtherLease(t, book.Session(session, nil), r.now)
}

// Lapsed returns the lease of a task that the team may have given to another
// clone. See admission.View.
func (r *repo) Lapsed(t *resources.Task) *resources.Lease {
	if l := r.lease(t); l != nil && l.Lapsed(r.now) {
		return l
	}
	return nil
}

// EndedElsewhere returns the lease of a task that another clone ended. See
// admission.View.
func (r *repo) EndedElsewhere(t *resources.Task) *resources.Lease {
	if l := r.lease(t); l != nil && l.InOtherClone() && l.Ended() != "" {
		return l
	}
	return nil
}

// lease returns the lease of a task, or nil. It reads each lease once. From the
// second task on it reads only leases that a listing contains, because a run may
// ask about many tasks.
func (r *repo) lease(t *resources.Task) *resources.Lease {
	l, known := r.leases[t.Metadata.Name]
	if known {
		return l
	}
	book := leases.Open(r.Root)
	if r.leased == nil && len(r.leases) > 0 {
		r.leased = book.Listed()
	}
	if r.leased == nil || r.leased(t) {
		l = book.Get(t)
	}
	r.leases[t.Metadata.Name] = l
	return l
}

// forgetLeases makes the run read leases again.
func (r *repo) forgetLeases() {
	r.leased = nil
	clear(r.leases)
}

// Offered reports whether a task may be proposed. See admission.View.
func (r *repo) Offered(t *resources.Task) bool {
	book, l := leases.Open(r.Root), r.lease(t)
	return r.Graph.Offered(t) && (l == nil || book.IsHere(l.Spec.Holder) || book.IsVoid(l, t))
}

// noteAgent records the agent that acts in the host's process, so that commands
// in the agent's shell know their caller. It runs when an agent begins to act,
// and before a call that may run such a command.
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
		_ = callers.RecordAgent(h.repo.Root, callers.Agent{Process: *p, Session: h.sessionName()})
	}
}

// noteAgentIn does the same as noteAgent for other repositories in which the
// call runs commands of idumb. Their rules apply to the agent, as for a file
// that it writes there. Without the record these commands would count as a
// user's.
func (h *handler) noteAgentIn(dirs []string) {
	p := h.process()
	if h.sessionName() == "" || p == nil {
		return
	}
	for _, dir := range dirs {
		if root, err := layout.Find(dir); err == nil && root != h.repo.Root {
			_ = callers.RecordAgent(root, callers.Agent{Process: *p, Session: h.sessionName()})
		}
	}
}

// process returns the host's process, or nil if it is unknown.
func (h *handler) process() *resources.Process {
	if h.pid == nil {
		return nil
	}
	return process.Host(h.pid())
}

// topSession returns the session that a person started and that led to the
// acting session, or an empty name.
func (h *handler) topSession() string { return h.above(h.sessionName(), h.parentName()) }

// above returns the topmost ancestor of a session. parent is the session's
// parent, for a session without a record.
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

// maxParents limits the search for ancestors, because records may form a cycle.
const maxParents = 16

// takeUp makes the session the holder of its task if no other session holds the
// task. This applies to a task that was already active, that a person started
// for the session, or whose previous holder ended. It reports whether another
// session was faster and the acting agent may not work for that one. It returns
// false if the lease cannot be written.
func (h *handler) takeUp(task *resources.Task) (late bool) {
	session := h.topSession()
	if session == "" || task.Spec.State != resources.TaskActive {
		return false
	}
	if l := h.repo.lease(task); l != nil && l.Spec.Holder.Session == session && !l.InOtherClone() {
		return false
	}
	h.repo.forgetLeases()
	book := leases.Open(h.repo.Root)
	// Settle is not needed: after a power failure the session's host is not
	// running, and its leases are free.
	_, err := book.Claim(task, book.Session(session, h.process()), false, h.repo.now)
	var held *leases.HeldError
	return errors.As(err, &held) && admission.Permitted(h.self(), admission.For, task, h.repo) != nil // a delegate works for the session that delegated the task
}

// tooLate takes the lease of a task before an allowed call writes for it. If
// several sessions try, one gets the lease. It reports whether another session
// got it.
func (h *handler) tooLate(call admission.Call, v admission.Verdict) bool {
	passes := v.Outcome == admission.NoOpinion || v.Outcome == admission.Advise
	if !passes || call.Action != admission.Write && call.Action != admission.Shell || len(inRepo(call.Paths)) == 0 {
		return false
	}
	task, ok := h.repo.Task(v.Task)
	return ok && h.takeUp(task)
}

// takenOver returns a line that another session now holds the session's task, or
// that the work moved to another plan. It removes the task from the session's
// record, so that the line is given once. It is empty otherwise.
func (h *handler) takenOver() string {
	name := h.record().ActiveTask
	t, ok := h.repo.Task(name)
	if !ok || h.record().Delegation != "" {
		return ""
	}
	if aside := h.setAside(t); aside != "" {
		return aside
	}
	l := h.repo.OtherLease(t, h.topSession())
	if l == nil {
		return ""
	}
	h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask = "" })
	return "iDumb: task \"" + name + "\" is no longer yours: " + admission.HeldSince(l, h.repo.now) + ". " + h.inTools("`idumb next`") + " lists free tasks.\n"
}

// setAside returns a line that the work moved to another plan and the session's
// task is free. It releases the lease and removes the task from the session's
// record, so that the line is given once. The command that moved the work parks
// the task; setAside parks it if only the read head's file was changed. The line
// is empty if the task is in focus.
func (h *handler) setAside(t *resources.Task) string {
	if status.InFocus(t, h.repo) {
		return ""
	}
	if t.Spec.State == resources.TaskActive {
		h.carry(requests.Park, requests.Args{Names: requests.NamesOf(t.Key())})
	}
	if l := h.repo.lease(t); l != nil && l.Spec.Holder.Session == h.topSession() {
		_ = leases.Open(h.repo.Root).Release(t)
		h.repo.forgetLeases()
	}
	h.updateSession(func(s *resources.SessionSpec) { s.ActiveTask = "" })
	head := h.repo.Trajectory().Spec
	intent := ""
	if head.Intent != "" {
		intent = " (" + admission.Plain(head.Intent) + ")"
	}
	return "iDumb: INTENT SHIFTED: plan \"" + head.ActivePlan + "\" is in focus now" + intent + ". Your task \"" + t.Metadata.Name +
		"\" was set aside and its progress is kept. Start a task of plan \"" + head.ActivePlan + "\": " + h.inTools("`idumb next`") + " lists ready tasks.\n"
}

package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxLinks is the maximum number of tasks shown in a denial.
const maxLinks = 12

// causes describes in sentences what blocks a task.
func (e *evaluation) causes(t *resources.Task, st resources.TaskStatus) []string {
	var why []string
	for _, blocker := range firstFew(st.BlockedBy) {
		relation := "It depends on "
		if status.BlockerField(t, blocker, e.view) == "spec.parent" {
			relation = "It is a part of "
		}
		why = append(why, relation+e.nameWithPhase(blocker)+".")
	}
	if g := t.Spec.TemporalGate; g != nil && g.Reason != "" && slices.Contains(st.BlockedBy, g.After) {
		why = append(why, "Temporal gate: "+quote(g.Reason))
	}
	if len(why) == 0 {
		why = append(why, conditionMessage(st.Conditions))
	}
	return why
}

// conditionMessage returns the message of the status condition that explains the block.
func conditionMessage(conditions []resources.Condition) string {
	for _, wanted := range []string{resources.ChainBroken, resources.Orphaned, resources.Blocked} {
		if c := resources.FindCondition(conditions, wanted); c != nil && c.Status == resources.True && c.Message != "" {
			return c.Message
		}
	}
	return "A dependency of the task is not complete."
}

// nameWithPhase describes a blocker, an entry of status.blockedBy, with its name and phase.
func (e *evaluation) nameWithPhase(blocker string) string {
	if plan, ok := planName(blocker); ok {
		if p, found := e.view.Plan(plan); found {
			return "plan " + quote(plan) + ", which is " + e.planPhase(p)
		}
		return "plan " + quote(plan) + ", which does not exist"
	}
	if name, ok := strings.CutPrefix(blocker, "decision/"); ok {
		return "decision " + quote(name) + ", which is " + e.decisionPhase(name)
	}
	if t, ok := e.view.Task(blocker); ok {
		return quote(blocker) + titled(t) + ", which is " + e.displayStatus(t).Phase
	}
	if e.view.Archived(resources.Key{Kind: resources.Tasks, Name: blocker}) {
		return quote(blocker) + ", which is in the archive"
	}
	return quote(blocker) + ", which does not exist"
}

// planName returns the plan of an entry in status.blockedBy.
func planName(blocker string) (string, bool) { return strings.CutPrefix(blocker, "workplan/") }

// decisionPhase returns the phase of a decision and of its replacement, or "missing".
func (e *evaluation) decisionPhase(name string) string {
	d, ok := e.view.Decision(name)
	if !ok {
		return "missing"
	}
	phase := status.DecisionPhase(d, e.view)
	if head := status.DecisionHead(d, e.view); head != d {
		phase += ": " + head.Metadata.Name + " replaced it and is " + status.DecisionPhase(head, e.view)
	}
	return phase
}

// planPhase returns the phase of a plan, computed from its spec and counts.
func (e *evaluation) planPhase(p *resources.WorkPlan) string {
	if p.Spec.State != resources.PlanActive || !status.TasksDone(e.view.PlanCounts(p.Metadata.Name)) {
		return resources.PlanState(p)
	}
	if len(status.OpenCriteria(p)) > 0 {
		return resources.PlanReview
	}
	return resources.PlanCompleted
}

// blockEvidence cites the source of the block.
func (e *evaluation) blockEvidence(t *resources.Task, st resources.TaskStatus) []string {
	at := "tasks/" + t.Metadata.Name
	var cites []string
	for _, blocker := range firstFew(st.BlockedBy) {
		if plan, ok := planName(blocker); ok {
			cites = append(cites, "workplans/"+plan)
			continue
		}
		if name, ok := strings.CutPrefix(blocker, "decision/"); ok {
			cites = append(cites, at+" spec.decisions has "+quote(name), "decisions/"+name+" phase = "+e.decisionPhase(name))
			continue
		}
		field, relation := status.BlockerField(t, blocker, e.view), " = "
		if g := t.Spec.TemporalGate; g != nil && g.After == blocker {
			field = "spec.temporalGate.after"
		} else if field == "spec.dependsOn" {
			relation = " has "
		}
		cites = append(cites, at+" "+field+relation+quote(blocker))
		if b, ok := e.view.Task(blocker); ok {
			cites = append(cites, "tasks/"+blocker+" phase = "+e.displayStatus(b).Phase)
		}
	}
	return cites
}

// chain returns a task with the tasks that it waits for and the tasks that wait for it.
func (e *evaluation) chain(t *resources.Task, note string) Chain {
	c := e.planChain(t.Spec.WorkPlan)
	name := t.Metadata.Name
	for i := range c.Links {
		switch l := &c.Links[i]; {
		case l.Task == name && note != "":
			l.Note = note
		case slices.Contains(e.status(t).BlockedBy, l.Task):
			l.Note = "blocking"
		}
	}
	return c
}

// planChain returns the tasks of a plan in dependency order. "" means the plan in focus.
func (e *evaluation) planChain(plan string) Chain {
	if e.trial {
		return Chain{}
	}
	if plan == "" {
		plan = PlanInFocus(e.view)
	}
	p, ok := e.view.Plan(plan)
	if !ok {
		return Chain{}
	}
	c := Chain{Plan: plan, Phase: e.planPhase(p)}
	names := e.view.PlanTasks(plan)
	ordered := e.inOrder(names)
	for _, t := range ordered[:min(len(ordered), maxLinks)] {
		s := e.displayStatus(t)
		l := Link{Task: t.Metadata.Name, Phase: s.Phase}
		if s.Ready || s.Phase == resources.TaskActive {
			l.Note = e.noteOf(t, s.Ready)
		}
		c.Links = append(c.Links, l)
	}
	c.More = len(names) - len(c.Links)
	return c
}

// noteOf returns a note on a ready or active task: whether the caller may start it or can hand
// it over, or who owns it.
func (e *evaluation) noteOf(t *resources.Task, ready bool) string {
	switch b := e.caller().bar(Start, t, e.view); {
	case b == nil && ready:
		if to, ok := Offer(e.call, t.Metadata.Name, e.view); ok {
			return "ready" + HandOverNote(to, ", ", "")
		}
		return ""
	case b == nil:
		return ""
	case b.Cause == HeldByOther:
		if b.Lease.Ended() != "" {
			return clean(b.Lease.Worker())
		}
		return "held by " + clean(b.Lease.Spec.Holder.Brief())
	case b.Cause == Assigned:
		return "assigned to " + clean(t.Spec.AssignedTo)
	case b.Cause == Delegated:
		return clean(b.Brief())
	}
	return ""
}

// maxOrdered is the maximum number of tasks sorted for a denial. `idumb tree` shows larger
// plans.
const maxOrdered = 200

// inOrder sorts tasks so that dependencies come first. Ended tasks are left out if there
// are too many.
func (e *evaluation) inOrder(names []string) []*resources.Task {
	if len(names) > maxOrdered {
		names = names[:maxOrdered]
	}
	var ordered []*resources.Task
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		t, ok := e.view.Task(name)
		if seen[name] || !ok || !slices.Contains(names, name) {
			return
		}
		seen[name] = true
		for _, before := range resources.ComesFirst(t) {
			visit(before)
		}
		ordered = append(ordered, t)
	}
	for _, name := range names {
		visit(name)
	}
	if len(ordered) > maxLinks {
		ordered = slices.DeleteFunc(ordered, func(t *resources.Task) bool { return !status.LiveTask(t) })
	}
	return ordered
}

// placeInChain adds a line on the progress of the call's plan and on how far the session
// drifted from its task.
func (e *evaluation) placeInChain(c *Chain) {
	if c.Plan == "" && e.job != nil && e.job.task != nil {
		if p, ok := e.view.Plan(e.job.task.Spec.WorkPlan); ok {
			c.Plan, c.Phase = p.Metadata.Name, e.planPhase(p)
		}
	}
	if c.Plan == "" {
		return
	}
	counts := e.view.PlanCounts(c.Plan)
	c.Done = counts[resources.TaskCompleted]
	for _, n := range counts {
		c.All += n
	}
	if s := e.caller().session; s != nil {
		c.Drift = status.FiguresOf(s, e.view).DriftText()
	}
}

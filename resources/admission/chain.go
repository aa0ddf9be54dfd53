package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxLinks is how many tasks of a plan a denial shows.
const maxLinks = 12

// causes says in sentences what blocks a task.
func (e *evaluation) causes(t *resources.Task, status resources.TaskStatus) []string {
	var why []string
	for _, blocker := range firstFew(status.BlockedBy) {
		why = append(why, "It depends on "+e.nameWithPhase(blocker)+".")
	}
	if g := t.Spec.TemporalGate; g != nil && g.Reason != "" && slices.Contains(status.BlockedBy, g.After) {
		why = append(why, "Temporal gate: "+quote(g.Reason))
	}
	if len(why) == 0 {
		why = append(why, conditionMessage(status.Conditions))
	}
	return why
}

// conditionMessage is what the status itself says about being blocked.
func conditionMessage(conditions []resources.Condition) string {
	for _, wanted := range []string{resources.ChainBroken, resources.Orphaned, resources.Blocked} {
		if c := resources.FindCondition(conditions, wanted); c != nil && c.Status == resources.True && c.Message != "" {
			return c.Message
		}
	}
	return "Something that has to come first is not there yet."
}

// nameWithPhase describes a blocker as status.blockedBy names it.
func (e *evaluation) nameWithPhase(blocker string) string {
	if plan, ok := planName(blocker); ok {
		if p, found := e.view.Plan(plan); found {
			return "plan " + quote(plan) + ", which is " + e.planPhase(p)
		}
		return "plan " + quote(plan) + ", which is not there"
	}
	if name, ok := strings.CutPrefix(blocker, "decision/"); ok {
		return "decision " + quote(name) + ", which is " + e.decisionPhase(name)
	}
	if t, ok := e.view.Task(blocker); ok {
		return quote(blocker) + titled(t) + ", which is " + e.shown(t).Phase
	}
	if e.view.Archived(resources.Key{Kind: resources.Tasks, Name: blocker}) {
		return quote(blocker) + ", which is in the archive"
	}
	return quote(blocker) + ", which does not exist"
}

// planName tells a plan in a status.blockedBy list.
func planName(blocker string) (string, bool) { return strings.CutPrefix(blocker, "workplan/") }

// decisionPhase is a decision's phase, and that of the one which took its place; "missing" for none.
func (e *evaluation) decisionPhase(name string) string {
	d, ok := e.view.Decision(name)
	if !ok {
		return "missing"
	}
	phase := status.DecisionPhase(d, e.view)
	if head := status.DecisionHead(d, e.view); head != d {
		phase += ": " + head.Metadata.Name + " took its place and is " + status.DecisionPhase(head, e.view)
	}
	return phase
}

// planPhase is a plan's phase as far as its spec and counts tell.
func (e *evaluation) planPhase(p *resources.WorkPlan) string {
	if p.Spec.State != resources.PlanActive || !status.TasksDone(e.view.PlanCounts(p.Metadata.Name)) {
		return resources.PlanState(p)
	}
	if len(status.OpenCriteria(p)) > 0 {
		return resources.PlanReview
	}
	return resources.PlanCompleted
}

// blockEvidence cites where the blocking is written down.
func (e *evaluation) blockEvidence(t *resources.Task, status resources.TaskStatus) []string {
	at := "tasks/" + t.Metadata.Name
	var cites []string
	for _, blocker := range firstFew(status.BlockedBy) {
		if plan, ok := planName(blocker); ok {
			cites = append(cites, "workplans/"+plan)
			continue
		}
		if name, ok := strings.CutPrefix(blocker, "decision/"); ok {
			cites = append(cites, at+" spec.decisions has "+quote(name), "decisions/"+name+" phase = "+e.decisionPhase(name))
			continue
		}
		if g := t.Spec.TemporalGate; g != nil && g.After == blocker {
			cites = append(cites, at+" spec.temporalGate.after = "+quote(blocker))
		} else {
			cites = append(cites, at+" spec.dependsOn has "+quote(blocker))
		}
		if b, ok := e.view.Task(blocker); ok {
			cites = append(cites, "tasks/"+blocker+" phase = "+e.shown(b).Phase)
		}
	}
	return cites
}

// chain shows a task among those that it waits for and that wait for it.
func (e *evaluation) chain(t *resources.Task, note string) Chain {
	c := e.planChain(t.Spec.WorkPlan)
	name := t.Metadata.Name
	for i := range c.Links {
		l := &c.Links[i]
		switch {
		case l.Task == name && note != "":
			l.Note = note
		case slices.Contains(e.status(t).BlockedBy, l.Task):
			l.Note = "blocking"
		}
	}
	return c
}

// planChain shows a plan's tasks in the order in which they can be done; plan ""
// stands for the one in focus.
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
		s := e.shown(t)
		l := Link{Task: t.Metadata.Name, Phase: s.Phase}
		if s.Ready || s.Phase == resources.TaskActive {
			l.Note = e.noteOf(t, s.Ready)
		}
		c.Links = append(c.Links, l)
	}
	c.More = len(names) - len(c.Links)
	return c
}

// noteOf says of a ready or active task whether it is the caller's to start, or whose it is.
func (e *evaluation) noteOf(t *resources.Task, ready bool) string {
	b := e.caller().bar(Start, t, e.view)
	switch {
	case b == nil && ready && !t.Spec.PlanAhead:
		return "ready"
	case b == nil:
		return ""
	case b.Cause == Held:
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

// maxOrdered bounds the tasks that are put in order for a denial: a plan of
// thousands is told in `idumb tree`.
const maxOrdered = 200

// inOrder sorts tasks so that each comes after what it waits for, those that
// are over left out when there are too many to show.
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

// placeInChain says in one line how far the plan is that the call is work for, and how far
// the session strayed from its task.
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
		figures := status.FiguresOf(s, e.view)
		if level := status.Level(figures.Drift()); level != status.LevelLow {
			c.Drift = level + ": " + strings.Join(figures.DriftReasons(), "; ")
		}
	}
}

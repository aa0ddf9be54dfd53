package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// writeGate denies writes without an active task. See isRequired for an exception.
func writeGate(e *evaluation) *Reason {
	w := e.work()
	switch {
	case w.task != nil, e.onlyRequired():
		return nil
	case e.planless():
		e.advise()
		return nil
	case len(w.several) > 0:
		return &Reason{
			What:       triedText(e.call) + " but several tasks are active and you have not chosen one.",
			Why:        []string{"These active tasks may be yours: " + list(w.several) + "."},
			UseInstead: e.chooseStep(w.several),
			Evidence:   e.states(w.several),
		}
	case len(w.heldTasks) > 0:
		return e.heldOnly(w)
	case len(w.otherRoles) > 0:
		return e.othersOnly(w)
	}
	r := &Reason{
		What:       triedText(e.call) + " but you have no active task.",
		Why:        []string{"Writing files requires an active task."},
		UseInstead: e.nextStep(),
		Evidence:   []string{"no task has spec.state = active"},
		Chain:      e.planChain(""),
	}
	if own := e.caller().task(); own != "" {
		r.Evidence = []string{"delegations/" + e.caller().delegations[0].name + " spec.task = " + quote(own)}
	}
	switch {
	case len(w.parked) > 0:
		r.Why = append(r.Why, e.parked(w.parked[0]))
		r.Evidence = []string{"trajectory spec.activePlan = " + quote(e.view.Trajectory().Spec.ActivePlan)}
	case w.lastTask != "":
		r.Why = append(r.Why, e.whatBecameOf(w.lastTask))
	}
	if len(w.handedBack) > 0 {
		r.Why = append(r.Why, "No agent works on "+list(w.handedBack)+" now, because its delegations have lapsed. It can be started again.")
		r.Evidence = []string{"tasks/" + w.handedBack[0] + " status.phase = " + resources.TaskPlanned + ": its delegations have lapsed"}
	}
	if len(e.view.ActivePlans()) == 0 {
		r.Why = append(r.Why, "No plan is active, and config.json requires one.")
		r.Evidence = append(r.Evidence, "config spec.requirePlan = true")
	}
	return r
}

// advise sets the line of advice for an agent that writes in a repository without plans.
func (e *evaluation) advise() {
	if e.call.UnseenPlans != nil {
		if u := e.call.UnseenPlans(); u.Why != "" {
			e.advice = "iDumb: no plan is visible here, so this write counts for no task: " + u.Why + "."
			return
		}
	}
	why := "no plan is active"
	if plan := e.reviewedPlan(); plan != "" {
		why = "plan " + quote(plan) + " is in review"
	}
	e.advice = "iDumb: " + why + ", so this write counts for no task; `idumb add TITLE` plans one."
}

// reviewedPlan returns the first active plan without open tasks, or "".
func (e *evaluation) reviewedPlan() string {
	for _, name := range e.view.Names(resources.WorkPlans) {
		if plan, ok := e.view.Plan(name); ok && resources.PlanState(plan) == resources.PlanActive && status.TasksDone(e.view.PlanCounts(name)) {
			return name
		}
	}
	return ""
}

// othersOnly returns the denial for a caller if all active tasks are assigned to other roles.
func (e *evaluation) othersOnly(w *work) *Reason {
	r := &Reason{
		What:       triedText(e.call) + " but the active tasks are not yours.",
		UseInstead: e.nextStep(),
		Evidence:   e.states(w.otherRoles),
	}
	for _, name := range firstFew(w.otherRoles) {
		if t, ok := e.view.Task(name); ok {
			r.Why = append(r.Why, quote(name)+" is assigned to "+quote(t.Spec.AssignedTo)+"; you act as "+e.caller().name()+".")
			r.Chain = e.chain(t, "assigned to "+clean(t.Spec.AssignedTo))
		}
	}
	e.addEnded(r, w)
	return r
}

// addEnded adds to a denial about tasks of other sessions why the session's task has ended.
func (e *evaluation) addEnded(r *Reason, w *work) {
	if last := w.lastTask; last != "" && !slices.Contains(w.heldTasks, last) && !slices.Contains(w.otherRoles, last) && !slices.Contains(w.parked, last) {
		r.Why = slices.Insert(r.Why, 0, e.whatBecameOf(last))
	}
}

// whatBecameOf returns the reason why the session's task is no longer active.
func (e *evaluation) whatBecameOf(name string) string {
	t, ok := e.view.Task(name)
	if !ok {
		return "Your task " + quote(name) + " no longer exists."
	}
	if l := e.view.EndedElsewhere(t); l != nil {
		return "Your task " + quote(name) + " " + endedBy(l, e.view.Now()) + "."
	}
	why := ""
	if reason := clean(t.Spec.Reason); reason != "" {
		why = ", with the reason " + quote(reason)
	}
	return "Your task " + quote(name) + " is " + e.status(t).Phase + why + "."
}

// parked returns the reason why an active task does not count.
func (e *evaluation) parked(name string) string {
	return "Task " + quote(name) + " was set aside because plan " + quote(e.view.Trajectory().Spec.ActivePlan) + " is in focus now."
}

// states cites the state and the assignee of tasks as evidence of a denial.
func (e *evaluation) states(names []string) []string {
	var out []string
	for _, name := range firstFew(names) {
		if t, ok := e.view.Task(name); ok {
			cite := "tasks/" + name + " spec.state = " + resources.TaskState(t)
			if t.Spec.AssignedTo != "" {
				cite += ", spec.assignedTo = " + quote(t.Spec.AssignedTo)
			}
			out = append(out, cite)
		}
	}
	return out
}

// name returns the name of the caller for denials.
func (c *caller) name() string {
	if c.agent != "" && c.agent != c.roleName {
		return quote(c.agent) + " in the role " + quote(c.roleName)
	}
	return quote(c.roleName)
}

// planning reports whether the call only edits planning objects as files, or plan files of hosts.
func (e *evaluation) planning() bool {
	governs := func(p Path) bool { return !openToAll(p) && !IsPlanFile(p) }
	return e.call.Action == Write && len(e.call.Paths) > 0 && !slices.ContainsFunc(e.call.Paths, governs)
}

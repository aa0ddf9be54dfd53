package resources

import (
	"maps"
	"strconv"
	"time"
)

// NextInPlan is how many ready tasks a plan's status names.
const NextInPlan = 10

// DerivePlan computes what holds about a plan. Its time is always zero: nothing in
// it changes by itself. PurgedAt and transition times are not filled in.
func DerivePlan(p *WorkPlan, v WideView) (WorkPlanStatus, time.Time) {
	name := p.Metadata.Name
	counts := v.PlanCounts(name)
	unmet := unmetPlans(p, v)
	status := WorkPlanStatus{Progress: planProgress(counts)}
	status.Phase = planPhase(p, counts, unmet)
	if status.Phase == PlanBlocked || status.Phase == PlanDraft {
		status.BlockedBy = planNames(unmet)
	}
	if status.Phase == PlanActive || status.Phase == PlanDraft {
		for _, next := range NextInPlanOf(name, v, NextInPlan) {
			status.Next = append(status.Next, next.Name)
		}
	}
	status.Conditions = planConditions(p, v, status.Phase, unmet)
	return status, time.Time{}
}

// planPhase is the table of plan phases.
func planPhase(p *WorkPlan, counts map[string]int, unmet blockers) string {
	state := PlanState(p)
	switch {
	case state != PlanActive:
		return state
	case PlanDone(counts):
		return PlanCompleted
	case len(unmet) > 0:
		return PlanBlocked
	}
	return PlanActive
}

// planProgress leaves out tasks that have no status yet and, in the total,
// abandoned ones.
func planProgress(counts map[string]int) PlanProgress {
	var progress PlanProgress
	for phase, n := range counts {
		if phase != TaskAbandoned {
			progress.Total += n
		}
	}
	if len(counts) > 0 {
		progress.ByPhase = maps.Clone(counts)
		delete(progress.ByPhase, "")
	}
	return progress
}

// planNames are the plain names: a plan's own status.blockedBy names plans only.
func planNames(unmet blockers) []string {
	var names []string
	for i := range unmet {
		names = append(names, unmet[i].name[len("workplan/"):])
	}
	return names
}

func planConditions(p *WorkPlan, v View, phase string, unmet blockers) []Condition {
	var all []Condition
	live := phase == PlanDraft || phase == PlanActive || phase == PlanBlocked
	if phase == PlanBlocked {
		all = append(all, Condition{Type: Blocked, Status: True, Reason: dependencyUnmet, Message: unmet.message(nil)})
	}
	if c, broken := planChainBroken(p, v); live && broken {
		all = append(all, c)
	}
	if c, orphaned := orphanedPlan(p, v); orphaned {
		all = append(all, c)
	}
	return append(all, planReady(p, phase))
}

// planReady is the condition Ready, which every plan has.
func planReady(p *WorkPlan, phase string) Condition {
	c := Condition{Type: Ready, Status: False}
	switch phase {
	case PlanActive:
		c.Status, c.Reason, c.Message = True, "Active", "its tasks may be worked on"
	case PlanDraft:
		c.Reason, c.Message = "Draft", "it is a draft; set spec.state to active when work may begin"
	case PlanBlocked:
		c.Reason, c.Message = dependencyUnmet, "a plan that it depends on is not completed"
	case PlanCompleted:
		c.Reason, c.Message = "Completed", "everything in it is done"
		if p.Spec.State == PlanActive {
			c.Message = "every task that was not abandoned is completed"
		}
	case PlanArchived:
		c.Reason, c.Message = "Archived", "it was set aside"
	default:
		c.Reason, c.Message = "Abandoned", "it was given up"
	}
	return c
}

func planChainBroken(p *WorkPlan, v View) (Condition, bool) {
	if len(p.Spec.DependsOn) == 0 {
		return Condition{}, false
	}
	if circle := v.Circle(Key{WorkPlans, p.Metadata.Name}); circle != nil {
		return brokenByCircle(circle), true
	}
	var lost []string
	for _, name := range p.Spec.DependsOn {
		first, ok := v.Plan(name)
		key := Key{WorkPlans, name}
		if ok && (first.Spec.State == PlanAbandoned || first.Spec.State == PlanArchived) || !ok && !v.Exists(key) && v.Archived(key) {
			lost = append(lost, name)
		}
	}
	if len(lost) == 0 {
		return Condition{}, false
	}
	return Condition{Type: ChainBroken, Status: True, Reason: "DependencyArchived",
		Message: "depends on " + quoted(lost) + ", which " + isAre(lost) + " archived or abandoned; edit dependsOn, bring it back, or abandon " + strconv.Quote(p.Metadata.Name) + " as well"}, true
}

func orphanedPlan(p *WorkPlan, v View) (Condition, bool) {
	o := orphan{view: v}
	for i, name := range p.Spec.DependsOn {
		o.check("spec.dependsOn["+strconv.Itoa(i)+"]", WorkPlans, name)
	}
	return o.condition()
}

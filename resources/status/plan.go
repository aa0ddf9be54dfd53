package status

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// NextInPlan is the number of ready tasks in a plan's status.
const NextInPlan = 10

// DerivePlan computes the status of a plan, and the time at which it may become stale (zero
// if never). It does not set PurgedAt and transition times.
func DerivePlan(p *resources.WorkPlan, v WideView) (resources.WorkPlanStatus, time.Time) {
	name := p.Metadata.Name
	counts := v.PlanCounts(name)
	unmet := unmetPlans(p, v)
	status := resources.WorkPlanStatus{Progress: planProgress(counts)}
	status.Phase = planPhase(p, counts, unmet)
	if status.Phase == resources.PlanBlocked || status.Phase == resources.PlanDraft {
		// status.blockedBy contains only plans, so their names have no kind.
		var names []string
		for i := range unmet {
			names = append(names, unmet[i].name[len("workplan/"):])
		}
		status.BlockedBy = names
	}
	if status.Phase == resources.PlanActive || status.Phase == resources.PlanDraft {
		for _, next := range NextInPlanOf(name, v, NextInPlan) {
			status.Next = append(status.Next, next.Task.Metadata.Name)
		}
	}
	status.Conditions = planConditions(p, v, status.Phase, unmet)
	stale, isStale, next := stalePlan(p, status.Phase, v)
	if isStale {
		status.Conditions = append(status.Conditions, stale)
	}
	return status, next
}

// planPhase returns the phase of a plan. It is the state in its spec, but an
// active plan is completed or in review if all tasks are done, and blocked if
// unmet is not empty.
func planPhase(p *resources.WorkPlan, counts map[string]int, unmet blockers) string {
	switch state := resources.PlanState(p); {
	case state != resources.PlanActive:
		return state
	case TasksDone(counts):
		if len(OpenCriteria(p)) > 0 {
			return resources.PlanReview
		}
		return resources.PlanCompleted
	case len(unmet) > 0:
		return resources.PlanBlocked
	}
	return resources.PlanActive
}

// PlanDone reports whether all tasks of an active plan are done and all its criteria are
// verified.
func PlanDone(p *resources.WorkPlan, counts map[string]int) bool {
	return TasksDone(counts) && len(OpenCriteria(p)) == 0
}

// allDone is a criterion that old importers added to plans without criteria. It is
// redundant.
const allDone = "Every task of the plan is completed"

// OpenCriteria returns the numbers of a plan's unverified criteria. They count from 1 in
// spec.acceptance.
func OpenCriteria(p *resources.WorkPlan) (open []int) {
	for i, criterion := range p.Spec.Acceptance {
		if criterion != allDone && !slices.ContainsFunc(p.Spec.Met, func(m resources.Criterion) bool { return m.Criterion == criterion }) {
			open = append(open, i+1)
		}
	}
	return open
}

// ListedCriteria returns criteria with their numbers in one line: `1 "it holds", 3 "so does
// this"`.
func ListedCriteria(p *resources.WorkPlan, numbers []int) string {
	var all []string
	for _, n := range numbers {
		all = append(all, strconv.Itoa(n)+" "+strconv.Quote(p.Spec.Acceptance[n-1]))
	}
	return Listed(all, ", ")
}

// MeetStep returns the command that marks the first open criterion as met.
func MeetStep(p *resources.WorkPlan, open []int) string {
	return "idumb complete workplan/" + p.Metadata.Name + " --met " + strconv.Itoa(open[0]) + ` --evidence "..."`
}

// planProgress counts a plan's tasks. Total omits abandoned tasks, and ByPhase those without a
// status.
func planProgress(counts map[string]int) resources.PlanProgress {
	var progress resources.PlanProgress
	for phase, n := range counts {
		if phase != resources.TaskAbandoned {
			progress.Total += n
		}
	}
	if len(counts) > 0 {
		progress.ByPhase = maps.Clone(counts)
		delete(progress.ByPhase, "")
	}
	return progress
}

// planConditions returns all conditions of a plan except Stale. unmet are its incomplete
// dependencies.
func planConditions(p *resources.WorkPlan, v View, phase string, unmet blockers) []resources.Condition {
	var all []resources.Condition
	live := phase == resources.PlanReview || phase == resources.PlanDraft || phase == resources.PlanActive || phase == resources.PlanBlocked
	if phase == resources.PlanBlocked {
		all = append(all, resources.Condition{Type: resources.Blocked, Status: resources.True, Reason: dependencyUnmet, Message: unmet.message(nil)})
	}
	if c, broken := planChainBroken(p, v); live && broken {
		all = append(all, c)
	}
	if c, orphaned := orphanedPlan(p, v); orphaned {
		all = append(all, c)
	}
	return append(all, planReady(p, phase))
}

// planReady returns the condition Ready, which every plan has.
func planReady(p *resources.WorkPlan, phase string) resources.Condition {
	c := resources.Condition{Type: resources.Ready, Status: resources.False}
	switch phase {
	case resources.PlanActive:
		c.Status, c.Reason, c.Message = resources.True, "Active", "its tasks may be worked on"
	case resources.PlanDraft:
		c.Reason, c.Message = "Draft", "it is a draft; set spec.state to active when work may begin"
	case resources.PlanBlocked:
		c.Reason, c.Message = dependencyUnmet, "a plan that it depends on is not completed"
	case resources.PlanReview:
		open := OpenCriteria(p)
		c.Reason = "CriteriaOpen"
		c.Message = "its tasks are completed, still to be shown: " + ListedCriteria(p, open) + "; " + MeetStep(p, open) + " for each; if you know that it is done, idumb complete workplan/" + p.Metadata.Name
	case resources.PlanCompleted:
		c.Reason, c.Message = "Completed", "everything in it is done"
		if p.Spec.State == resources.PlanActive {
			c.Message = "every task that was not abandoned is completed"
		}
	case resources.PlanArchived:
		c.Reason, c.Message = "Archived", "it was set aside"
	default:
		c.Reason, c.Message = "Abandoned", "it was abandoned"
	}
	return c
}

// planChainBroken returns the condition ChainBroken if a plan is in a cycle or depends on a plan
// that was archived or abandoned.
func planChainBroken(p *resources.WorkPlan, v View) (resources.Condition, bool) {
	if circle := v.Circle(resources.Key{Kind: resources.WorkPlans, Name: p.Metadata.Name}); circle != nil {
		return brokenByCycle(circle, v), true
	}
	var lost []string
	for _, name := range p.Spec.DependsOn {
		first, ok := v.Plan(name)
		key := resources.Key{Kind: resources.WorkPlans, Name: name}
		if ok && (first.Spec.State == resources.PlanAbandoned || first.Spec.State == resources.PlanArchived) || !ok && !v.Exists(key) && v.Archived(key) {
			lost = append(lost, name)
		}
	}
	if len(lost) == 0 {
		return resources.Condition{}, false
	}
	return resources.Condition{Type: resources.ChainBroken, Status: resources.True, Reason: "DependencyArchived",
		Message: "depends on " + Quoted(lost) + ", which " + isAre(lost) + " archived or abandoned; edit dependsOn, abandon " + strconv.Quote(p.Metadata.Name) + " as well, or have the user bring it back"}, true
}

// orphanedPlan returns the condition Orphaned if a plan depends on missing plans.
func orphanedPlan(p *resources.WorkPlan, v View) (resources.Condition, bool) {
	o := Orphan{View: v, Object: p.Key()}
	for i, name := range p.Spec.DependsOn {
		o.Check("spec.dependsOn["+strconv.Itoa(i)+"]", resources.WorkPlans, name)
	}
	return o.Condition()
}

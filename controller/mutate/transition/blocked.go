package transition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// checkPlan refuses work for a finished plan. A draft does not block its tasks.
func checkPlan(verb Verb, t *resources.Task, v status.View) error {
	plan, found := v.Plan(t.Spec.WorkPlan)
	if !found {
		return nil // checkBlocked reports a missing plan
	}
	switch state := plan.Spec.State; state {
	case resources.PlanAbandoned, resources.PlanArchived, resources.PlanCompleted:
		return refuse(verb, object(t), PlanOver, fmt.Sprintf("its plan %q is %s", t.Spec.WorkPlan, state),
			fmt.Sprintf(`take the plan up again (idumb patch workplan %s -p '{"spec":{"state":"active"}}') or move the task to another one`, t.Spec.WorkPlan))
	}
	return nil
}

// checkBlocked refuses if a prerequisite is not completed.
func checkBlocked(m Move, t *resources.Task, v status.View) error {
	probe := *t
	probe.Spec.State = resources.TaskPlanned
	status, _ := status.DeriveTask(&probe, v)
	if status.Phase != resources.TaskBlocked {
		return nil
	}
	var names []string
	for _, name := range status.BlockedBy {
		names = append(names, blocker(name, v))
	}
	why := "it is blocked by " + strings.Join(names, ", ")
	if gate := t.Spec.TemporalGate; gate != nil && gate.Reason != "" {
		why += fmt.Sprintf(" (gate: %s)", gate.Reason)
	}
	return refuse(m.Verb, object(t), Blocked, why, blockedRemedy(m, t, status, v))
}

// blockedRemedy returns the next step for a blocked task.
func blockedRemedy(m Move, t *resources.Task, st resources.TaskStatus, v status.View) string {
	if len(st.BlockedBy) > 0 && status.BlockerKey(st.BlockedBy[0]).Kind == resources.Decisions {
		return strings.ReplaceAll(status.DecisionRemedy(t.Metadata.Name, st.BlockedBy, v), "`", "")
	}
	for _, kind := range []string{resources.ChainBroken, resources.Orphaned} {
		if c := resources.FindCondition(st.Conditions, kind); c != nil && c.Message != "" {
			return c.Message + "; or list ready tasks: idumb next"
		}
	}
	mayStart := func(first *resources.Task) bool {
		return admission.Restartable(first, v) && (m.MayStart == nil || m.MayStart(first))
	}
	name := admission.StartableBlocker(st, v, mayStart)
	if first, ok := v.Task(name); ok && state(first) != resources.TaskActive {
		return fmt.Sprintf("start %[1]s first: idumb start %[1]s", name)
	}
	for _, first := range slices.Concat(st.BlockedBy, []string{name}) {
		if first, ok := v.Task(first); ok && (state(first) == resources.TaskActive || state(first) == resources.TaskReview) && mayStart(first) {
			return fmt.Sprintf("complete %[1]s first: idumb complete %[1]s --evidence \"...\"", first.Metadata.Name)
		}
	}
	return "wait, or take another task: idumb next"
}

// blocker formats a prerequisite with its state: "db-schema" (active).
func blocker(name string, v status.View) string {
	switch key := status.BlockerKey(name); key.Kind {
	case resources.WorkPlans:
		return fmt.Sprintf("%s (%s)", name, planState(key.Name, v))
	case resources.Decisions:
		return fmt.Sprintf("%s (%s)", name, decisionPhase(key.Name, v))
	}
	task, found := v.Task(name)
	if !found {
		return fmt.Sprintf("%q (%s)", name, status.Absence(status.BlockerKey(name), v))
	}
	status, _ := status.DeriveTask(task, v)
	return fmt.Sprintf("%q (%s)", name, status.Phase)
}

// decisionPhase returns the phase of a decision as text, with its replacement
// if it is superseded, or why it is missing.
func decisionPhase(name string, v status.View) string {
	d, found := v.Decision(name)
	if !found {
		return status.Absence(resources.Key{Kind: resources.Decisions, Name: name}, v)
	}
	if phase := status.DecisionPhase(d, v); phase != resources.DecisionSuperseded {
		return phase
	}
	head := status.DecisionHead(d, v)
	return "superseded by " + head.Metadata.Name + ", which is " + status.DecisionPhase(head, v)
}

// planState returns the state of a plan as text: review if only criteria are
// open, or why the plan is missing.
func planState(name string, v status.View) string {
	plan, found := v.Plan(name)
	if !found {
		return status.Absence(resources.Key{Kind: resources.WorkPlans, Name: name}, v)
	}
	if plan.Spec.State == resources.PlanActive && status.TasksDone(v.PlanCounts(name)) && len(status.OpenCriteria(plan)) > 0 {
		return resources.PlanReview
	}
	return resources.PlanState(plan)
}

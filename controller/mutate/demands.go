package mutate

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// noteEnded records the plan of a live task that a change completes, abandons
// or removes, and a plan whose last criterion a change closes.
func (t *Tx) noteEnded(before, after resources.Object) {
	if plan, ok := before.(*resources.WorkPlan); ok {
		if next, kept := after.(*resources.WorkPlan); kept && len(status.OpenCriteria(plan)) > 0 && len(status.OpenCriteria(next)) == 0 {
			t.endedPlans = append(t.endedPlans, plan.Metadata.Name)
		}
		return
	}
	was, _ := before.(*resources.Task)
	task, kept := after.(*resources.Task)
	if was == nil || !status.LiveTask(was) || kept && task.Spec.State != resources.TaskCompleted && task.Spec.State != resources.TaskAbandoned {
		return
	}
	t.endedPlans = append(t.endedPlans, was.Spec.WorkPlan)
}

// awaitRules keeps plans open that an agent's change would complete against a
// chain rule. It adds the rule's requirements to the criteria of the plan, so
// that the task ends and the plan is in review. Each end of a plan is checked
// once.
func (t *Tx) awaitRules() error {
	if t.repo.Author.Kind != admission.Agent {
		return nil
	}
	slices.Sort(t.endedPlans)
	plans := slices.Compact(t.endedPlans)
	t.endedPlans = nil
	for _, name := range plans {
		plan, ok := t.View().Plan(name)
		if !ok || resources.PlanState(plan) != resources.PlanActive || len(status.OpenCriteria(plan)) > 0 || !t.allEnded(name) {
			continue
		}
		criteria, past := admission.Demands(name, t.repo.Author.Bypass, t.View())
		t.bypasses = append(t.bypasses, past...)
		if err := t.demand(plan, criteria); err != nil {
			return err
		}
	}
	return nil
}

// allEnded reports whether each task of a plan is completed or abandoned, and one is completed.
func (t *Tx) allEnded(plan string) bool {
	for phase, n := range t.View().PlanCounts(plan) {
		if n > 0 && phase != resources.TaskCompleted && phase != resources.TaskAbandoned && phase != resources.TaskReview {
			return false
		}
	}
	completed := false
	for _, name := range t.View().PlanTasks(plan) {
		task, ok := t.View().Task(name)
		if !ok {
			return false
		}
		switch resources.TaskState(task) {
		case resources.TaskCompleted:
			completed = true
		case resources.TaskAbandoned:
		default:
			return false
		}
	}
	return completed
}

// demand adds criteria to a plan with the rights of the system, because the
// rule requires them.
func (t *Tx) demand(plan *resources.WorkPlan, criteria []string) error {
	next := resources.Clone(plan).(*resources.WorkPlan)
	for _, criterion := range criteria {
		if !slices.Contains(next.Spec.Acceptance, criterion) {
			next.Spec.Acceptance = append(next.Spec.Acceptance, criterion)
		}
	}
	if len(next.Spec.Acceptance) == len(plan.Spec.Acceptance) {
		return nil
	}
	who := t.repo.Author
	t.repo.Author.Kind = admission.Controller
	defer func() { t.repo.Author = who }()
	_, err := t.Put(next)
	if err == nil {
		t.waitingPlans = append(t.waitingPlans, next)
	}
	return err
}

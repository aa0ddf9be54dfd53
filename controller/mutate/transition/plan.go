package transition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// AnnotationReason is the annotation with the reason why a plan was abandoned,
// because the spec has no field for it.
const AnnotationReason = resources.Group + "/reason"

// Plan returns a copy of the plan after the transition, equal to p if nothing
// changes, or an *apierrors.Refusal. Plans support start (state active), complete
// and abandon.
func Plan(p *resources.WorkPlan, m Move, v status.View) (*resources.WorkPlan, error) {
	next := *p
	object := fmt.Sprintf("workplan %q", p.Metadata.Name)
	refused := func(cause apierrors.Cause, why, step string) (*resources.WorkPlan, error) {
		return nil, refuse(m.Verb, object, cause, why, step)
	}
	over := p.Spec.State == resources.PlanCompleted || p.Spec.State == resources.PlanArchived || p.Spec.State == resources.PlanAbandoned
	again := fmt.Sprintf(`take it up again: idumb patch workplan %s -p '{"spec":{"state":"active"}}'`, p.Metadata.Name)
	switch {
	case m.Verb == Start && over:
		return refused(admission.TaskEnded, "it is "+p.Spec.State, again)
	case m.Verb == Start:
		next.Spec.State = resources.PlanActive
	case m.Verb == Complete && over && p.Spec.State != resources.PlanCompleted:
		return refused(admission.TaskEnded, "it is "+p.Spec.State, again)
	case m.Verb == Complete && len(m.Criteria) > 0:
		return withCriteria(p, m, v)
	case m.Verb == Complete:
		if open := openTasks(v.PlanCounts(p.Metadata.Name)); open != "" {
			return refused(TasksOpen, "not all of its tasks are completed: "+open, "complete or abandon them; idumb tree "+p.Metadata.Name+" shows them")
		}
		next.Spec.State = resources.PlanCompleted
	case m.Verb == Abandon:
		if err := m.reasonMissing(object); err != nil {
			return nil, err
		}
		next.Spec.State = resources.PlanAbandoned
		next.Metadata.Annotations = withEntry(p.Metadata.Annotations, AnnotationReason, m.Reason)
	default:
		return refused(NotForPlans, "plans do not have this transition", "idumb start, complete, abandon and archive take a plan")
	}
	return &next, nil
}

// withCriteria returns the plan with additional criteria marked as met. It completes the
// plan if nothing else is open.
func withCriteria(p *resources.WorkPlan, m Move, v status.View) (*resources.WorkPlan, error) {
	next := *p
	object := fmt.Sprintf("workplan %q", p.Metadata.Name)
	if strings.TrimSpace(m.Evidence) == "" {
		return nil, refuse(m.Verb, object, NoEvidence, "nothing shows that the criterion holds", `say what does: --evidence "..."`)
	}
	next.Spec.Met = slices.Clone(p.Spec.Met)
	for _, n := range m.Criteria {
		if n < 1 || n > len(p.Spec.Acceptance) {
			return nil, refuse(m.Verb, object, NoCriterion, fmt.Sprintf("it has no criterion %d, but %d of them", n, len(p.Spec.Acceptance)), "idumb describe workplan "+p.Metadata.Name+" numbers them")
		}
		shown := resources.Criterion{Criterion: p.Spec.Acceptance[n-1], Evidence: m.Evidence, By: m.MetBy, At: m.MetAt}
		if slices.ContainsFunc(next.Spec.Met, func(c resources.Criterion) bool {
			return c.Criterion == shown.Criterion && c.Evidence == shown.Evidence
		}) {
			continue
		}
		next.Spec.Met = append(slices.DeleteFunc(next.Spec.Met, func(c resources.Criterion) bool { return c.Criterion == shown.Criterion }), shown)
	}
	if next.Spec.State == resources.PlanActive && status.PlanDone(&next, v.PlanCounts(p.Metadata.Name)) {
		next.Spec.State = resources.PlanCompleted
	}
	return &next, nil
}

// openTasks returns the number of open tasks in each phase as text: "2 planned,
// 1 active". It returns "" if there are none.
func openTasks(counts map[string]int) string {
	var open []string
	for phase, n := range counts {
		if n > 0 && phase != resources.TaskCompleted && phase != resources.TaskAbandoned {
			open = append(open, fmt.Sprintf("%d %s", n, phase))
		}
	}
	slices.Sort(open)
	return strings.Join(open, ", ")
}

// withEntry returns a copy of a map with one more entry.
func withEntry(m map[string]string, name, value string) map[string]string {
	next := map[string]string{name: value}
	for k, v := range m {
		if k != name {
			next[k] = v
		}
	}
	return next
}

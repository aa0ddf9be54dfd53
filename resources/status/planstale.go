package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// stalePlan returns the condition Stale of an inactive plan: within the staleness limit,
// the plan and its tasks were not changed or confirmed, and no checkpoint was recorded. It
// also returns the time at which the plan may become stale. The time is zero if the plan is
// stale or cannot become stale.
func stalePlan(p *resources.WorkPlan, phase string, v WideView) (resources.Condition, bool, time.Time) {
	if phase != resources.PlanActive {
		return resources.Condition{}, false, time.Time{}
	}
	since, limit := planTouched(p, v)
	before := v.Now().Add(-limit)
	if !since.After(before) {
		since = lastTouched(p.Metadata.Name, since, before, v)
	}
	switch {
	case since.After(before):
		return resources.Condition{}, false, since.Add(limit)
	case since.IsZero(): // unknown
		return resources.Condition{}, false, time.Time{}
	}
	return resources.Condition{Type: resources.Stale, Status: resources.True, Reason: "NothingRecorded",
		Message: "no session worked on it since " + since.UTC().Format(time.RFC3339) + "; confirm that it is valid: idumb confirm workplan/" + p.Metadata.Name + ", or give it up: idumb abandon workplan/" + p.Metadata.Name + ` --reason "..."`}, true, time.Time{}
}

// PlanAsksTasks reports whether a plan is stale unless there is recent activity in its
// tasks.
func PlanAsksTasks(p *resources.WorkPlan, v View) bool {
	since, limit := planTouched(p, v)
	return resources.PlanState(p) == resources.PlanActive && resources.Age(since, v.Now()) >= limit
}

// planTouched returns when a plan was last changed or confirmed, and its staleness limit.
func planTouched(p *resources.WorkPlan, v View) (since time.Time, limit time.Duration) {
	limit = resources.Duration(p.Spec.StaleAfter, resources.Duration(v.Settings().PlanStaleAfter, 0))
	return resources.Later(resources.ValidatedAt(p), p.Origin.ModTime), limit
}

// lastTouched returns the time of the last activity in a plan's tasks, or since if that is
// later. It stops at the first time after enough. It checks active tasks first.
func lastTouched(plan string, since, enough time.Time, v WideView) time.Time {
	for _, names := range [...][]string{v.TasksInState(resources.TaskActive), v.PlanTasks(plan)} {
		for _, name := range names {
			t, ok := v.Task(name)
			if !ok || t.Spec.WorkPlan != plan {
				continue
			}
			since = resources.Later(since, resources.Later(resources.ValidatedAt(t), t.Origin.ModTime))
			if seen := v.Evidence(name); seen != nil {
				since = resources.Later(since, seen.Newest)
			}
			if since.After(enough) {
				return since
			}
		}
	}
	return since
}

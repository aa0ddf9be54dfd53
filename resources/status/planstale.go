package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// stalePlan says that an active plan was left alone: since spec.staleAfter, or config.planStaleAfter,
// nobody validated or changed it, or one of its tasks, and nothing was recorded for one. The time is
// when that may be so, zero if the plan is stale or never turns so.
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
	case since.IsZero(): // nobody knows
		return resources.Condition{}, false, time.Time{}
	}
	return resources.Condition{Type: resources.Stale, Status: resources.True, Reason: "NothingRecorded",
		Message: "nobody worked on it since " + since.UTC().Format(time.RFC3339) + "; say that it holds: idumb confirm workplan/" + p.Metadata.Name + ", or give it up: idumb abandon workplan/" + p.Metadata.Name + ` --reason "..."`}, true, time.Time{}
}

// PlanAsksTasks reports whether a plan's own file is so old that only what was done for its tasks
// keeps it from being stale.
func PlanAsksTasks(p *resources.WorkPlan, v View) bool {
	since, limit := planTouched(p, v)
	return resources.PlanState(p) == resources.PlanActive && resources.Age(since, v.Now()) >= limit
}

// planTouched is when somebody last changed or validated a plan itself, and after how long it is
// stale.
func planTouched(p *resources.WorkPlan, v View) (since time.Time, limit time.Duration) {
	limit = resources.Duration(p.Spec.StaleAfter, resources.Duration(v.Settings().PlanStaleAfter, 0))
	return resources.Later(resources.ValidatedAt(p), p.Origin.ModTime), limit
}

// lastTouched is when somebody last worked on a plan's tasks, or since if that was later. The first
// moment that is after enough will do: tasks that are active are looked at first.
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

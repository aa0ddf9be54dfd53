package plans

import (
	"context"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// PlanState is what the team says of a plan.
type PlanState struct {
	State string   // as its spec says; "" where it says nothing
	Over  bool     // it is completed, archived or abandoned
	Waits []string // for these plans
}

// PlansOf asks the team for its plans, by name. One that cannot be read is not among them.
func PlansOf(ctx context.Context, e engine.Engine) (map[string]PlanState, error) {
	items, err := e.List(ctx, objects+resources.WorkPlans+"/"+ungrouped+"/")
	found := map[string]PlanState{}
	for _, item := range items {
		_, key, wrong := placeOf(item.Key)
		_, text, failed := unpack(item.Value)
		if plan, ok := decoded(key, text).(*resources.WorkPlan); ok && wrong == nil && failed == nil {
			found[key.Name] = PlanState{plan.Spec.State, over(plan), plan.Spec.DependsOn}
		}
	}
	return found, err
}

// CountOf counts the objects that the team has of a plan, with what was set aside left out.
func CountOf(ctx context.Context, e engine.Engine, plan string) (n int, err error) {
	for _, prefix := range prefixesOf(plan) {
		if !strings.HasPrefix(prefix, objects) {
			continue
		}
		items, err := e.List(ctx, prefix)
		if err != nil {
			return n, err
		}
		n += len(items)
	}
	return n, nil
}

// over reports whether nobody works on a plan any more.
func over(plan *resources.WorkPlan) bool {
	switch plan.Spec.State {
	case resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned:
		return true
	}
	return false
}

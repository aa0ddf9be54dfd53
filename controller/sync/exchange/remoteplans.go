package exchange

import (
	"context"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// PlanState is the remote state of a plan.
type PlanState struct {
	State    string   // state in its spec; empty if unset
	Finished bool     // completed, archived or abandoned
	Waits    []string // plans on which it depends
}

// PlansOf returns the remote plans by name. It omits unreadable ones.
func PlansOf(ctx context.Context, e engine.Engine) (map[string]PlanState, error) {
	items, err := e.List(ctx, objects+resources.WorkPlans+"/"+ungrouped+"/")
	found := map[string]PlanState{}
	for _, item := range items {
		_, key, wrong := placeOf(item.Key)
		_, text, failed := unpack(item.Value)
		if plan, ok := decoded(key, text).(*resources.WorkPlan); ok && wrong == nil && failed == nil {
			found[key.Name] = PlanState{plan.Spec.State, isFinished(plan), plan.Spec.DependsOn}
		}
	}
	return found, err
}

// CountOf returns the number of remote objects of a plan, without archived
// ones.
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

// isFinished reports whether a plan is completed, archived or abandoned.
func isFinished(plan *resources.WorkPlan) bool {
	switch plan.Spec.State {
	case resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned:
		return true
	}
	return false
}

package exchange

import (
	"context"
	"slices"
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

// Subscription selects the plans whose tasks and delegations a clone syncs. See
// the package documentation for other synced objects.
type Subscription struct {
	All    bool     // all plans
	Active bool     // unfinished plans: not completed, archived or abandoned
	Plans  []string // additional plans
	Not    []string // excluded plans
}

// Partly reports whether a clone may follow less than everything. A nil
// subscription follows everything.
func (s *Subscription) Partly() bool { return s != nil && (!s.All || len(s.Not) > 0) }

// wants reports whether the subscription selects a plan.
func (s *Subscription) wants(plan string, over bool) bool {
	wants, _ := s.Judge(plan, over)
	return wants
}

// Judge reports whether the subscription selects a plan, with a reason for
// users. over is true for a finished plan.
func (s *Subscription) Judge(plan string, over bool) (follows bool, why string) {
	switch {
	case slices.Contains(s.Not, plan):
		return false, "unsubscribed"
	case slices.Contains(s.Plans, plan):
		return true, "subscribed"
	case s.All:
		return true, "all are"
	case s.Active && over:
		return false, "it has ended"
	case s.Active:
		return true, "it is active"
	}
	return false, "not subscribed"
}

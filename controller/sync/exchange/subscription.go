package exchange

import "slices"

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
// users.
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

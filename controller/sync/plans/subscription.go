package plans

import "slices"

// Subscription says which plans a clone follows: whose tasks and delegations it exchanges. See the package's
// comment for what else is exchanged.
type Subscription struct {
	All    bool     // all plans
	Active bool     // those that are neither completed, nor archived, nor abandoned
	Plans  []string // and these
	Not    []string // but none of these
}

// Partly reports whether a clone may follow less than all there is; of nil it follows all.
func (s *Subscription) Partly() bool { return s != nil && (!s.All || len(s.Not) > 0) }

// wants reports whether a plan is followed for its own sake.
func (s *Subscription) wants(plan string, over bool) bool {
	wants, _ := s.Judge(plan, over)
	return wants
}

// Judge reports whether a plan is followed for its own sake, and why, in words for people.
func (s *Subscription) Judge(plan string, over bool) (follows bool, why string) {
	switch {
	case slices.Contains(s.Not, plan):
		return false, "unsubscribed"
	case slices.Contains(s.Plans, plan):
		return true, "subscribed"
	case s.All:
		return true, "all are"
	case s.Active && over:
		return false, "it is over"
	case s.Active:
		return true, "it is active"
	}
	return false, "not subscribed"
}

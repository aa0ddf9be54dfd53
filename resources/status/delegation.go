package status

import (
	"cmp"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// MaxDelegationDepth is the maximum number of consecutive hand-overs.
const MaxDelegationDepth = 3

// DeriveDelegation computes the status of a delegation and the time of its next change. The
// phase is spec.state with these exceptions: accepted after a session worked under it,
// lapsed if all those sessions ended more than config.delegationGrace ago, and done if its
// task ended. The chain lists the earlier hand-overs that led to the delegation
// (DelegationChain).
func DeriveDelegation(d *resources.Delegation, v WideView) (resources.DelegationStatus, time.Time) {
	chain, circle := DelegationChain(d, v)
	status := resources.DelegationStatus{Depth: len(chain) - 1, Chain: chain}
	status.Phase = cmp.Or(d.Spec.State, "assigned")
	took := v.Delegates(d.Metadata.Name)
	var names []string
	for _, s := range took {
		if !HasEnded(s) {
			names = append(names, s.Metadata.Name)
		}
	}
	status.Sessions = names
	if status.Phase == "assigned" && len(took) > 0 { // an ended session also accepted it
		status.Phase = "accepted"
	}
	left, next := endedSession{}, time.Time{}
	if t, ok := v.Task(d.Spec.Task); ok && LiveDelegation(d) && !LiveTask(t) {
		status.Phase = "done"
	} else {
		left = goneFrom(d, v)
		next = left.next
	}
	if left.lapsed {
		status.Phase = DelegationLapsed
	}
	o := Orphan{View: v, Object: d.Key()}
	o.Check("spec.task", resources.Tasks, d.Spec.Task)
	status.Conditions = chainTrouble(chain, circle)
	if left.session != "" {
		status.Conditions = append(status.Conditions, left.condition(d))
	}
	status.Conditions = append(status.Conditions, o.conditions()...)
	return status, next
}

// LiveDelegation reports whether spec.state of a delegation is neither recalled nor done.
func LiveDelegation(d *resources.Delegation) bool {
	return d.Spec.State == "" || d.Spec.State == "assigned" || d.Spec.State == "accepted"
}

// HandOvers is the data needed to compute the chain of a delegation. Its results are shared
// and must not be modified.
type HandOvers interface {
	// Task returns the last valid version of a task.
	Task(name string) (*resources.Task, bool)
	// Delegations returns the delegations of a task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// DelegationChain returns the participants of consecutive hand-overs, first to last. It
// follows live delegations of the same task and of its parents whose delegate is the
// giver of the next one. circle reports whether a participant got back a task that it
// handed over. The depth of a delegation is len(chain) - 1.
func DelegationChain(d *resources.Delegation, v HandOvers) (chain []string, circle bool) {
	chain = []string{d.Spec.From, d.Spec.To}
	circle = d.Spec.From == d.Spec.To
	seen := map[string]bool{d.Metadata.Name: true}
	for before := precedes(d, seen, v); before != nil; before = precedes(before, seen, v) {
		seen[before.Metadata.Name] = true
		circle = circle || slices.Contains(chain, before.Spec.From)
		chain = append([]string{before.Spec.From}, chain...)
	}
	return chain, circle
}

// FollowsFrom returns the live delegation before d in the chain, or nil if d is the first
// one.
func FollowsFrom(d *resources.Delegation, v HandOvers) *resources.Delegation {
	return precedes(d, map[string]bool{d.Metadata.Name: true}, v)
}

// precedes returns the live delegation before d in the chain: of the same task,
// or of the nearest parent. It ignores the delegations in seen, and returns nil
// if d is the first one.
func precedes(d *resources.Delegation, seen map[string]bool, v HandOvers) *resources.Delegation {
	walked := map[string]bool{}
	for task := d.Spec.Task; task != "" && !walked[task]; {
		walked[task] = true
		for _, other := range v.Delegations(task) {
			if LiveDelegation(other) && other.Spec.To == d.Spec.From && !seen[other.Metadata.Name] {
				return other
			}
		}
		t, ok := v.Task(task)
		if !ok {
			return nil
		}
		task = t.Spec.Parent
	}
	return nil
}

// chainTrouble returns the condition ChainBroken if a chain of hand-overs returns to an earlier
// participant or is deeper than MaxDelegationDepth, or nil.
func chainTrouble(chain []string, circle bool) []resources.Condition {
	c := resources.Condition{Type: resources.ChainBroken, Status: resources.True}
	switch {
	case circle:
		c.Reason, c.Message = "Circle", "the task comes back to someone who handed it over: "+Listed(chain, " -> ")+"; recall one of these delegations"
	case len(chain)-1 > MaxDelegationDepth:
		c.Reason, c.Message = "TooDeep", "handed over more than three times: "+Listed(chain, " -> ")+"; recall one of these delegations"
	default:
		return nil
	}
	return []resources.Condition{c}
}

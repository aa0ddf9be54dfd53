package status

import (
	"cmp"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// MaxDelegationDepth is how many hand-overs may follow from each other.
const MaxDelegationDepth = 3

// DeriveDelegation computes what holds about a delegation: its phase is its state,
// accepted once a session has worked under it, lapsed once those that did are over for a
// while, or done once its task is over; its chain is who handed over to whom before
// it, following live delegations of the same task and of the tasks that it is a
// part of, whose taker is this one's giver.
func DeriveDelegation(d *resources.Delegation, v WideView) (resources.DelegationStatus, time.Time) {
	chain, circle := DelegationChain(d, v)
	status := resources.DelegationStatus{Depth: len(chain) - 1, Chain: chain}
	status.Phase = cmp.Or(d.Spec.State, "assigned")
	took := v.Delegates(d.Metadata.Name)
	status.Sessions = working(took)
	if status.Phase == "assigned" && len(took) > 0 { // one that ended has accepted it all the same
		status.Phase = "accepted"
	}
	left, next := gone{}, time.Time{}
	if t, ok := v.Task(d.Spec.Task); ok && LiveDelegation(d) && !LiveTask(t) {
		status.Phase = "done"
	} else {
		left = goneFrom(d, v)
		next = left.next
	}
	if left.lapsed {
		status.Phase = DelegationLapsed
	}
	o := Orphan{View: v}
	o.Check("spec.task", resources.Tasks, d.Spec.Task)
	status.Conditions = chainTrouble(chain, circle)
	if left.session != "" {
		status.Conditions = append(status.Conditions, left.condition(d))
	}
	status.Conditions = append(status.Conditions, o.conditions()...)
	return status, next
}

// working returns the names of the sessions that have not ended.
func working(sessions []*resources.Session) []string {
	var names []string
	for _, s := range sessions {
		if !HasEnded(s) {
			names = append(names, s.Metadata.Name)
		}
	}
	return names
}

// LiveDelegation reports whether a delegation still holds, as far as its own file
// says: nobody recalled it, and nobody said that it is done.
func LiveDelegation(d *resources.Delegation) bool {
	return d.Spec.State == "" || d.Spec.State == "assigned" || d.Spec.State == "accepted"
}

// HandOvers is what finding the chain of a delegation looks at. Objects that it
// returns are shared and read-only.
type HandOvers interface {
	// Task returns the last good version of a task.
	Task(name string) (*resources.Task, bool)
	// Delegations returns the delegations that hand over that task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// DelegationChain returns who handed over to whom, first to last, and whether
// someone in it was handed back what they had handed over. The depth of a
// delegation is one less than its chain is long.
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

// FollowsFrom returns the live delegation that d follows from, whose taker is d's giver;
// nil if there is none.
func FollowsFrom(d *resources.Delegation, v HandOvers) *resources.Delegation {
	return precedes(d, map[string]bool{d.Metadata.Name: true}, v)
}

// precedes finds the delegation that d follows from: of its task, or of the nearest
// task that this is a part of.
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

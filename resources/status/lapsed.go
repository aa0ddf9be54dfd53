package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DelegationLapsed is the phase of a delegation whose sessions were all over for longer
// than config.delegationGrace: nobody works under it any more, though nobody said so.
const DelegationLapsed = "lapsed"

// Watch is what telling whether anybody still works under a delegation looks at.
type Watch interface {
	// Delegates returns the sessions that work under that delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// Settings returns the configuration, defaults filled in.
	Settings() *resources.ConfigSpec
	// Now is the one clock of a computation.
	Now() time.Time
}

// Lapsed reports whether a delegation that is neither recalled nor done has lapsed: its
// task may be handed to somebody else. One under which nobody ever worked has not, as far
// as this machine can tell: sessions are local.
func Lapsed(d *resources.Delegation, v Watch) bool {
	return goneFrom(d, v).lapsed
}

// HandedOver is a Watch that knows to whom tasks were handed.
type HandedOver interface {
	Watch
	// Delegations returns the delegations that hand over that task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// Returned reports whether a task came back from whoever it was handed to: a delegation
// of it has lapsed, and no other one holds. What it says of a task counts while that one
// is active: it is then as good as planned.
func Returned(task string, v HandedOver) bool {
	lapsed := false
	for _, d := range v.Delegations(task) {
		switch {
		case !LiveDelegation(d):
		case !Lapsed(d, v):
			return false
		default:
			lapsed = true
		}
	}
	return lapsed
}

// gone says whether the sessions under a delegation are all over.
type gone struct {
	session string    // the last of them; "" if somebody is at work, or nobody ever was
	lapsed  bool      // for longer than the grace
	next    time.Time // when that changes by itself; zero if it does not
}

func goneFrom(d *resources.Delegation, v Watch) gone {
	if !LiveDelegation(d) {
		return gone{}
	}
	var g gone
	var last time.Time
	for _, s := range v.Delegates(d.Metadata.Name) {
		at := overAt(s, v.Settings())
		if at.IsZero() {
			return gone{}
		}
		if !at.Before(last) {
			g.session, last = s.Metadata.Name, at
		}
	}
	if g.session == "" {
		return gone{}
	}
	if last.After(v.Now()) {
		return gone{next: last}
	}
	lapses := last.Add(resources.Duration(v.Settings().DelegationGrace, 0))
	g.lapsed = !v.Now().Before(lapses)
	if !g.lapsed {
		g.next = lapses
	}
	return g
}

// overAt is when a session was over, or will be if nothing is heard of it; zero if
// nobody knows when it was seen.
func overAt(s *resources.Session, c *resources.ConfigSpec) time.Time {
	seen := lastSeen(s)
	switch {
	case HasEnded(s):
		return s.Spec.EndedAt.Time
	case seen.IsZero():
		return seen
	}
	return seen.Add(resources.Duration(c.SessionStaleAfter, 0))
}

// condition says that whoever worked under a delegation is gone.
func (g gone) condition(d *resources.Delegation) resources.Condition {
	c := resources.Condition{Type: resources.DelegateGone, Status: resources.True, Reason: "SessionEnded",
		Message: "session " + g.session + ", which worked under delegation " + d.Metadata.Name + ", is over, and the delegation is not; say how it stands: idumb delegation revoke " + d.Metadata.Name + ", or idumb complete delegation/" + d.Metadata.Name}
	if g.lapsed {
		c.Reason = "Lapsed"
		c.Message = "session " + g.session + ", which worked under delegation " + d.Metadata.Name + ", has been over for long; task " + d.Spec.Task + " is planned again, and free for others: idumb create delegation --task " + d.Spec.Task + " --from " + d.Spec.From + " --to " + d.Spec.To + ", or idumb start " + d.Spec.Task
	}
	return c
}

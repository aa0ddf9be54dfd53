package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DelegationLapsed is the phase of a delegation with sessions that all ended more than
// config.delegationGrace ago.
const DelegationLapsed = "lapsed"

// Watch is the data needed to decide if a delegation has lapsed.
type Watch interface {
	// Delegates returns the sessions under a delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// Settings returns the configuration with defaults applied.
	Settings() *resources.ConfigSpec
	// Now returns the time of the computation.
	Now() time.Time
}

// Lapsed reports whether a live delegation has lapsed, so that its task can be delegated
// again. A delegation without any session on this machine has not lapsed, because sessions
// are local to a machine.
func Lapsed(d *resources.Delegation, v Watch) bool {
	return goneFrom(d, v).lapsed
}

// HandedOver is a Watch that also provides the delegations of a task.
type HandedOver interface {
	Watch
	// Delegations returns the delegations of a task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// Returned reports whether a delegated task was returned: a delegation of it has lapsed,
// and no other live delegation exists. An active task that was returned has the phase
// planned.
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

// gone describes the ended sessions of a delegation.
type gone struct {
	session string    // last session; empty if a session is live, or if there was never a session
	lapsed  bool      // the last session ended before the grace period
	next    time.Time // time of the next change; zero means never
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

// overAt returns the time at which a session ended, or will count as ended without further
// activity. It returns the zero time if the last activity is unknown.
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

// condition returns the condition DelegateGone.
func (g gone) condition(d *resources.Delegation) resources.Condition {
	c := resources.Condition{Type: resources.DelegateGone, Status: resources.True, Reason: "SessionEnded",
		Message: "session " + g.session + ", which worked under delegation " + d.Metadata.Name + ", is over, and the delegation is not; say how it stands: idumb delegation revoke " + d.Metadata.Name + ", or idumb complete delegation/" + d.Metadata.Name}
	if g.lapsed {
		c.Reason = "Lapsed"
		c.Message = "session " + g.session + ", which worked under delegation " + d.Metadata.Name + ", has been over for long; task " + d.Spec.Task + " is planned again, and free for others: idumb create delegation --task " + d.Spec.Task + " --from " + d.Spec.From + " --to " + d.Spec.To + ", or idumb start " + d.Spec.Task
	}
	return c
}

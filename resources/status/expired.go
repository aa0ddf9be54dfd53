package status

import (
	"cmp"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DelegationLapsed is the phase of a delegation with sessions that all ended more than
// config.delegationGrace ago. It is also the phase of a delegation without sessions if the
// lease duration has passed since the giver's last activity.
const DelegationLapsed = "lapsed"

// Watch is the data needed to decide if a delegation has lapsed.
type Watch interface {
	// Delegates returns the sessions under a delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// Session returns the record of a session of this machine.
	Session(name string) (*resources.Session, bool)
	// Settings returns the configuration with defaults applied.
	Settings() *resources.ConfigSpec
	// Now returns the time of the computation.
	Now() time.Time
}

// IsExpired reports whether a live delegation has lapsed, so that its task can be delegated
// again. A delegation without any session on this machine lapses with its giver.
func IsExpired(d *resources.Delegation, v Watch) bool {
	return goneFrom(d, v).lapsed
}

// HandedOver is a Watch that also provides the delegations of a task.
type HandedOver interface {
	Watch
	// Delegations returns the delegations of a task, sorted by name.
	Delegations(task string) []*resources.Delegation
}

// WasReturned reports whether a delegated task was returned: a delegation of it that had
// sessions has lapsed, and no other live delegation exists. An active task that was
// returned has the phase planned.
func WasReturned(task string, v HandedOver) bool {
	lapsed := false
	for _, d := range v.Delegations(task) {
		switch {
		case !LiveDelegation(d):
		case !IsExpired(d, v):
			return false
		default:
			lapsed = lapsed || !goneFrom(d, v).untaken
		}
	}
	return lapsed
}

// endedSession describes the ended sessions of a delegation.
type endedSession struct {
	session string    // last session; empty if a session is live, or if there was never a session
	untaken bool      // there was never a session, and session is the giver
	lapsed  bool      // the grace period after the end of the last session has passed
	next    time.Time // time of the next change; zero means never
}

// goneFrom describes the ended sessions of a live delegation. The result has no session if
// the delegation is not live, its giver still works and can end it, or the last activity of
// one of its sessions is unknown.
func goneFrom(d *resources.Delegation, v Watch) endedSession {
	if !LiveDelegation(d) {
		return endedSession{}
	}
	var g endedSession
	var last time.Time
	for _, s := range v.Delegates(d.Metadata.Name) {
		at := overAt(s, v.Settings())
		if at.IsZero() {
			return endedSession{}
		}
		if !at.Before(last) {
			g.session, last = s.Metadata.Name, at
		}
	}
	if g.session == "" {
		return untaken(d, v)
	}
	if last.After(v.Now()) {
		return endedSession{next: last}
	}
	lapses := last.Add(resources.Duration(v.Settings().DelegationGrace, 0))
	g.lapsed = !v.Now().Before(lapses)
	if !g.lapsed {
		g.next = lapses
		if _, ended, at := giverOverAt(d, v); !ended && at.After(v.Now()) { // the giver decides
			g.session = ""
			if at.Before(lapses) {
				g.next = at
			}
		}
	}
	return g
}

// untaken describes the giver of a delegation without a session on this
// machine. The delegation has lapsed if the lease of the giver has expired.
// Before that, only the time of the next change is set.
func untaken(d *resources.Delegation, v Watch) endedSession {
	giver, _, at := giverOverAt(d, v)
	switch {
	case at.IsZero():
		return endedSession{}
	case at.After(v.Now()):
		return endedSession{next: at}
	}
	return endedSession{session: giver, untaken: true, lapsed: true}
}

// GiverOver reports whether the session that gave a delegation, and its ancestors, ended or
// were inactive for the lease duration. Others may change the delegation then. It returns
// false if no agent of this machine gave the delegation.
func GiverOver(d *resources.Delegation, v Watch) bool {
	_, ended, at := giverOverAt(d, v)
	return ended || !at.IsZero() && !at.After(v.Now())
}

// maxAncestors limits the walk to the ancestors of a session: the files may contain a cycle.
const maxAncestors = 16

// giverOverAt returns the session that gave a delegation, whether it and its
// ancestors ended, and when their leases expire without further activity. The
// time is zero if the last activity is unknown. giver is "" if no session of
// this machine gave the delegation.
func giverOverAt(d *resources.Delegation, v Watch) (giver string, ended bool, at time.Time) {
	name := d.Metadata.Annotations[resources.AnnotationMadeBy]
	for range maxAncestors {
		s, ok := v.Session(name)
		if !ok {
			break
		}
		ended = HasEnded(s) && (ended || giver == "")
		giver = cmp.Or(giver, name)
		if seen := lastSeen(s); !seen.IsZero() && seen.Add(resources.DefaultLeaseDuration).After(at) {
			at = seen.Add(resources.DefaultLeaseDuration)
		}
		name = s.Spec.Parent
	}
	return giver, ended, at
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

// condition returns the condition DelegateGone of a delegation.
func (g endedSession) condition(d *resources.Delegation) resources.Condition {
	c := resources.Condition{Type: resources.DelegateGone, Status: resources.True, Reason: "SessionEnded",
		Message: "session " + g.session + ", which worked under delegation " + d.Metadata.Name + ", has ended, and the delegation has not; end it: idumb delegation revoke " + d.Metadata.Name + ", or idumb complete delegation/" + d.Metadata.Name}
	if g.untaken {
		c.Reason = "GiverGone"
		c.Message = "session " + g.session + ", which gave delegation " + d.Metadata.Name + ", is no longer active, and no session works under the delegation; task " + d.Spec.Task + " is available to other sessions: idumb delegation revoke " + d.Metadata.Name + ", or idumb start " + d.Spec.Task
	} else if g.lapsed {
		c.Reason = "Lapsed"
		c.Message = "session " + g.session + ", which worked under delegation " + d.Metadata.Name + ", ended long ago; task " + d.Spec.Task + " is planned again and can be delegated again: idumb create delegation --task " + d.Spec.Task + " --from " + d.Spec.From + " --to " + d.Spec.To + ", or idumb start " + d.Spec.Task
	}
	return c
}

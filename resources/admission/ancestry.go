package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxAncestors bounds the sessions that are looked through from a subagent
// upwards: records are files, and may name each other in a circle.
const maxAncestors = 16

// grant is one delegation that a caller works under.
type grant struct {
	name   string
	d      *resources.Delegation // nil: not there, or never readable
	broken bool                  // there, and not readable
}

// ancestry is what the sessions above a caller say.
type ancestry struct {
	hops  int     // how many sessions started one another down to this one
	under []grant // the delegations of the caller and of whoever started it, nearest first
	own   bool    // the first of them is the caller's own
}

// ancestryOf follows a session to those that started it. What is handed over to
// one of them binds whatever it starts: a delegate gains nothing by starting a
// subagent. A session that a person started, without a delegation, costs nothing.
func ancestryOf(call Call, session *resources.Session, view View) ancestry {
	var a ancestry
	parent := call.Parent
	seen := []string{call.Session}
	for s := session; ; {
		if s != nil {
			a.take(s.Spec.Delegation, s == session, view)
			if s.Spec.Parent != "" {
				parent = s.Spec.Parent
			}
		}
		if parent == "" || a.hops == maxAncestors {
			return a
		}
		a.hops++
		if slices.Contains(seen, parent) {
			return a
		}
		seen = append(seen, parent)
		s, _ = view.Session(parent)
		parent = ""
	}
}

// take adds a delegation, once.
func (a *ancestry) take(name string, own bool, view View) {
	if name == "" || slices.ContainsFunc(a.under, func(t grant) bool { return t.name == name }) {
		return
	}
	t := grant{name: name}
	d, ok := view.Delegation(name)
	if ok {
		t.d = d
	} else {
		t.broken = view.Exists(resources.Key{Kind: resources.Delegations, Name: name})
	}
	a.own = a.own || own
	a.under = append(a.under, t)
}

// depth is how many hand-overs lead to the caller: over the sessions that started
// one another, and over the delegations that its own follows from.
func (a *ancestry) depth(view View) int {
	depth := a.hops
	for _, t := range a.under {
		if t.d != nil {
			chain, _ := status.DelegationChain(t.d, view)
			depth = max(depth, len(chain)-1)
		}
	}
	return depth
}

// task is the name of the task that the caller was handed, "" if none was, or
// nobody knows.
func (a *ancestry) task() string {
	if len(a.under) == 0 || a.under[0].d == nil {
		return ""
	}
	return a.under[0].d.Spec.Task
}

package sync

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
)

// looksAnyway is how long a round may rely on what is told. After that one looks at all again, as a
// process does when it begins and `idumb sync now` always does: a net for what nobody tells of, as that
// git tracks a file from now on, or that one was edited which the controller cannot read.
const looksAnyway = 10 * time.Minute

// besider is an engine that knows, without reading it, whether the team's state is what it was.
type besider interface {
	// Listed is the state that the last List of this engine showed; false: none.
	Listed() (state string, ok bool)
	// Beside lists what stands beside the state, if that is still the one; false if it is not.
	Beside(ctx context.Context, state string) (items []engine.Item, same bool, err error)
}

// rest is how a round left everything in which this clone and its team say the same.
type rest struct {
	state string    // the team's
	noted string    // see plans.Noted
	until time.Time // zero: there is something to do
}

// Changed says whether objects may have changed here since the last round of this Team. As long as nobody
// says that they did not, each round looks at all of them.
func (t *Team) Changed(changed bool) {
	if t.still = !changed; changed {
		t.rest = rest{}
	}
}

// resting reports whether nothing is to be done here: nothing changed, no command asked for anything, and
// no other process of this clone exchanged since.
func (t *Team) resting(now time.Time) bool {
	if !t.still || !now.Before(t.rest.until) || t.rest.noted != plans.Noted(t.root.SyncFolder()) {
		return false
	}
	kept := t.root.SyncScratch()
	for _, kind := range Synced() {
		for _, folder := range []string{writtenFolder, tombstonesFolder} {
			if names, err := kept.List(folder + "/" + kind); err != nil || len(names) > 0 {
				return false
			}
		}
	}
	return true
}

// settle notes what a round came to, where nothing is left to do: nothing waits, and all could be written.
func (t *Team) settle(r plans.Report, now time.Time) {
	e, can := t.engine.(besider)
	if !can || len(r.ToSend) > 0 || r.Failed {
		return
	}
	if state, ok := e.Listed(); ok {
		t.rest = rest{state, plans.Noted(t.root.SyncFolder()), now.Add(looksAnyway)}
	}
}

// restingRound exchanges the claims alone, and reads no object, where neither side's changed; false: that
// is not so, or claims are to be changed, and nothing was done. Where the team's state moved, it is asked
// twice in that round.
func (t *Team) restingRound(ctx context.Context, w withPlans) (r Report, did bool, err error) {
	e, can := t.engine.(besider)
	if !can || !t.resting(w.now) {
		return r, false, nil
	}
	items, same, err := e.Beside(ctx, t.rest.state)
	if err != nil || !same {
		return r, false, err
	}
	ops, err := w.Ops(items)
	if err != nil || len(ops) > 0 {
		return r, false, err
	}
	return w.r, true, t.mirror(w.found.claims, &w.r)
}

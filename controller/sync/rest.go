package sync

import (
	"context"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
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
	// wrote are the objects that the round wrote here, with their revisions; "" for what it set aside. Who
	// watches the files tells of these changes, too.
	wrote map[resources.Key]string
}

// Changed says which objects may have changed here since it was called last, with the revisions that they
// have now, "" for none. As long as nobody calls it, each round looks at all of them.
func (t *Team) Changed(changed map[resources.Key]string) {
	t.still = true
	for key, rev := range changed {
		if wrote, ours := t.rest.wrote[key]; !ours || wrote != rev {
			t.rest = rest{}
			return
		}
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
func (t *Team) settle(x *plans.Exchange, r plans.Report, now time.Time) {
	e, can := t.engine.(besider)
	if !can || len(r.ToSend) > 0 || r.Failed {
		return
	}
	if state, ok := e.Listed(); ok {
		wrote := map[resources.Key]string{}
		for _, key := range slices.Concat(r.Taken, r.PutBack, r.SetAside) {
			wrote[key] = x.Agreed(key)
		}
		t.rest = rest{state, plans.Noted(t.root.SyncFolder()), now.Add(looksAnyway), wrote}
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

package sync

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// looksAnyway is how long rounds may rely on what is told. After that one looks at all again, as a process
// does when it begins and `idumb sync now` always does: a net for what nobody tells of, as that a file was
// edited which the controller cannot read.
const looksAnyway = 10 * time.Minute

// kept is the exchange of a working tree from one round to the next, for who tells what changes here.
type kept struct {
	x     *plans.Exchange // nil: none
	until time.Time       // when all is to be looked at again
}

// Changed says which objects may have changed here since it was called last, with the revisions that they
// have now, "" for none. As long as nobody calls it, each round looks at all of them.
func (t *Team) Changed(changed map[resources.Key]string) {
	t.still = true
	if t.kept.x != nil {
		t.kept.x.Changed(changed)
	}
}

// open is the exchange that the last round left, or another one that knows nothing. Whoever is done with it
// calls leave.
func (t *Team) open(now time.Time) (*plans.Exchange, error) {
	if x := t.kept.x; x != nil && now.Before(t.kept.until) && x.Resume() {
		return x, nil
	}
	t.leave(false)
	x, err := t.exchange()
	if err != nil {
		return nil, err
	}
	x.Since = t.since
	t.kept = kept{x, now.Add(looksAnyway)}
	return x, nil
}

// leave keeps the exchange for the next round, or else closes it.
func (t *Team) leave(keep bool) {
	x := t.kept.x
	if x == nil || keep && t.still && x.Rest() == nil {
		return
	}
	_ = x.Close()
	t.kept = kept{}
}

// since is what the team changed since a moment: as its watch tells, or the engine itself when it is asked.
func (t *Team) since(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error) {
	if e, can := t.engine.(engine.Differ); can {
		return e.Since(ctx, at)
	}
	return t.follower.since(ctx, at, made)
}

package sync

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// looksAnyway is how long rounds rely on change notifications. After it a round
// compares everything, like the first round of a process and `idumb sync now`.
// This catches changes without a notification, such as an edit that the
// controller cannot read.
const looksAnyway = 10 * time.Minute

// kept is the exchange of a working tree, kept between rounds if changes are
// reported.
type kept struct {
	x     *plans.Exchange // nil if none
	until time.Time       // time of the next full comparison
}

// Changed reports objects that may have changed locally since the last call,
// with their current revisions, "" if deleted. If it is never called, each
// round compares all objects.
func (t *Team) Changed(changed map[resources.Key]string) {
	t.still = true
	if t.kept.x != nil {
		t.kept.x.Changed(changed)
	}
}

// open returns the exchange of the last round, or a new one. The caller must
// call leave.
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

// leave keeps the exchange for the next round if keep is true, and closes it
// otherwise.
func (t *Team) leave(keep bool) {
	x := t.kept.x
	if x == nil || keep && t.still && x.Rest() == nil {
		return
	}
	_ = x.Close()
	t.kept = kept{}
}

// since returns the remote changes since a revision, from the engine or from
// its watch.
func (t *Team) since(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error) {
	if e, can := t.engine.(engine.Differ); can {
		return e.Since(ctx, at)
	}
	return t.follower.since(ctx, at, made)
}

package sync

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// fullCompareInterval is how long rounds rely on change notifications. After it a round
// compares everything, like the first round of a process and `idumb sync now`.
// This catches changes without a notification, such as an edit that the
// controller cannot read.
const fullCompareInterval = 10 * time.Minute

// exchangeState is the exchange of a working tree, kept between rounds if changes are
// reported.
type exchangeState struct {
	x     *exchange.Exchange // nil if none
	until time.Time          // time of the next full comparison
}

// Changed reports objects that may have changed locally since the last call,
// with their current revisions, "" if deleted. If it is never called, each
// round compares all objects.
func (t *Team) Changed(changed map[resources.Key]string) {
	t.unchanged = true
	if t.state.x != nil {
		t.state.x.Changed(changed)
	}
}

// openExchange returns the exchange of the last round, or a new one. The caller must
// call leave.
func (t *Team) openExchange(now time.Time) (*exchange.Exchange, error) {
	if x := t.state.x; x != nil && now.Before(t.state.until) && x.Resume() {
		return x, nil
	}
	t.keepOrClose(false)
	x, err := t.exchange()
	if err != nil {
		return nil, err
	}
	x.Since = t.since
	t.state = exchangeState{x, now.Add(fullCompareInterval)}
	return x, nil
}

// keepOrClose keeps the exchange for the next round if keep is true and local
// changes are reported, and closes it otherwise.
func (t *Team) keepOrClose(keep bool) {
	x := t.state.x
	if x == nil || keep && t.unchanged && x.CloseUntilResume() == nil {
		return
	}
	_ = x.Close()
	t.state = exchangeState{}
}

// since returns the remote changes since a revision, from the engine or from
// its watch.
func (t *Team) since(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error) {
	if e, can := t.engine.(engine.Differ); can {
		return e.Since(ctx, at)
	}
	return t.follower.since(ctx, at, made)
}

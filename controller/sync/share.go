package sync

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// stateFolder is the cache of fetched remote objects, in the sync directory of
// a clone.
const stateFolder = "state"

// Share makes rounds synchronize the objects of a store too, if the user shares
// them.
func (t *Team) Share(s store.Store) { t.store = s }

// SetSlow makes rounds write incoming objects slowly, for background sync while
// a user works. A command waits for all objects instead.
func (t *Team) SetSlow() { t.slow = true }

// SetDelayPushes makes local changes wait for the next urgent change, because remotes
// limit the rate of pushes.
func (t *Team) SetDelayPushes(later bool) { t.delayPushes = later }

// SharesPlans reports whether the objects of this clone are shared.
func (t *Team) SharesPlans() bool { return t.plans }

// Remember records local changes that are not pushed yet.
func (t *Team) Remember(ctx context.Context, keys ...resources.Key) error {
	if !t.plans || t.store == nil {
		return nil
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	x, err := t.openExchange(time.Now())
	if err != nil {
		return err
	}
	err = x.Remember(ctx, keys...)
	t.keepOrClose(err == nil)
	return err
}

// LastVersion returns the last version of an object that was equal on both sides or is
// waiting to be pushed. It returns nil if there is none.
func (t *Team) LastVersion(ctx context.Context, key resources.Key) ([]byte, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return exchange.LastVersion(t.root.SyncFolder(), key)
}

// exchange opens the exchange of this working tree.
func (t *Team) exchange() (*exchange.Exchange, error) {
	who := t.leases.User()
	x, err := exchange.Open(t.root.SyncFolder(), t.store, who.Person+"@"+who.Machine)
	if err != nil {
		return nil, err
	}
	stones := NewTombstones(t.root.SyncScratch())
	x.Notify, x.MaxObjects = stones.Done, cmp.Or(t.maxObjects, x.MaxObjects)
	x.Removed = func() (keys []resources.Key, err error) {
		all, err := stones.All()
		for _, stone := range all {
			keys = append(keys, stone.Key())
		}
		return keys, err
	}
	x.Follows, x.OwnKeys, x.OnRegroup = t.follows.Load(), t.ownTasks, t.follower.regroup
	x.WrittenVersions = (&WrittenVersions{store: t.root.SyncScratch()}).take
	return x, nil
}

// planRound is a round of claims and objects.
type planRound struct {
	team   *Team
	report Report
	board  claimSet
	diff   claimDiff
	lease  engine.Lease
	now    time.Time
}

// Ops returns the changes of claims; see exchange.BatchHook. It records the
// owners of tasks before the tasks are written, because an active task without
// an owner would be claimed.
func (w *planRound) Ops(items []engine.Item) (ops map[string][]engine.Op, err error) {
	w.board = claimSetOf(items)
	w.diff, err = w.team.compare(w.board, w.lease, w.now)
	w.report.Conflicts = append(w.report.Conflicts, w.diff.conflicts...)
	for _, c := range w.board.byKey {
		if !w.team.IsMine(c) && (c.Ended == "" || !w.team.leases.KnowsEnd(c.Lease())) {
			_, failed := w.team.leases.RecordElsewhere(c.Lease())
			err = errors.Join(err, failed)
		}
	}
	ops = map[string][]engine.Op{}
	for _, s := range w.diff.steps {
		ops[s.task] = append(ops[s.task], s.op)
	}
	return ops, err
}

// RecordClaims records claims that were made or released.
func (w *planRound) RecordClaims(about resources.Key) {
	if about.Kind != resources.Tasks {
		return
	}
	w.report.note(w.diff, about.Name)
}

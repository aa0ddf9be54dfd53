package sync

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// stateFolder is the cache of fetched remote objects, in the sync directory of
// a clone.
const stateFolder = "state"

// Share makes rounds synchronize the objects of a store too, if the user shares
// them.
func (t *Team) Share(s store.Store) { t.store = s }

// Calmly makes rounds write incoming objects slowly, for background sync while
// a user works. A command waits for all objects instead.
func (t *Team) Calmly() { t.calm = true }

// Later makes local changes wait for the next urgent change, because remotes
// limit the rate of pushes.
func (t *Team) Later(later bool) { t.later = later }

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
	x, err := t.open(time.Now())
	if err != nil {
		return err
	}
	err = x.Remember(ctx, keys...)
	t.leave(err == nil)
	return err
}

// Kept returns the last version of an object that was equal on both sides or is
// waiting to be pushed. It returns nil if there is none.
func (t *Team) Kept(ctx context.Context, key resources.Key) ([]byte, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return plans.Kept(t.root.SyncFolder(), key)
}

// exchange opens the exchange of this working tree.
func (t *Team) exchange() (*plans.Exchange, error) {
	who := t.book.Person()
	x, err := plans.Open(t.root.SyncFolder(), t.store, who.Person+"@"+who.Machine)
	if err != nil {
		return nil, err
	}
	stones := NewTombstones(t.root.SyncScratch())
	x.Told, x.Most = stones.Done, cmp.Or(t.most, x.Most)
	x.Removed = func() (keys []resources.Key, err error) {
		all, err := stones.All()
		for _, stone := range all {
			keys = append(keys, stone.Key())
		}
		return keys, err
	}
	x.Follows, x.Own, x.Regrouped = t.follows.Load(), t.own, t.follower.regroup
	x.Written = (&Written{kept: t.root.SyncScratch()}).take
	return x, nil
}

// withPlans is a round of claims and objects.
type withPlans struct {
	t     *Team
	r     Report
	found board
	d     difference
	lease engine.Lease
	now   time.Time
}

// Ops returns the changes of claims. See plans.Also. It records the owners of
// tasks before the tasks are written, because an active task without an owner
// would be claimed.
func (w *withPlans) Ops(items []engine.Item) (ops map[string][]engine.Op, err error) {
	w.found = boardOf(items)
	w.d, err = w.t.compare(w.found, w.lease, w.now)
	w.r.Lost = append(w.r.Lost, w.d.lost...)
	for _, c := range w.found.claims {
		if !w.t.Mine(c) && (c.Ended == "" || !w.t.book.Knows(c.Lease())) {
			_, failed := w.t.book.Note(c.Lease())
			err = errors.Join(err, failed)
		}
	}
	ops = map[string][]engine.Op{}
	for _, s := range w.d.steps {
		ops[s.task] = append(ops[s.task], s.op)
	}
	return ops, err
}

// Made records claims that were made or released.
func (w *withPlans) Made(about resources.Key) {
	if about.Kind != resources.Tasks {
		return
	}
	w.r.note(w.d, about.Name)
}

func (t *Team) roundOfPlans(ctx context.Context, now time.Time) (Report, error) {
	lease, err := t.keep(ctx)
	if err != nil {
		return Report{}, err
	}
	w := withPlans{t: t, lease: lease, now: now}
	x, err := t.open(now)
	if err != nil {
		return w.r, err
	}
	x.Store, x.Later, x.Calm, x.Follows = t.store, t.later, t.calm, t.follows.Load()
	report, err := x.Round(ctx, t.engine, &w)
	t.follower.saw(x.Moment())
	t.leave(err == nil)
	w.r.Plans = &report
	if errors.Is(err, engine.ErrRolledBack) || errors.Is(err, plans.ErrVanished) {
		err = &engine.PersonError{Err: err, Step: "nothing was changed here: idumb sync enable --plans --join takes what is there now, idumb sync enable --plans --seed puts back what is here"}
	}
	if err != nil {
		return w.r, err
	}
	return w.r, t.mirror(w.found.claims, &w.r)
}

package sync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// Report is the result of one round.
type Report struct {
	Claims, Mine int        // number of claims, in total and of this clone
	Claimed      []string   // tasks that were claimed, sorted
	Released     []string   // tasks that were released, sorted
	Ended        []string   // tasks that were marked as ended, sorted
	Conflicts    []LostTask // tasks that were started here and belong to another clone

	Plans *exchange.Report // result for the objects; nil if they are not shared
}

// LostTask is a task that was started here while the remote was unreachable, and
// that another clone claimed first or took over.
type LostTask struct {
	Task  string
	Owner *Claim
}

// String describes the task's owner or end, and the next step.
func (l LostTask) String() string {
	if l.Owner.Ended != "" {
		return fmt.Sprintf("task %s was %s at %s; put its work aside", l.Task, l.Owner.Holder(), l.Owner.Time.Local().Format("15:04"))
	}
	return fmt.Sprintf("task %s is now held by %s, since %s; put its work aside, or agree with them", l.Task, l.Owner.Holder(), l.Owner.Time.Local().Format("15:04"))
}

// Round synchronizes the team's claims with this clone's leases. It claims
// tasks with local leases, releases claims without a lease, and records the
// claims of other clones as leases. It is idempotent.
func (t *Team) Round(ctx context.Context, now time.Time) (Report, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	r, err := t.round(ctx, now)
	if err != nil {
		t.lease = engine.Lease{} // the lease may have expired
	}
	t.recordResult(err, now, r.Plans)
	return r, err
}

// round synchronizes the claims, and the objects too if the user shares them.
func (t *Team) round(ctx context.Context, now time.Time) (Report, error) {
	if t.plans && t.store != nil {
		lease, err := t.renewLease(ctx)
		if err != nil {
			return Report{}, err
		}
		w := planRound{team: t, lease: lease, now: now}
		x, err := t.openExchange(now)
		if err != nil {
			return w.report, err
		}
		x.Store, x.DelayPush, x.Slow, x.Follows = t.store, t.delayPushes, t.slow, t.follows.Load()
		report, err := x.Round(ctx, t.engine, &w)
		t.follower.setProcessed(x.Revision())
		t.keepOrClose(err == nil)
		w.report.Plans = &report
		if errors.Is(err, engine.ErrRolledBack) || errors.Is(err, exchange.ErrVanished) {
			err = &engine.PersonError{Err: err, Step: "nothing was changed locally: idumb sync enable --plans --join accepts the remote objects, idumb sync enable --plans --seed restores them from this clone"}
		}
		if err != nil {
			return w.report, err
		}
		return w.report, t.mirror(w.board.byKey, &w.report)
	}
	return t.roundOfClaims(ctx, now)
}

// roundOfClaims is a round without shared objects.
func (t *Team) roundOfClaims(ctx context.Context, now time.Time) (r Report, err error) {
	found, following := t.follower.snapshot()
	if !following {
		found, err = t.read(ctx, claimsPrefix)
	}
	for err == nil {
		lease, err := t.renewLease(ctx)
		if err != nil {
			return r, err
		}
		d, err := t.compare(found, lease, now)
		if err != nil {
			return r, err
		}
		if len(d.steps) == 0 {
			r.Conflicts = d.conflicts
			return r, t.mirror(found.byKey, &r)
		}
		err = t.engine.Txn(ctx, d.ops()...)
		var conflict *engine.ConflictError
		switch {
		case errors.As(err, &conflict) && ctx.Err() == nil: // retry; the lease may have expired
			t.lease = engine.Lease{}
		case err != nil:
			return r, err
		default:
			r.note(d, "")
		}
		if found, err = t.reread(ctx, found, d.ops()); err != nil {
			return r, err
		}
	}
	return r, err
}

// claimDiff lists the remote changes of a round and the lost tasks.
type claimDiff struct {
	steps     []claimStep
	conflicts []LostTask
}

// claimStep is a change of one claim.
type claimStep struct {
	op   engine.Op
	task string
	list func(*Report) *[]string // list of the report for its task; nil if none
}

// ops returns the changes of all steps.
func (d claimDiff) ops() (ops []engine.Op) {
	for _, s := range d.steps {
		ops = append(ops, s.op)
	}
	return ops
}

// note adds the applied changes of one task to the report, or of all tasks if
// task is "".
func (r *Report) note(d claimDiff, task string) {
	for _, s := range d.steps {
		if s.list != nil && (task == "" || s.task == task) {
			list := s.list(r)
			*list = append(*list, s.task)
		}
	}
}

// compare compares this clone's leases with the team's claims and records
// confirmations. It leaves a lease whose task another clone owns to mirror.
func (t *Team) compare(found claimSet, lease engine.Lease, now time.Time) (d claimDiff, err error) {
	standing := map[string]bool{}
	add := func(key string, s claimStep) { // the rest follows in the next transaction
		if standing[key] = true; len(d.steps) < maxOps {
			d.steps = append(d.steps, s)
		}
	}
	all, _ := t.leases.All()
	for _, l := range all {
		key, claim := keyOf(l.Metadata.Name, l.Metadata.UID), claimOf(l, t.clone)
		was := found.byKey[key]
		if state := t.leases.Ended(l); state != "" {
			switch s, err := t.markEnded(claim, state, was, found.revs[key], now); {
			case err != nil:
				return d, err
			case s != nil:
				add(key, *s)
				continue
			case was != nil && was.Ended != "":
				standing[key] = true
			}
			if err := t.leases.Reported(l); err != nil {
				return d, err
			}
			continue
		}
		if !t.leases.InEffect(l) {
			continue
		}
		standing[key] = true
		switch {
		case was != nil && !t.IsMine(was):
			d.conflicts = append(d.conflicts, LostTask{l.Metadata.Name, was})
			continue
		case was != nil && was.equal(claim) && was.lease == lease.ID:
			if err := t.confirm(l, was.rev, lease, now); err != nil {
				return d, err
			}
			continue
		}
		if was == nil || was.Ended != "" { // not claimed yet: the lease may have outlived its task
			if state := t.leases.EndedLater(l); state != "" {
				s, err := t.markEnded(claim, state, was, found.revs[key], now)
				if err != nil {
					return d, err
				}
				if s != nil {
					add(key, *s)
				}
				continue
			}
		}
		op, err := claim.op(found.revs[key], lease)
		if err != nil {
			return d, err
		}
		add(key, claimStep{op, claim.Task, func(r *Report) *[]string { return &r.Claimed }})
	}
	for _, key := range slices.Sorted(maps.Keys(found.byKey)) {
		switch c := found.byKey[key]; {
		case standing[key]:
		case c.Ended != "" && c.outdated(!t.IsMine(c) && t.leases.KnowsEnd(c.Lease()), now):
			add(key, claimStep{engine.Op{Key: key, Was: c.rev}, c.Task, nil})
		case c.Ended == "" && t.IsMine(c):
			add(key, claimStep{engine.Op{Key: key, Was: c.rev}, c.Task, func(r *Report) *[]string { return &r.Released }})
		}
	}
	return d, nil
}

// markEnded returns the change that reports a task that ended here or was
// reopened. It returns nil if the remote already knows, or if another clone
// owns the task. The claim becomes a mark, because git distributes the state
// only to clones that pull.
func (t *Team) markEnded(claim *Claim, state string, was *Claim, rev string, now time.Time) (*claimStep, error) {
	if !resources.IsFinal(state) {
		if was == nil || was.Ended == "" {
			return nil, nil
		}
		return &claimStep{engine.Op{Key: keyOf(claim.Task, claim.UID), Was: rev}, claim.Task, nil}, nil
	}
	claim.Ended, claim.Time = state, resources.NewTime(now)
	if was != nil && (!t.IsMine(was) || was.equal(claim)) {
		return nil, nil
	}
	op, err := claim.op(rev, engine.Lease{})
	return &claimStep{op, claim.Task, func(r *Report) *[]string { return &r.Ended }}, err
}

// mirror records the claims of other clones as local leases and removes
// outdated ones. A task that ended in another clone is recorded until this
// clone has that state. If a local session owned it, the record stays as long
// as the remote mark, so that the session learns who ended it.
func (t *Team) mirror(found map[string]*Claim, r *Report) error {
	found = maps.Clone(found)
	all, _ := t.leases.All()
	taken := map[string]bool{}
	for _, l := range all {
		taken[keyOf(l.Metadata.Name, l.Metadata.UID)] = l.InOtherClone() && l.Spec.Transitions > 0
	}
	maps.DeleteFunc(found, func(key string, c *Claim) bool {
		return c.Ended != "" && (t.IsMine(c) || !taken[key] && t.leases.KnowsEnd(c.Lease()))
	})
	r.Claims, r.Mine = 0, 0
	var failed []error
	noted := map[string]string{} // key -> recorded revision
	for _, l := range all {
		switch key := keyOf(l.Metadata.Name, l.Metadata.UID); {
		case !l.InOtherClone():
		case found[key] == nil:
			failed = append(failed, t.leases.Forget(l))
		default:
			noted[key] = l.Spec.Team.Revision
		}
	}
	for key, c := range found {
		if c.Ended == "" {
			r.Claims++
		}
		if t.IsMine(c) {
			r.Mine++
		} else if noted[key] != c.rev {
			_, err := t.leases.RecordElsewhere(c.Lease())
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Leave releases the claims of this clone and removes the leases of other
// clones. Marks of ended tasks stay.
func (t *Team) Leave(ctx context.Context) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, _ := t.leases.All()
	for _, l := range all {
		if l.InOtherClone() {
			err = errors.Join(err, t.leases.Forget(l))
		} else if l.Ended() != "" {
			err = errors.Join(err, t.leases.Reported(l))
		}
	}
	found, failed := t.read(ctx, claimsPrefix)
	for key, c := range found.byKey {
		if t.IsMine(c) && c.Ended == "" {
			failed = errors.Join(failed, t.engine.Txn(ctx, engine.Op{Key: key, Was: c.rev}))
		}
	}
	return errors.Join(err, failed)
}

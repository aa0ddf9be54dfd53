package sync

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
)

// Report is what one round did.
type Report struct {
	Claims, Mine int      // of the team, and of this clone among them
	Sent         []string // tasks whose claims were made, sorted
	Given        []string // tasks that were given back, sorted
	Lost         []Lost   // tasks that were started here, and are another clone's

	Plans *plans.Report // what became of the objects; nil where they are not shared
}

// Lost is a task that was started in this clone while the team was not reached, and that somebody
// else reached it with first, or took over.
type Lost struct {
	Task string
	By   *Claim
}

// Round makes the team's claims and this clone's leases say the same, once: leases that stand here
// become claims, claims whose leases are gone are given back, and what other clones hold stands in
// leases of theirs. Twice is as good as once.
func (t *Team) Round(ctx context.Context, now time.Time) (Report, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	r, err := t.round(ctx, now)
	if err != nil {
		t.lease = engine.Lease{} // it may be what is over
	}
	t.note(err, now, r.Plans)
	return r, err
}

func (t *Team) round(ctx context.Context, now time.Time) (Report, error) {
	if t.plans && t.store != nil {
		return t.roundOfPlans(ctx, now)
	}
	return t.roundOfClaims(ctx, now)
}

// roundOfClaims is a round where the objects are not shared.
func (t *Team) roundOfClaims(ctx context.Context, now time.Time) (r Report, err error) {
	found, following := t.follower.copied()
	if !following {
		found, err = t.read(ctx, claims)
	}
	for err == nil {
		lease, err := t.keep(ctx)
		if err != nil {
			return r, err
		}
		d, err := t.compare(found, lease, now)
		if err != nil {
			return r, err
		}
		if len(d.ops) == 0 {
			r.Lost = d.lost
			t.appear(ctx, lease, nil, now)
			return r, t.mirror(found.claims, &r)
		}
		err = t.engine.Txn(ctx, d.ops...)
		var conflict *engine.ConflictError
		switch {
		case errors.As(err, &conflict) && ctx.Err() == nil: // look again; it may be the lease that is over
			t.lease = engine.Lease{}
		case err != nil:
			return r, err
		default:
			r.Sent, r.Given = append(r.Sent, d.sent...), append(r.Given, d.given...)
		}
		if found, err = t.again(ctx, found, d.ops); err != nil {
			return r, err
		}
	}
	return r, err
}

// difference is what the team is to be told, and what that means.
type difference struct {
	ops         []engine.Op // those of what is sent, then those of what is given back
	sent, given []string
	lost        []Lost
}

// compare holds the leases of this clone against the team's claims, and writes down what the team
// says of them. A lease whose task another clone has is left to mirror.
func (t *Team) compare(found board, lease engine.Lease, now time.Time) (d difference, err error) {
	standing := map[string]bool{}
	all, _ := t.book.All()
	for _, l := range all {
		if !t.book.Stands(l) {
			continue
		}
		key, claim := keyOf(l.Metadata.Name, l.Metadata.UID), claimOf(l, t.clone)
		standing[key] = true
		was := found.claims[key]
		switch {
		case was != nil && !t.Mine(was):
			d.lost = append(d.lost, Lost{l.Metadata.Name, was})
			continue
		case was != nil && was.same(claim) && was.lease == lease.ID:
			if err := t.confirm(l, was.rev, lease, now); err != nil {
				return d, err
			}
			continue
		case len(d.ops) == mostOps: // the others are in the next change
			continue
		}
		op, err := claim.op(found.revs[key], lease)
		if err != nil {
			return d, err
		}
		d.ops, d.sent = append(d.ops, op), append(d.sent, l.Metadata.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(found.claims)) {
		if c := found.claims[key]; t.Mine(c) && !standing[key] && len(d.ops) < mostOps {
			d.ops, d.given = append(d.ops, engine.Op{Key: key, Was: c.rev}), append(d.given, c.Task)
		}
	}
	return d, nil
}

// mirror writes down in this clone what others hold, and forgets what they hold no more.
func (t *Team) mirror(found map[string]*Claim, r *Report) error {
	r.Claims, r.Mine = len(found), 0
	var failed []error
	all, _ := t.book.All()
	noted := map[string]string{} // the revisions that stand here already, by key
	for _, l := range all {
		switch key := keyOf(l.Metadata.Name, l.Metadata.UID); {
		case !l.Elsewhere():
		case found[key] == nil:
			failed = append(failed, t.book.Forget(l))
		default:
			noted[key] = l.Spec.Team.Revision
		}
	}
	for key, c := range found {
		if t.Mine(c) {
			r.Mine++
		} else if noted[key] != c.rev {
			_, err := t.book.Note(c.Lease())
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Leave gives back what this clone holds with the team, and forgets what others do.
func (t *Team) Leave(ctx context.Context) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, _ := t.book.All()
	for _, l := range all {
		if l.Elsewhere() {
			err = errors.Join(err, t.book.Forget(l))
		}
	}
	found, failed := t.read(ctx, claims)
	for key, c := range found.claims {
		if t.Mine(c) {
			failed = errors.Join(failed, t.engine.Txn(ctx, engine.Op{Key: key, Was: c.rev}))
		}
	}
	return errors.Join(err, failed)
}

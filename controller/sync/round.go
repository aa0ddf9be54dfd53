package sync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// Report is what one round did.
type Report struct {
	Claims, Mine int      // of the team, and of this clone among them
	Sent         []string // tasks whose claims were made, sorted
	Given        []string // tasks that were given back, sorted
	Ended        []string // tasks that are over, and marked so, sorted
	Lost         []Lost   // tasks that were started here, and are another clone's

	Plans *plans.Report // what became of the objects; nil where they are not shared
}

// Lost is a task that was started in this clone while the team was not reached, and that somebody
// else reached it with first, or took over.
type Lost struct {
	Task string
	By   *Claim
}

// String says who has the task, or ended it, and what to do.
func (l Lost) String() string {
	if l.By.Ended != "" {
		return fmt.Sprintf("task %s was %s at %s; put its work aside, and fetch that state", l.Task, l.By.Holder(), l.By.At.Local().Format("15:04"))
	}
	return fmt.Sprintf("task %s is held by %s since %s, who reached the team first; put its work aside, or agree with them", l.Task, l.By.Holder(), l.By.At.Local().Format("15:04"))
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
		if len(d.steps) == 0 {
			r.Lost = d.lost
			return r, t.mirror(found.claims, &r)
		}
		err = t.engine.Txn(ctx, d.ops()...)
		var conflict *engine.ConflictError
		switch {
		case errors.As(err, &conflict) && ctx.Err() == nil: // look again; it may be the lease that is over
			t.lease = engine.Lease{}
		case err != nil:
			return r, err
		default:
			r.note(d, "")
		}
		if found, err = t.again(ctx, found, d.ops()); err != nil {
			return r, err
		}
	}
	return r, err
}

// difference is what the team is to be told, and what that means.
type difference struct {
	steps []step
	lost  []Lost
}

// step is a change of one claim.
type step struct {
	op   engine.Op
	task string
	in   func(*Report) *[]string // the list of the report that names its task; nil: none does
}

func sent(r *Report) *[]string  { return &r.Sent }
func given(r *Report) *[]string { return &r.Given }
func ended(r *Report) *[]string { return &r.Ended }

// ops are the changes of all steps.
func (d difference) ops() (ops []engine.Op) {
	for _, s := range d.steps {
		ops = append(ops, s.op)
	}
	return ops
}

// note adds what was told to the team of a task, or of all for "".
func (r *Report) note(d difference, task string) {
	for _, s := range d.steps {
		if s.in != nil && (task == "" || s.task == task) {
			list := s.in(r)
			*list = append(*list, s.task)
		}
	}
}

// compare holds the leases of this clone against the team's claims, and writes down what the team
// says of them. A lease whose task another clone has is left to mirror.
func (t *Team) compare(found board, lease engine.Lease, now time.Time) (d difference, err error) {
	standing := map[string]bool{}
	add := func(key string, s step) { // what does not fit is in the next change
		if standing[key] = true; len(d.steps) < mostOps {
			d.steps = append(d.steps, s)
		}
	}
	all, _ := t.book.All()
	for _, l := range all {
		key, claim := keyOf(l.Metadata.Name, l.Metadata.UID), claimOf(l, t.clone)
		was := found.claims[key]
		if state := t.book.Ended(l); state != "" {
			s, err := t.markEnded(claim, state, was, found.revs[key], now)
			switch {
			case err != nil:
				return d, err
			case s != nil:
				add(key, *s)
				continue
			case was != nil && was.Ended != "":
				standing[key] = true
			}
			if err := t.book.Told(l); err != nil {
				return d, err
			}
			continue
		}
		if !t.book.Stands(l) {
			continue
		}
		standing[key] = true
		switch {
		case was != nil && !t.Mine(was):
			d.lost = append(d.lost, Lost{l.Metadata.Name, was})
			continue
		case was != nil && was.same(claim) && was.lease == lease.ID:
			if err := t.confirm(l, was.rev, lease, now); err != nil {
				return d, err
			}
			continue
		}
		if was == nil || was.Ended != "" { // not yet claimed: the lease may have outlived its task
			if state := t.book.EndedLater(l); state != "" {
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
		add(key, step{op, claim.Task, sent})
	}
	for _, key := range slices.Sorted(maps.Keys(found.claims)) {
		switch c := found.claims[key]; {
		case standing[key]:
		case c.Ended != "" && c.outdated(!t.Mine(c) && t.book.Knows(c.Lease()), now):
			add(key, step{engine.Op{Key: key, Was: c.rev}, c.Task, nil})
		case c.Ended == "" && t.Mine(c):
			add(key, step{engine.Op{Key: key, Was: c.rev}, c.Task, given})
		}
	}
	return d, nil
}

// markEnded returns the change that tells the team of a task that ended here, or that was opened again; nil if
// it knows, or if another clone has the task. The claim becomes a mark, for git carries the state only to
// clones that pull.
func (t *Team) markEnded(claim *Claim, state string, was *Claim, rev string, now time.Time) (*step, error) {
	if !resources.Over(state) {
		if was == nil || was.Ended == "" {
			return nil, nil
		}
		return &step{engine.Op{Key: keyOf(claim.Task, claim.UID), Was: rev}, claim.Task, nil}, nil
	}
	claim.Ended, claim.At = state, resources.NewTime(now)
	if was != nil && (!t.Mine(was) || was.same(claim)) {
		return nil, nil
	}
	op, err := claim.op(rev, engine.Lease{})
	return &step{op, claim.Task, ended}, err
}

// mirror writes down in this clone what others hold, and forgets what they hold no more. A task that ended
// elsewhere is written down until this clone has that state, or, if somebody here held it, as long as the team
// marks it: they are told who ended it.
func (t *Team) mirror(found map[string]*Claim, r *Report) error {
	found = maps.Clone(found)
	all, _ := t.book.All()
	taken := map[string]bool{}
	for _, l := range all {
		taken[keyOf(l.Metadata.Name, l.Metadata.UID)] = l.Elsewhere() && l.Spec.Transitions > 0
	}
	maps.DeleteFunc(found, func(key string, c *Claim) bool {
		return c.Ended != "" && (t.Mine(c) || !taken[key] && t.book.Knows(c.Lease()))
	})
	r.Claims, r.Mine = 0, 0
	var failed []error
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
		if c.Ended == "" {
			r.Claims++
		}
		if t.Mine(c) {
			r.Mine++
		} else if noted[key] != c.rev {
			_, err := t.book.Note(c.Lease())
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Leave gives back what this clone holds with the team, and forgets what others do. What ended here stays marked.
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
		} else if l.Ended() != "" {
			err = errors.Join(err, t.book.Told(l))
		}
	}
	found, failed := t.read(ctx, claims)
	for key, c := range found.claims {
		if t.Mine(c) && c.Ended == "" {
			failed = errors.Join(failed, t.engine.Txn(ctx, engine.Op{Key: key, Was: c.rev}))
		}
	}
	return errors.Join(err, failed)
}

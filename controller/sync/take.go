package sync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// takePatience is how long somebody who starts a task waits for the team.
const takePatience = 20 * time.Second

// Taken is a claim that was made for a task that is about to be started.
type Taken struct {
	// Unclaimed is why the team does not know of it; nil if it does. The task may be started: of two
	// who do so, the first that reaches the team keeps it.
	Unclaimed error
	From      *Claim // whose it was until it was taken over; nil if nobody's

	team *Team
	made *Claim    // nil: it was this clone's before
	mark *Claim    // that stood there of the task that ended; nil if none did
	ends time.Time // when it does, if it is not heard of again
	end  func()
}

// Take claims a task for a holder in this clone, before it is started. *leases.HeldError if another
// clone has it, unless it is to be taken over; *EndedError if it ended in another clone, where objects
// are shared; *UnreachedError if the team is not reached, and no task is started without it; there is
// no other error. Whoever gets no error calls Done or Undo once, when
// the task is started or could not be: until then no other process of this clone talks to the team.
func (t *Team) Take(ctx context.Context, task *resources.Task, holder resources.Holder, takeOver bool, now time.Time) (*Taken, error) {
	ctx, cancel := context.WithTimeout(ctx, takePatience)
	defer cancel()
	unlock, err := t.lock(ctx)
	if err != nil && t.strict {
		return nil, &UnreachedError{task.Metadata.Name, err}
	}
	if err != nil {
		return &Taken{team: t, end: func() {}, Unclaimed: err}, nil
	}
	taken := &Taken{team: t, end: unlock}
	claim := claimOf(resources.NewLease(task, holder, now, resources.DefaultLeaseDuration), t.clone)
	err = t.catchUp(ctx, task, now)
	if err == nil {
		err = t.take(ctx, taken, claim, resources.Over(resources.TaskState(task)) || t.book.Reopened(task), takeOver)
	}
	var held *leases.HeldError
	var ended *EndedError
	switch {
	case errors.As(err, &held), errors.As(err, &ended):
		unlock()
		return nil, err
	case err != nil:
		taken.Unclaimed = err
	}
	t.note(err, now, nil)
	if err != nil && t.strict {
		unlock()
		return nil, &UnreachedError{task.Metadata.Name, err}
	}
	return taken, nil
}

// Learn asks the team who holds tasks, and writes down which of them other clones hold or ended.
func (t *Team) Learn(ctx context.Context, tasks []*resources.Task) error {
	ctx, cancel := context.WithTimeout(ctx, takePatience)
	defer cancel()
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	prefix := claims
	if len(tasks) == 1 {
		prefix = keyOf(tasks[0].Metadata.Name, tasks[0].Metadata.UID)
	}
	found, err := t.read(ctx, prefix)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		if c := found.claims[keyOf(task.Metadata.Name, task.Metadata.UID)]; c != nil && !t.Mine(c) {
			_, failed := t.book.Note(c.Lease())
			err = errors.Join(err, failed)
		}
	}
	return err
}

// EndedError says that a task ended in another clone. This clone has that state now.
type EndedError struct {
	Task *resources.Task // as it is here now
	By   string          // who sent that state, by their own word
	At   time.Time       // when, by their clock; zero if they do not say
}

func (e *EndedError) Error() string {
	return fmt.Sprintf("task %q is %s, as %s told the team", e.Task.Metadata.Name, resources.TaskState(e.Task), e.By)
}

// catchUp has a round take in what the team has of a task if that ended there and not here: whoever starts
// it would lose it by the next round. *EndedError if it ended here as well then.
func (t *Team) catchUp(ctx context.Context, task *resources.Task, now time.Time) error {
	if !t.plans || t.store == nil {
		return nil
	}
	sent, err := plans.Ask(ctx, t.engine, task)
	if err != nil || sent == nil {
		return err
	}
	theirs, ok := sent.Object.(*resources.Task)
	if !ok || resources.TaskState(theirs) == resources.TaskState(task) || !resources.Over(theirs.Spec.State) && theirs.Spec.State != resources.TaskFailed {
		return nil
	}
	if _, err := t.round(ctx, now); err != nil {
		return err
	}
	key := resources.Key{Kind: resources.Tasks, Name: task.Metadata.Name}
	here, ok := t.root.Object(key, t.root.Locate(key)).(*resources.Task)
	if !ok || resources.TaskState(here) != resources.TaskState(theirs) { // git's, or changed here since
		return nil
	}
	return &EndedError{here, sent.By, sent.At}
}

// take makes a claim from what the team says, again if somebody was faster. known says that the task is over here.
func (t *Team) take(ctx context.Context, taken *Taken, claim *Claim, known, takeOver bool) error {
	for {
		lease, err := t.keep(ctx)
		if err != nil {
			return err
		}
		found, err := t.read(ctx, keyOf(claim.Task, claim.UID))
		if err != nil {
			return err
		}
		taken.ends = lease.Until
		was := found.claims[keyOf(claim.Task, claim.UID)]
		switch {
		case was != nil && was.Ended != "" && (t.Mine(was) || known): // it is started again
		case was != nil && t.Mine(was) && was.lease == lease.ID:
			return nil
		case was != nil && !t.Mine(was) && !takeOver:
			_, err := t.book.Note(was.Lease())
			return errors.Join(&leases.HeldError{Lease: was.Lease()}, err)
		}
		op, err := claim.op(found.revs[keyOf(claim.Task, claim.UID)], lease)
		if err == nil {
			err = t.engine.Txn(ctx, op)
		}
		var conflict *engine.ConflictError
		if errors.As(err, &conflict) && ctx.Err() == nil {
			t.lease = engine.Lease{} // it may be what is over
			continue
		}
		if err != nil {
			return err
		}
		switch {
		case was == nil:
		case was.Ended != "":
			taken.mark = was
		case t.Mine(was):
			return nil
		default:
			taken.From = was
		}
		taken.made = claim
		return t.book.Forget(claim.Lease())
	}
}

// UnreachedError says that a task is not started, because the team was not asked.
type UnreachedError struct {
	Task string
	Err  error
}

// Error says why, and whose rule it is.
func (e *UnreachedError) Error() string {
	return fmt.Sprintf("cannot start task %q: the team was not reached (%v), and no task is started here without it (spec.sync.offlineStart of .idumb/config.json); try again, or start another kind of work", e.Task, e.Err)
}

func (e *UnreachedError) Unwrap() error { return e.Err }

// Done says that the task is started: its lease says that the claim stands.
func (t *Taken) Done(l *resources.Lease) {
	defer t.end()
	if l == nil {
		return
	}
	team := resources.LeaseTeam{Claim: resources.ClaimConfirmed, Until: until(t.ends)}
	if t.Unclaimed != nil {
		team = resources.LeaseTeam{Claim: resources.ClaimPending}
	}
	_ = t.team.book.Confirm(l, team) // the next round says it again
}

// Undo gives a claim back, of a task that could not be started. What cannot be given back now is
// in the next round.
func (t *Taken) Undo(ctx context.Context) {
	defer t.end()
	if t.made == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takePatience)
	defer cancel()
	found, err := t.team.read(ctx, keyOf(t.made.Task, t.made.UID))
	if was := found.claims[keyOf(t.made.Task, t.made.UID)]; err == nil && was != nil && t.team.Mine(was) {
		op := engine.Op{Key: keyOf(was.Task, was.UID), Was: was.rev}
		if t.mark != nil {
			op, err = t.mark.op(was.rev, engine.Lease{})
		}
		if err == nil {
			_ = t.team.engine.Txn(ctx, op)
		}
	}
}

// Warning is what whoever started a task is told of a team that does not know; "" for nothing.
func (t *Taken) Warning(task string) string {
	if t.Unclaimed == nil {
		return ""
	}
	return fmt.Sprintf("Warning: the team was not reached, so task %s is unclaimed: another machine may start it as well, and who reaches the team first keeps it (%v)", task, t.Unclaimed)
}

package sync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// acquireTimeout is the timeout of the remote when a task is started.
const acquireTimeout = 20 * time.Second

// AcquiredClaim is the claim of a task that is about to be started.
type AcquiredClaim struct {
	// Unclaimed is the reason why the task could not be claimed; nil if it was.
	// The task may be started anyway. If two clones start it, the first one
	// that reaches the remote keeps it.
	Unclaimed error
	Previous  *Claim // previous claim, if the task was taken over; nil otherwise

	team    *Team
	created *Claim    // nil if this clone had the claim before
	endMark *Claim    // previous mark of the ended task; nil if none
	expiry  time.Time // expiry without renewal
	unlock  func()
}

// Acquire claims a task for a session of this clone, before the task is started.
// It returns *leases.HeldError if another clone owns the task, unless takeOver
// is true. It returns *EndedError if the task ended in another clone and
// objects are shared. It returns *UnreachedError if the remote is unreachable
// and the team's settings forbid offline starts. There are no other errors.
// Without an error, the caller must call Done or Undo once, when the task is
// started or could not be started. Until then it blocks other processes of this
// clone.
func (t *Team) Acquire(ctx context.Context, task *resources.Task, holder resources.Holder, takeOver bool, now time.Time) (*AcquiredClaim, error) {
	ctx, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	unlock, err := t.lock(ctx)
	if err != nil && t.requireClaim {
		return nil, &UnreachedError{task.Metadata.Name, err}
	}
	if err != nil {
		return &AcquiredClaim{team: t, unlock: func() {}, Unclaimed: err}, nil
	}
	taken := &AcquiredClaim{team: t, unlock: unlock}
	claim := claimOf(resources.NewLease(task, holder, now, resources.DefaultLeaseDuration), t.clone)
	err = t.pullEnded(ctx, task, now)
	if err == nil {
		err = t.acquire(ctx, taken, claim, resources.IsFinal(resources.TaskState(task)) || t.leases.Reopened(task), takeOver)
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
	t.recordResult(err, now, nil)
	if err != nil && t.requireClaim {
		unlock()
		return nil, &UnreachedError{task.Metadata.Name, err}
	}
	return taken, nil
}

// Learn reads the remote claims of tasks. It records the tasks that other
// clones own or ended.
func (t *Team) Learn(ctx context.Context, tasks []*resources.Task) error {
	ctx, cancel := context.WithTimeout(ctx, acquireTimeout)
	defer cancel()
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	prefix := claimsPrefix
	if len(tasks) == 1 {
		prefix = keyOf(tasks[0].Metadata.Name, tasks[0].Metadata.UID)
	}
	found, err := t.read(ctx, prefix)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		if c := found.byKey[keyOf(task.Metadata.Name, task.Metadata.UID)]; c != nil && !t.IsMine(c) {
			_, failed := t.leases.RecordElsewhere(c.Lease())
			err = errors.Join(err, failed)
		}
	}
	return err
}

// EndedError means that the task ended in another clone. This clone has the
// final state now.
type EndedError struct {
	Task   *resources.Task // local version
	Sender string          // claimed sender of that state
	Time   time.Time       // by the sender's clock; zero if unknown
}

// Error names the task, its final state and the clone that reported it.
func (e *EndedError) Error() string {
	return fmt.Sprintf("task %q is %s, as reported by %s", e.Task.Metadata.Name, resources.TaskState(e.Task), e.Sender)
}

// pullEnded pulls the remote version of a task that ended remotely and not
// locally. Otherwise the caller would start it and lose it in the next round.
// It returns *EndedError if the task is ended locally afterwards.
func (t *Team) pullEnded(ctx context.Context, task *resources.Task, now time.Time) error {
	if !t.plans || t.store == nil {
		return nil
	}
	sent, err := exchange.Fetch(ctx, t.engine, task)
	if err != nil || sent == nil {
		return err
	}
	theirs, ok := sent.Object.(*resources.Task)
	if !ok || resources.TaskState(theirs) == resources.TaskState(task) || !resources.IsFinal(theirs.Spec.State) && theirs.Spec.State != resources.TaskFailed {
		return nil
	}
	if _, err := t.round(ctx, now); err != nil {
		return err
	}
	key := resources.Key{Kind: resources.Tasks, Name: task.Metadata.Name}
	here, ok := t.root.Object(key, t.root.Locate(key)).(*resources.Task)
	if !ok || resources.TaskState(here) != resources.TaskState(theirs) { // tracked by git, or changed locally in the meantime
		return nil
	}
	return &EndedError{here, sent.Sender, sent.Time}
}

// acquire makes a claim based on the remote state and retries on conflicts. known
// means that the task has ended locally.
func (t *Team) acquire(ctx context.Context, taken *AcquiredClaim, claim *Claim, known, takeOver bool) error {
	for {
		lease, err := t.renewLease(ctx)
		if err != nil {
			return err
		}
		found, err := t.read(ctx, keyOf(claim.Task, claim.UID))
		if err != nil {
			return err
		}
		taken.expiry = lease.Until
		was := found.byKey[keyOf(claim.Task, claim.UID)]
		switch {
		case was != nil && was.Ended != "" && (t.IsMine(was) || known): // the task is restarted
		case was != nil && t.IsMine(was) && was.lease == lease.ID:
			return nil
		case was != nil && !t.IsMine(was) && !takeOver:
			_, err := t.leases.RecordElsewhere(was.Lease())
			return errors.Join(&leases.HeldError{Lease: was.Lease()}, err)
		}
		op, err := claim.op(found.revs[keyOf(claim.Task, claim.UID)], lease)
		if err == nil {
			err = t.engine.Txn(ctx, op)
		}
		var conflict *engine.ConflictError
		if errors.As(err, &conflict) && ctx.Err() == nil {
			t.lease = engine.Lease{} // the lease may have expired
			continue
		}
		if err != nil {
			return err
		}
		switch {
		case was == nil:
		case was.Ended != "":
			taken.endMark = was
		case t.IsMine(was):
			return nil
		default:
			taken.Previous = was
		}
		taken.created = claim
		return t.leases.Forget(claim.Lease())
	}
}

// UnreachedError means that a task cannot be started because the remote is
// unreachable.
type UnreachedError struct {
	Task string
	Err  error
}

// Error names the reason and the setting.
func (e *UnreachedError) Error() string {
	return fmt.Sprintf("cannot start task %q: the team was not reached (%v), and no task is started here without it (spec.sync.offlineStart of .idumb/config.json); try again, or start another kind of work", e.Task, e.Err)
}

func (e *UnreachedError) Unwrap() error { return e.Err }

// Done records that the task is started. It adds the claim to the task's lease.
func (t *AcquiredClaim) Done(l *resources.Lease) {
	defer t.unlock()
	if l == nil {
		return
	}
	team := resources.LeaseTeam{Claim: resources.ClaimConfirmed, Until: truncated(t.expiry)}
	if t.Unclaimed != nil {
		team = resources.LeaseTeam{Claim: resources.ClaimPending}
	}
	_ = t.team.leases.Confirm(l, team) // the next round repeats it
}

// Undo releases the claim of a task that could not be started. If that fails,
// the next round releases it.
func (t *AcquiredClaim) Undo(ctx context.Context) {
	defer t.unlock()
	if t.created == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), acquireTimeout)
	defer cancel()
	found, err := t.team.read(ctx, keyOf(t.created.Task, t.created.UID))
	if was := found.byKey[keyOf(t.created.Task, t.created.UID)]; err == nil && was != nil && t.team.IsMine(was) {
		op := engine.Op{Key: keyOf(was.Task, was.UID), Was: was.rev}
		if t.endMark != nil {
			op, err = t.endMark.op(was.rev, engine.Lease{})
		}
		if err == nil {
			_ = t.team.engine.Txn(ctx, op)
		}
	}
}

// Warning returns a warning for a task that was started without a claim, or "".
func (t *AcquiredClaim) Warning(task string) string {
	if t.Unclaimed == nil {
		return ""
	}
	return fmt.Sprintf("Warning: %s, so task %s is unclaimed: another machine may start it as well, and who reaches the team first keeps it (%v)", unclaimedReason(t.Unclaimed), task, t.Unclaimed)
}

// unclaimedReason says in short why a claim failed.
func unclaimedReason(err error) string {
	var person *engine.PersonError
	if errors.As(err, &person) && person.SendOnly {
		return "the team did not take the claim"
	}
	return "the team was not reached"
}

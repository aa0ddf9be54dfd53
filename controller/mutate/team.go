package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// moveInTeam makes a transition that the remote must know first. It runs
// outside the store's lock, which must not wait for a network. It claims
// nothing if the transition is not allowed.
func (r Repo) moveInTeam(ctx context.Context, team *sync.Team, m transition.Move, key resources.Key) (ActResult, error) {
	record, err := r.Record(ctx, key)
	task, _ := readable(record).(*resources.Task)
	if err != nil || task == nil {
		return r.move(ctx, m, key) // it returns the error
	}
	dry := r
	dry.DryRun = true
	if moved, err := dry.move(ctx, m, key); err != nil && !r.isHeldElsewhere(task, err) {
		return moved, err
	}
	if team.SharesPlans() {
		team.Share(r.Store)
	}
	r.askedRemote = true // Acquire asks and keeps the lock for which another question would wait
	taken, err := team.Acquire(ctx, task, r.holder(), m.TakeOver && r.Author.Kind == admission.Person, r.Now())
	var held *leases.HeldError
	if errors.As(err, &held) {
		return ActResult{}, admission.RefuseHeld(task, held.Lease, r.Author, stateAfter(m.Verb), r.Now())
	}
	var ended *sync.EndedError
	if errors.As(err, &ended) {
		return ActResult{}, admission.RefuseEnded(ended.Task, stateAfter(m.Verb), ended.Sender, ended.Time, r.Author, r.Now())
	}
	if err != nil {
		return ActResult{}, err
	}
	if taken.Unclaimed != nil && m.Verb != transition.Start && r.ownedElsewhere(ctx, key) {
		taken.Undo(ctx)
		return ActResult{}, fmt.Errorf("cannot %s task %q: another clone holds it, and the team was not reached (%w); try again", m.Verb, key.Name, taken.Unclaimed)
	}
	moved, err := r.move(ctx, m, key)
	if err != nil {
		taken.Undo(ctx)
		return moved, err
	}
	if from := taken.Previous; from != nil {
		holder := from.Lease().Spec.Holder
		moved.Previous = &holder
	}
	moved.Unreached = taken.Unclaimed != nil
	if m.Verb != transition.Start { // the next round releases the claim or marks the task as ended
		taken.Done(nil)
		return moved, nil
	}
	taken.Done(r.leases.Get(task))
	if warning := taken.Warning(key.Name); warning != "" {
		moved.Notes = append(moved.Notes, warning)
	}
	return moved, nil
}

// errNotQueried means that a change ends tasks and the remote was not yet asked
// for their owners. Run asks it.
var errNotQueried = errors.New("the team was not asked who holds the tasks that the change ends")

// requireQueried returns errNotQueried if a change ends a task that another clone
// may have taken over. Run asks the remote without the store's lock, which must
// not wait for a network, and makes the change again.
func (t *Tx) requireQueried(before resources.Object) error {
	as := t.repo.Author.Kind
	if t.repo.askedRemote || t.files == nil || as == admission.Controller || as == admission.Importer || !t.sharesClaims() {
		return nil
	}
	t.unqueriedTasks = append(t.unqueriedTasks, before.(*resources.Task))
	return errNotQueried
}

// queryTeam records which of the tasks other clones own. If the remote is
// unreachable, the last known state applies.
func (r Repo) queryTeam(ctx context.Context, tasks []*resources.Task) {
	team, err := sync.Open(r.Store.Root(), os.Getenv)
	if team == nil && err == nil {
		return
	}
	if err == nil {
		defer team.Close()
		err = team.Learn(ctx, tasks)
	}
	if err != nil && r.Unreached != nil {
		r.Unreached(fmt.Sprintf("the team was not reached, so another clone may hold task %s, and the change is sent later: %v", tasks[0].Metadata.Name, err))
	}
}

// stateAfter returns the state of a task after a verb; planned for a deferred
// task.
func stateAfter(verb transition.Verb) string {
	switch verb {
	case transition.Start:
		return resources.TaskActive
	case transition.Review:
		return resources.TaskReview
	case transition.Complete:
		return resources.TaskCompleted
	case transition.Fail:
		return resources.TaskFailed
	case transition.Abandon:
		return resources.TaskAbandoned
	}
	return resources.TaskPlanned
}

// ownedElsewhere reports whether another clone is known to own a task or to have
// ended it.
func (r Repo) ownedElsewhere(ctx context.Context, key resources.Key) bool {
	record, err := r.Record(ctx, key)
	task, ok := readable(record).(*resources.Task)
	if err != nil || !ok {
		return false
	}
	l := r.leases.OtherLease(task, r.holder(), r.Now())
	return l != nil && l.InOtherClone()
}

// recordForSync records written versions that must be pushed. It ignores errors:
// without the record, git may remove the file before it is pushed.
func (t *Tx) recordForSync(wrote map[resources.Key][]byte) {
	if len(wrote) == 0 {
		return
	}
	if w, err := sync.OpenWritten(t.repo.Store.Root(), t.repo.Store, os.Getenv); err == nil && w != nil {
		_ = w.Note(t.ctx, wrote)
	}
}

// dropRemote drops the remote state of a task in a clone that no longer has a team.
// An expired claim would otherwise stay forever. It ignores errors; the task is
// then denied and can be started again.
func (r Repo) dropRemote(ctx context.Context, key resources.Key) {
	record, err := r.Record(ctx, key)
	if task, ok := readable(record).(*resources.Task); ok && err == nil {
		_ = r.leases.DropRemote(task)
	}
}

// isHeldElsewhere reports whether a task may not be started because of another
// clone's claim, according to the last remote state.
func (r Repo) isHeldElsewhere(task *resources.Task, refused error) bool {
	l := r.leases.Get(task)
	var refusal *apierrors.Refusal
	return l != nil && l.InOtherClone() && errors.As(refused, &refusal) && refusal.Cause == admission.HeldByOther
}

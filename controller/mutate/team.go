package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// moveInTeam makes a step that the team is told of first: outside of the store's lock, which must
// not wait for a network. What may not be done here is not claimed.
func (r Repo) moveInTeam(ctx context.Context, team *sync.Team, m lifecycle.Move, key resources.Key) (Moved, error) {
	record, err := r.Record(ctx, key)
	task, _ := readable(record).(*resources.Task)
	if err != nil || task == nil {
		return r.move(ctx, m, key) // which says what is wrong
	}
	dry := r
	dry.DryRun = true
	if moved, err := dry.move(ctx, m, key); err != nil && !r.heldElsewhere(task, err) {
		return moved, err
	}
	if team.SharesPlans() {
		team.Share(r.Store)
	}
	r.asked = true // by Take, which keeps the lock that another question would wait for
	taken, err := team.Take(ctx, task, r.holder(), m.TakeOver && r.Who.As == admission.Person, r.Now())
	var held *leases.HeldError
	if errors.As(err, &held) {
		return Moved{}, admission.RefuseHeld(task, held.Lease, r.Who, stateAfter(m.Verb), r.Now())
	}
	var ended *sync.EndedError
	if errors.As(err, &ended) {
		return Moved{}, admission.RefuseEnded(ended.Task, stateAfter(m.Verb), ended.By, ended.At, r.Who, r.Now())
	}
	if err != nil {
		return Moved{}, err
	}
	if taken.Unclaimed != nil && m.Verb != lifecycle.Start && r.elsewhere(ctx, key) {
		taken.Undo(ctx)
		return Moved{}, fmt.Errorf("cannot %s task %q: another clone holds it, and the team was not reached (%w); try again", m.Verb, key.Name, taken.Unclaimed)
	}
	moved, err := r.move(ctx, m, key)
	if err != nil {
		taken.Undo(ctx)
		return moved, err
	}
	if from := taken.From; from != nil {
		holder := from.Lease().Spec.Holder
		moved.From = &holder
	}
	if m.Verb != lifecycle.Start { // the next round gives the claim back, or marks the task as over
		taken.Done(nil)
		return moved, nil
	}
	taken.Done(r.book.Get(task))
	if warning := taken.Warning(key.Name); warning != "" {
		moved.Notes = append(moved.Notes, warning)
	}
	return moved, nil
}

// errUnasked says that a change ends tasks, and that the team was not asked yet who holds them. Run asks.
var errUnasked = errors.New("the team was not asked who holds the tasks that the change ends")

// requireAsked returns errUnasked if a change ends a task that another clone may have taken over. Run asks the
// team without the store's lock, which must not wait for a network, and makes the change again.
func (t *Tx) requireAsked(before resources.Object) error {
	as := t.repo.Who.As
	if t.repo.asked || t.files == nil || as == admission.Controller || as == admission.Importer || !t.shared() {
		return nil
	}
	t.unasked = append(t.unasked, before.(*resources.Task))
	return errUnasked
}

// askTeam writes down which of the tasks other clones hold. If the team is not reached, what is known of it counts.
func (r Repo) askTeam(ctx context.Context, tasks []*resources.Task) {
	team, err := sync.Open(r.Store.Root(), os.Getenv)
	if team == nil && err == nil {
		return
	}
	if err == nil {
		defer team.Close()
		err = team.Learn(ctx, tasks)
	}
	if err != nil && r.Warn != nil {
		r.Warn(fmt.Sprintf("the team was not asked whether another clone holds task %s: %v", tasks[0].Metadata.Name, err))
	}
}

// stateAfter is the state that a verb brings a task into; planned for one that is deferred.
func stateAfter(verb lifecycle.Verb) string {
	switch verb {
	case lifecycle.Start:
		return resources.TaskActive
	case lifecycle.Review:
		return resources.TaskReview
	case lifecycle.Complete:
		return resources.TaskCompleted
	case lifecycle.Fail:
		return resources.TaskFailed
	case lifecycle.Abandon:
		return resources.TaskAbandoned
	}
	return resources.TaskPlanned
}

// elsewhere reports whether another clone holds a task, or ended it, as far as this one knows.
func (r Repo) elsewhere(ctx context.Context, key resources.Key) bool {
	record, err := r.Record(ctx, key)
	task, ok := readable(record).(*resources.Task)
	if err != nil || !ok {
		return false
	}
	l := r.book.Other(task, r.holder(), r.Now())
	return l != nil && l.Elsewhere()
}

// keepForTeam notes what was written and is to go to the team. That it cannot be noted keeps nobody
// from writing: it is only that git may take the file away before it went up.
func (t *Tx) keepForTeam(wrote map[resources.Key][]byte) {
	if len(wrote) == 0 {
		return
	}
	if w, err := sync.OpenWritten(t.repo.Store.Root(), t.repo.Store, os.Getenv); err == nil && w != nil {
		_ = w.Note(t.ctx, wrote)
	}
}

// alone forgets what a team said of a task, in a clone that has none any more: a claim that ran out
// would hold for ever. What cannot be forgotten now is denied, and started again.
func (r Repo) alone(ctx context.Context, key resources.Key) {
	record, err := r.Record(ctx, key)
	if task, ok := readable(record).(*resources.Task); ok && err == nil {
		_ = r.book.Alone(task)
	}
}

// heldElsewhere reports whether a task may not be started for another clone's claim: as it stood
// when the team was asked last.
func (r Repo) heldElsewhere(task *resources.Task, refused error) bool {
	l := r.book.Get(task)
	var refusal *apierrors.Refusal
	return l != nil && l.Elsewhere() && errors.As(refused, &refusal) && refusal.Cause == admission.Held
}

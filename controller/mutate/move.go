package mutate

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/evidence"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Moved is the result of an act: a transition of a task or a plan, a verdict,
// or a change of focus.
type Moved struct {
	Result
	lifecycle.Outcome
	Also      []Result // other written objects, such as the parts of a split task
	Parked    []string // tasks that were parked, sorted
	Recalled  []string // expired delegations of the task, sorted
	Confirmed []string // mems cited in the evidence
	Claimed   bool     // the caller acquired the task
	Released  bool     // the task has no owner now; a team is informed
	// From is the previous owner of a task that was taken over; nil if there
	// was none.
	From *resources.Holder
}

// Move makes a transition. Starting a task revokes its expired delegations, so
// that a delegate that returns does not work on it too. If the clone shares its
// claims, Move claims a task remotely before it is started here, or before it
// ends here while another clone owns it.
func (r Repo) Move(ctx context.Context, m lifecycle.Move, key resources.Key) (Moved, error) {
	if key.Kind != resources.Tasks || r.DryRun || m.Verb != lifecycle.Start && !m.TakeOver && !r.elsewhere(ctx, key) {
		return r.move(ctx, m, key)
	}
	team, err := sync.Open(r.Store.Root(), os.Getenv)
	if err != nil {
		return Moved{}, err
	}
	if team == nil {
		r.alone(ctx, key)
		return r.move(ctx, m, key)
	}
	defer team.Close()
	return r.moveInTeam(ctx, team, m, key)
}

// move is Move without the remote.
func (r Repo) move(ctx context.Context, m lifecycle.Move, key resources.Key) (moved Moved, err error) {
	r.wish = &wishes.Args{Task: key.Name, Said: wishes.Said{Evidence: m.Evidence, Tests: m.Tests, Files: m.Files, Reason: m.Reason, TakeOver: m.TakeOver}}
	if key.Kind == resources.WorkPlans {
		r.wish.Task, r.wish.WorkPlan, r.wish.Met = "", key.Name, m.Met
		m.By, m.At = r.Who.Session, resources.NewTime(r.Now())
	}
	if m.Verb == lifecycle.Defer { // a normal change: the queue has no verb for it
		r.wish = nil
	}
	if key.Kind == resources.Tasks && (m.Verb == lifecycle.Complete || m.Verb == lifecycle.Review) {
		r.look(ctx, key.Name)
	}
	r.Who.TakeOver = m.TakeOver
	starts := m.Verb == lifecycle.Start && key.Kind == resources.Tasks
	err = r.Run(ctx, func(tx *Tx) error {
		moved = Moved{}
		moved.Result, err = tx.one(key, func(o resources.Object, v *View) (next resources.Object, err error) {
			if t, ok := o.(*resources.Task); ok && starts {
				if err := admission.MayStart(t, r.Who, v); err != nil {
					return nil, err
				}
			}
			if t, ok := o.(*resources.Task); ok && !starts {
				if err := admission.MayEnd(t, stateAfter(m.Verb), r.Who, v); err != nil {
					return nil, err
				}
			}
			next, moved.Outcome, err = lifecycle.Make(o, m, v, func(o resources.Object) lifecycle.View { return v.With(o) })
			if p, ok := o.(*resources.WorkPlan); ok && r.Who.As == admission.Agent && err == nil {
				err = lifecycle.CheckMet(p, m, v)
			}
			if t, ok := next.(*resources.Task); ok && starts && err == nil {
				r.enter(t, v)
			}
			var refused *apierrors.Refusal
			if t, ok := o.(*resources.Task); ok && errors.As(err, &refused) && refused.Cause == admission.Over && resources.Over(resources.TaskState(t)) {
				refused.Step = admission.ReopenFor(t, r.Who)
			}
			return next, err
		})
		if t, ok := moved.Before.(*resources.Task); err == nil && starts && ok && len(tx.taken) == 0 { // it was active before
			err = tx.hold(t)
		}
		if t, ok := moved.After.(*resources.Task); err == nil && starts && ok {
			err = tx.entrust(t)
		}
		if err == nil && starts {
			for _, t := range tx.taken {
				moved.From, moved.Claimed = t.From, t.New
			}
			moved.Recalled, err = tx.recallLapsed(key.Name)
		}
		if err == nil {
			err = tx.awaitRules()
		}
		if len(tx.waiting) > 0 { // the plan is not completed after all
			moved.Open, moved.Notes = tx.waiting[0], nil
			moved.Unblocked = slices.DeleteFunc(moved.Unblocked, func(name string) bool {
				t, ok := tx.View().Task(name)
				if !ok {
					return true
				}
				st, _ := status.DeriveTask(t, tx.View())
				return st.Phase == resources.TaskBlocked
			})
		}
		return err
	})
	if task, ok := moved.After.(*resources.Task); ok && err == nil && m.Verb == lifecycle.Start && moved.What != Unchanged && !r.DryRun {
		if unnoted := evidence.Note(ctx, r.Store, task); unnoted != nil {
			moved.Notes = append(moved.Notes, "Warning: "+unnoted.Error())
		}
	}
	if err == nil {
		moved.Released = !r.DryRun && (ends(moved.Before, moved.After) || turns(moved.Before, moved.After))
		r.recordLooked(ctx, key.Name)
	}
	if err == nil && moved.From != nil {
		r.tellTakenOver(ctx, key, *moved.From)
	}
	if err == nil && m.Verb == lifecycle.Complete && moved.What != Unchanged {
		moved.Confirmed = r.confirmCited(ctx, m.Evidence, "task/"+key.Name)
	}
	return moved, err
}

// Look records the unlogged file changes for a live task.
func (r Repo) Look(ctx context.Context, task string) {
	r.look(ctx, task)
	r.recordLooked(ctx, task)
}

// look finds the unlogged file changes for a live task, so that later steps
// take them into account. It ignores errors.
func (r *Repo) look(ctx context.Context, task string) {
	key := resources.Key{Kind: resources.Tasks, Name: task}
	record, err := r.Record(ctx, key)
	o, _ := readable(record).(*resources.Task)
	if err != nil || o == nil || !status.LiveTask(o) {
		return
	}
	seen := (&Tx{ctx: ctx, repo: *r}).View().Evidence(task)
	files, err := evidence.Look(ctx, r.Store, o, seen)
	switch {
	case errors.Is(err, store.ErrNotFound) && !r.DryRun: // start recording from now on
		_ = evidence.Note(ctx, r.Store, o)
	case err == nil && len(files) > 0:
		r.unlogged = map[string][]string{task: files}
	}
}

// recordLooked records the findings of look. A failed write is repeated by the
// next call.
func (r Repo) recordLooked(ctx context.Context, task string) {
	if files := r.unlogged[task]; len(files) > 0 && !r.DryRun {
		_ = evidence.Record(ctx, r.Store, task, files, r.Now())
	}
}

// Verify records in a task which evidence items were seen, so that they count
// in every clone. It returns the new ones.
func (r Repo) Verify(ctx context.Context, task string) (seen []resources.EvidenceItem, err error) {
	key := resources.Key{Kind: resources.Tasks, Name: task}
	r.look(ctx, task)
	_, err = r.One(ctx, key, func(o resources.Object, v *View) (resources.Object, error) {
		t := o.(*resources.Task)
		seen = lifecycle.Verified(t, v)
		return t, nil
	})
	if err == nil {
		r.recordLooked(ctx, task)
	}
	return seen, err
}

// recallLapsed revokes the expired delegations of a task.
func (t *Tx) recallLapsed(task string) (recalled []string, err error) {
	for _, d := range t.View().Delegations(task) {
		if !status.Lapsed(d, t.View()) {
			continue
		}
		next := *d
		next.Spec.State = "recalled"
		if _, err := t.Put(&next); err != nil {
			return nil, err
		}
		recalled = append(recalled, d.Metadata.Name)
	}
	return recalled, nil
}

// confirmCited confirms the mems that a text cites, on behalf of by, and
// returns their names. It skips mems that do not exist, are out of use or have
// changed evidence, because a citation does not prove a check.
func (r Repo) confirmCited(ctx context.Context, text, by string) []string {
	var confirmed []string
	for _, name := range mems.Cited(text) {
		result, err := r.One(ctx, resources.Key{Kind: resources.Mems, Name: name}, func(o resources.Object, v *View) (resources.Object, error) {
			return mems.Confirm(o.(*resources.Mem), mems.Confirmation{By: by, Check: true}, v)
		})
		if err == nil && result.What == Configured {
			confirmed = append(confirmed, name)
		}
	}
	return confirmed
}

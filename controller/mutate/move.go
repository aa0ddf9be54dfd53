package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// ActResult is the result of an act: a transition of a task or a plan, a verdict,
// or a change of focus.
type ActResult struct {
	Result
	transition.Outcome
	Related   []Result // other written objects, such as the parts of a split task
	Parked    []string // tasks that were parked, sorted
	Recalled  []string // expired delegations of the task, sorted
	Confirmed []string // mems cited in the evidence
	Claimed   bool     // the caller acquired the task
	Exclusive bool     // the caller, a user, holds the task without the user's agents
	GivenBack bool     // the caller held it exclusively and no longer does
	Released  bool     // the task has no owner now; a team is informed
	Unreached bool     // the team could not be asked about the task
	// Previous is the previous owner of a task that was taken over; nil if there
	// was none.
	Previous *resources.Holder
}

// Move makes a transition. Starting a task revokes its expired delegations, so
// that a delegate that returns does not work on it too. If the clone shares its
// claims, Move claims a task remotely before it is started here, or before it
// ends here while another clone owns it.
func (r Repo) Move(ctx context.Context, m transition.Move, key resources.Key) (ActResult, error) {
	if key.Kind != resources.Tasks || r.DryRun || m.Verb != transition.Start && !m.TakeOver && !r.ownedElsewhere(ctx, key) {
		return r.move(ctx, m, key)
	}
	team, err := sync.Open(r.Store.Root(), os.Getenv)
	if err != nil {
		return ActResult{}, err
	}
	if team == nil {
		r.dropRemote(ctx, key)
		return r.move(ctx, m, key)
	}
	defer team.Close()
	return r.moveInTeam(ctx, team, m, key)
}

// move is Move without asking the team's remote.
func (r Repo) move(ctx context.Context, m transition.Move, key resources.Key) (moved ActResult, err error) {
	r.request = &requests.Args{Task: key.Name, Said: requests.Said{Evidence: m.Evidence, Tests: m.Tests, Files: m.Files, Reason: m.Reason, TakeOver: m.TakeOver}}
	if key.Kind == resources.WorkPlans {
		r.request.Task, r.request.WorkPlan, r.request.Met = "", key.Name, m.Criteria
		m.MetBy, m.MetAt = r.Author.Session, resources.NewTime(r.Now())
		if m.MetBy == "" && r.Author.Kind == admission.Agent {
			m.MetBy = "agent" // without a recorded session; "" is a user
		}
	}
	if m.Verb == transition.Defer { // a normal change: the queue has no verb for it
		r.request = nil
	}
	if key.Kind == resources.Tasks && (m.Verb == transition.Complete || m.Verb == transition.Review) {
		r.look(ctx, key.Name)
	}
	r.Author.TakeOver = m.TakeOver
	starts := m.Verb == transition.Start && key.Kind == resources.Tasks
	err = r.Run(ctx, func(tx *Tx) error {
		moved = ActResult{}
		moved.Result, err = tx.one(key, func(o resources.Object, v *View) (next resources.Object, err error) {
			if t, ok := o.(*resources.Task); ok && starts {
				if err := admission.MayStart(t, r.Author, v); err != nil {
					return nil, err
				}
			}
			if t, ok := o.(*resources.Task); ok && !starts {
				if err := admission.MayEnd(t, stateAfter(m.Verb), r.Author, v); err != nil {
					return nil, err
				}
			}
			m.MayStart = func(other *resources.Task) bool {
				_, _, unreadable := tx.get(other.Key()) // its last good version may stand for it
				return unreadable == nil && admission.MayStart(other, r.Author, v) == nil
			}
			next, moved.Outcome, err = transition.Make(o, m, v, func(o resources.Object) transition.View { return v.WithObject(o) })
			if t, ok := next.(*resources.Task); ok && starts && err == nil {
				r.enterAssignee(t, v)
			}
			var refused *apierrors.Refusal
			if t, ok := o.(*resources.Task); ok && errors.As(err, &refused) && refused.Cause == admission.TaskEnded && resources.IsFinal(resources.TaskState(t)) {
				refused.Step = admission.ReopenFor(t, r.Author)
			}
			if plan := planMoved(o, v); plan != nil && errors.As(err, &refused) && (refused.Cause == transition.PlanOver || refused.Cause == admission.TaskEnded) {
				refused.Step = admission.ReopenPlanFor(plan, r.Author, refused.Step)
			}
			return next, err
		})
		if t, ok := moved.Old.(*resources.Task); err == nil && starts && ok && len(tx.leases) == 0 { // it was active before
			err = tx.acquireLease(t)
		}
		if t, ok := moved.New.(*resources.Task); err == nil && starts && ok {
			err = tx.addToFocus(t)
		}
		if err == nil && starts {
			for _, t := range tx.leases {
				moved.Previous, moved.Claimed, moved.Exclusive, moved.GivenBack = t.Previous, t.New, t.Lease.Spec.Exclusive, t.GivenBack
			}
			moved.Recalled, err = tx.recallLapsed(key.Name)
		}
		if err == nil {
			err = tx.awaitRules()
		}
		if len(tx.waitingPlans) > 0 { // the plan is not completed after all
			moved.Open, moved.Notes = tx.waitingPlans[0], nil
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
	if task, ok := moved.Old.(*resources.Task); ok && err == nil && m.Verb == transition.Start && moved.Operation != Unchanged {
		if ended := planvisibility.OtherTrees(r.Store.Root()).Ended(task); ended != "" {
			moved.Notes = append(moved.Notes, fmt.Sprintf("Warning: task/%s is %s; merge its branch instead if that result is enough", key.Name, ended))
		}
	}
	if task, ok := moved.New.(*resources.Task); ok && err == nil && m.Verb == transition.Start && moved.Operation != Unchanged && !r.DryRun {
		if unnoted := RecordStartEvidence(ctx, r.Store, task); unnoted != nil {
			moved.Notes = append(moved.Notes, "Warning: "+unnoted.Error())
		}
	}
	if err == nil {
		moved.Released = !r.DryRun && (endsWork(moved.Old, moved.New) || changesEnd(moved.Old, moved.New))
		r.recordLooked(ctx, key.Name)
	}
	if err == nil && moved.Previous != nil {
		r.recordTakeOver(ctx, key, *moved.Previous)
	}
	if err == nil && m.Verb == transition.Complete && moved.Operation != Unchanged {
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
	files, err := LookForEvidence(ctx, r.Store, o, seen)
	switch {
	case errors.Is(err, store.ErrNotFound) && !r.DryRun: // start recording from now on
		_ = RecordStartEvidence(ctx, r.Store, o)
	case err == nil && len(files) > 0:
		r.unlogged = map[string][]string{task: files}
	}
}

// recordLooked records the findings of look. A failed write is repeated by the
// next call.
func (r Repo) recordLooked(ctx context.Context, task string) {
	if files := r.unlogged[task]; len(files) > 0 && !r.DryRun {
		_ = RecordFiles(ctx, r.Store, task, files, r.Now())
	}
}

// Verify records in a task which evidence items were seen, so that they count
// in every clone. It returns the new ones.
func (r Repo) Verify(ctx context.Context, task string) (seen []resources.EvidenceItem, err error) {
	key := resources.Key{Kind: resources.Tasks, Name: task}
	r.look(ctx, task)
	_, err = r.One(ctx, key, func(o resources.Object, v *View) (resources.Object, error) {
		t := o.(*resources.Task)
		seen = transition.Verified(t, v)
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
		if !status.IsExpired(d, t.View()) {
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
			return mems.Confirm(o.(*resources.Mem), mems.Confirmation{Author: by, Check: true}, v)
		})
		if err == nil && result.Operation == Configured {
			confirmed = append(confirmed, name)
		}
	}
	return confirmed
}

// Branch splits a task into others: see transition.Branched. All objects are
// written or none; a crash between the files leaves the new tasks next to the
// old one. moved.Related has the new tasks, then the tasks that depended on the
// old one.
func (r Repo) Branch(ctx context.Context, key resources.Key, into []string) (moved ActResult, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(key)
		if err != nil {
			return err
		}
		made, waiting, old, err := transition.Branched(o.(*resources.Task), into, tx.View())
		if err != nil {
			return err
		}
		var objects []resources.Object
		var over []string
		for _, t := range made {
			objects, over = append(objects, t), append(over, "")
		}
		for _, t := range waiting {
			there, err := tx.Record(t.Key())
			if err != nil {
				return err
			}
			objects, over = append(objects, t), append(over, there.Rev)
		}
		results, err := tx.putAll(append(slices.Clip(objects), old), append(over, record.Rev))
		if err == nil {
			last := len(results) - 1
			moved.Result, moved.Related = results[last], results[:last]
		}
		return err
	})
	return moved, err
}

// planMoved returns a plan, or the plan of a live task, or nil.
func planMoved(o resources.Object, v *View) *resources.WorkPlan {
	switch o := o.(type) {
	case *resources.WorkPlan:
		return o
	case *resources.Task:
		if plan, ok := v.Plan(o.Spec.WorkPlan); ok && status.LiveTask(o) {
			return plan
		}
	}
	return nil
}

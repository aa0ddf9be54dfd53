package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Moved is what came of a step in the life of a task or a plan.
type Moved struct {
	Result
	lifecycle.Outcome
	Recalled  []string // delegations of the task that had lapsed, sorted
	Confirmed []string // mems that the evidence cites
}

// Move makes a step. Who starts a task takes it over from whoever they handed it to that is
// gone: a delegate that comes back after all must not work on it as well.
func (r Repo) Move(ctx context.Context, m lifecycle.Move, key resources.Key) (moved Moved, err error) {
	r.wish = &wishes.Args{Task: key.Name, Evidence: m.Evidence, Tests: m.Tests, Files: m.Files, Reason: m.Reason}
	if key.Kind == resources.WorkPlans {
		r.wish.Task, r.wish.WorkPlan = "", key.Name
	}
	err = r.Run(ctx, func(tx *Tx) error {
		moved = Moved{}
		moved.Result, err = tx.one(key, func(o resources.Object, v *View) (next resources.Object, err error) {
			next, moved.Outcome, err = lifecycle.Make(o, m, v, func(o resources.Object) lifecycle.World { return v.With(o) })
			return next, err
		})
		if err == nil && m.Verb == lifecycle.Start && key.Kind == resources.Tasks {
			moved.Recalled, err = tx.recallLapsed(key.Name)
		}
		return err
	})
	if err == nil && m.Verb == lifecycle.Complete && moved.What != Unchanged {
		moved.Confirmed = r.confirmCited(ctx, m.Evidence, "task/"+key.Name)
	}
	return moved, err
}

// recallLapsed recalls the delegations of a task that have lapsed.
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

// confirmCited confirms the mems that a text cites, in the name of by, and returns their
// names. One that is not there, or out of use, or whose evidence has changed since, is
// left as it is: nobody said that somebody looked.
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

package mutate

import (
	"context"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Propose creates a decision that needs only a title. It derives a missing name
// from the title, records the hashes of its citations and links it to existing
// tasks by name. All objects are written or none. The first result is the
// decision's.
func (r Repo) Propose(ctx context.Context, d *resources.Decision, tasks ...string) (results []Result, err error) {
	given := *d
	err = r.Run(ctx, func(tx *Tx) (err error) {
		*d = given // Run may call this function again
		if d.Metadata.Name == "" {
			if d.Metadata.Name, err = tx.freeName(resources.Decisions, resources.NameOf(d.Spec.Title)); err != nil {
				return err
			}
		}
		d.Spec.Evidence = citations(given.Spec.Evidence, tx.View())
		objects, over := []resources.Object{d}, []string{""}
		for _, name := range tasks {
			key := resources.Key{Kind: resources.Tasks, Name: name}
			record, o, err := tx.get(key)
			if err != nil {
				return &ObjectError{key, err}
			}
			t := resources.Clone(o).(*resources.Task)
			if !slices.Contains(t.Spec.Decisions, d.Metadata.Name) {
				t.Spec.Decisions = append(t.Spec.Decisions, d.Metadata.Name)
			}
			objects, over = append(objects, t), append(over, record.Rev)
		}
		results, err = tx.putAll(objects, over)
		return err
	})
	return results, err
}

// citations returns evidence with the hashes of its citations. A note that names a
// file becomes a citation.
func citations(evidence []resources.MemEvidence, v *View) []resources.MemEvidence {
	evidence = slices.Clone(evidence)
	for i := range evidence {
		e := &evidence[i]
		if e.Path == "" {
			*e = mems.Evidence(e.Note, v)
		}
		if e.Path != "" && e.SHA256 == "" {
			*e = memory.Look(*e, v).Now
		}
	}
	return evidence
}

// Verdict is a user's verdict on a decision.
type Verdict struct {
	State  string // resources.DecisionAccepted or DecisionRejected
	Author string // author of the verdict
	Reason string // reason of a rejection
}

// Decide accepts or rejects a decision. Accepting it again updates the hashes
// of the documents that it depends on. Otherwise a repeated verdict changes
// nothing.
func (r Repo) Decide(ctx context.Context, key resources.Key, verdict Verdict) (decided ActResult, err error) {
	if verdict.State == resources.DecisionRejected && verdict.Reason == "" {
		return decided, fmt.Errorf("%s is not rejected without a reason; say why: --reason", key)
	}
	err = r.Run(ctx, func(tx *Tx) error {
		waiting := waitingOn(key, tx.View())
		decided.Result, err = tx.one(key, func(o resources.Object, v *View) (resources.Object, error) {
			d := o.(*resources.Decision)
			if resources.DecisionState(d) != verdict.State {
				d.Spec.State, d.Spec.DecidedBy, d.Spec.Reason, d.Spec.DecidedAt = verdict.State, verdict.Author, verdict.Reason, resources.NewTime(v.Now())
			}
			if verdict.State == resources.DecisionAccepted {
				d.Spec.Against = status.Against(d, v)
			}
			return d, nil
		})
		if err == nil {
			decided.Unblocked = slices.DeleteFunc(waiting, func(name string) bool { return !ready(name, tx.View()) })
		}
		return err
	})
	return decided, err
}

// waitingOn returns the tasks that depend on a decision, or on the one that it
// replaces, and that may not be started, sorted.
func waitingOn(key resources.Key, v *View) (names []string) {
	keys := []resources.Key{key}
	if d, ok := v.Decision(key.Name); ok && d.Spec.Supersedes != "" {
		keys = append(keys, resources.Key{Kind: resources.Decisions, Name: d.Spec.Supersedes})
	}
	for o := range v.Referring(keys...) {
		if t, ok := o.(*resources.Task); ok && len(t.Spec.Decisions) > 0 && !ready(t.Metadata.Name, v) {
			names = append(names, t.Metadata.Name)
		}
	}
	slices.Sort(names)
	return names
}

// ready reports whether a task may be started.
func ready(task string, v *View) bool {
	t, ok := v.Task(task)
	if !ok {
		return false
	}
	st, _ := status.DeriveTask(t, v)
	return st.Ready
}

// Supersede makes a decision replace another one once it is accepted. A
// decision can replace only one.
func (r Repo) Supersede(ctx context.Context, old, by resources.Key) (Result, error) {
	return r.One(ctx, by, func(o resources.Object, v *View) (resources.Object, error) {
		d := o.(*resources.Decision)
		switch was := d.Spec.Supersedes; {
		case !v.Exists(old):
			return nil, apierrors.NotFound(old)
		case was != "" && was != old.Name:
			return nil, fmt.Errorf("%s already supersedes decision/%s; propose another decision: idumb decide \"...\"", by, was)
		}
		d.Spec.Supersedes = old.Name
		return d, nil
	})
}

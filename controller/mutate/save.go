package mutate

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// SaveMem writes what saving a mem leads to by decide (mems.Save or mems.Keep): a new
// mem, one that replaces another one, or one that was there, counted up. An empty name is
// made up. m is not changed.
func (r Repo) SaveMem(ctx context.Context, m *resources.Mem, decide func(*resources.Mem, mems.View) (mems.Saved, error)) (Result, mems.Saved, error) {
	var result Result
	var saved mems.Saved
	err := r.Run(ctx, func(tx *Tx) error {
		next := resources.Clone(m).(*resources.Mem)
		if errs := resources.Validate(named(next)); len(errs) > 0 {
			return admission.Invalid(next.Key(), errs)
		}
		if _, current, err := tx.get(next.Key()); err == nil && r.did(current) {
			result, saved = Result{Key: next.Key(), What: Unchanged, Before: current, After: current}, mems.Saved{}
			return nil
		}
		var err error
		if saved, err = decide(next, tx.View()); err != nil {
			return err
		}
		if saved.What == mems.Duplicate {
			result, err = tx.Put(saved.Mem)
			return err
		}
		c, err := tx.planOver(next, "")
		if err == nil {
			result, err = tx.commit(c)
		}
		return err
	})
	return result, saved, err
}

// named is a mem with a name, for being validated before it has one.
func named(m *resources.Mem) *resources.Mem {
	if m.Metadata.Name != "" {
		return m
	}
	copied := *m
	copied.Metadata.Name = "new"
	return &copied
}

// Derived is what became of a mem that was made of something else.
type Derived struct {
	Result
	Why string // what kept it from being written; "": it was
	Err error  // the rule that forbids it, a *apierrors.Status; nil if none does
}

// Derive writes mems that were made of something else, each if there is none of it yet (see
// mems.Derive), in one change: what there is already is read once for all of them. mems are
// not changed. An error says that nothing was written.
func (r Repo) Derive(ctx context.Context, mems []*resources.Mem) ([]Derived, error) {
	var all []Derived
	err := r.Run(ctx, func(tx *Tx) error {
		all = make([]Derived, len(mems))
		for i, m := range mems {
			err := tx.derive(m, &all[i])
			if status := (*apierrors.Status)(nil); errors.As(err, &status) {
				all[i].Err, err = err, nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

func (t *Tx) derive(m *resources.Mem, d *Derived) (err error) {
	var next *resources.Mem
	if next, d.Why = mems.Derive(resources.Clone(m).(*resources.Mem), t.View()); next == nil {
		return nil
	}
	d.Result, err = t.Put(next)
	return err
}

// LoseSource sees to the mem of a commit that nothing leads to any more (see
// mems.LoseSource). The Result's What is "" where nothing had to be done.
func (r Repo) LoseSource(ctx context.Context, made, heir *resources.Mem) (result Result, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		result = Result{}
		next := mems.LoseSource(made, heir, tx.View())
		if next == nil {
			return nil
		}
		result, err = tx.Put(next)
		return err
	})
	return result, err
}

package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// SaveMem writes the result of decide (mems.Save or mems.Add): a new mem, a
// replacement of another one, or an existing mem with a higher count. It
// generates a missing name. It does not modify m.
func (r Repo) SaveMem(ctx context.Context, m *resources.Mem, decide func(*resources.Mem, mems.View) (mems.Saved, error)) (Result, mems.Saved, error) {
	var result Result
	var saved mems.Saved
	err := r.Run(ctx, func(tx *Tx) error {
		next := resources.Clone(m).(*resources.Mem)
		if errs := resources.Validate(named(next)); len(errs) > 0 {
			return admission.Invalid(next.Key(), errs)
		}
		if _, current, err := tx.get(next.Key()); err == nil && r.hasWritten(current) {
			result, saved = Result{Key: next.Key(), Operation: Unchanged, Old: current, New: current}, mems.Saved{}
			return nil
		}
		var err error
		if saved, err = decide(next, tx.View()); err != nil {
			return err
		}
		if saved.Operation == mems.Duplicate {
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

// named returns a mem with a name, for validation before it has one.
func named(m *resources.Mem) *resources.Mem {
	if m.Metadata.Name != "" {
		return m
	}
	copied := *m
	copied.Metadata.Name = "new"
	return &copied
}

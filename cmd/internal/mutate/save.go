package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/cmd/internal/memory"
	"github.com/idumb-dev/idumb/resources"
)

// SaveMem writes what saving a mem leads to by decide (memory.Save or memory.Keep): a new
// mem, one that replaces another one, or one that was there, counted up. An empty name is
// made up. m is not changed.
func (r Repo) SaveMem(ctx context.Context, m *resources.Mem, decide func(*resources.Mem, memory.World) (memory.Saved, error)) (Result, memory.Saved, error) {
	var result Result
	var saved memory.Saved
	err := r.Run(ctx, func(tx *Tx) error {
		next := resources.Clone(m).(*resources.Mem)
		if errs := resources.Validate(named(next)); len(errs) > 0 {
			return invalid(next.Key(), errs)
		}
		var err error
		if saved, err = decide(next, tx.View()); err != nil {
			return err
		}
		if saved.What == memory.Duplicate {
			result, err = tx.Put(saved.Mem)
			return err
		}
		if err := tx.prepareNew(next, next.Metadata.Name == ""); err != nil {
			return err
		}
		result, err = tx.Put(next)
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

// FeedMem writes a mem that was made of something else, if there is none of it yet (see
// memory.Feed). why says what kept it from being written; "": it was. m is not changed.
func (r Repo) FeedMem(ctx context.Context, m *resources.Mem) (result Result, why string, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		var next *resources.Mem
		result, why = Result{}, ""
		if next, why = memory.Feed(resources.Clone(m).(*resources.Mem), tx.View()); next == nil {
			return nil
		}
		Stamp(next, r.Now())
		result, err = tx.Put(next)
		return err
	})
	return result, why, err
}

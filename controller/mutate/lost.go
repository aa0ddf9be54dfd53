package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/memory"
	"github.com/idumb-dev/idumb/resources"
)

// LoseSource sees to the mem of a commit that nothing leads to any more (see
// memory.LoseSource). The Result's What is "" where nothing had to be done.
func (r Repo) LoseSource(ctx context.Context, made, heir *resources.Mem) (result Result, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		result = Result{}
		next := memory.LoseSource(made, heir, tx.View())
		if next == nil {
			return nil
		}
		result, err = tx.Put(next)
		return err
	})
	return result, err
}

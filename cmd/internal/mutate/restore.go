package mutate

import (
	"context"
	"errors"
	"slices"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Restore brings an archived object back, and with a plan its archived tasks. It
// returns the keys of what came back.
func (r Repo) Restore(ctx context.Context, key resources.Key) ([]resources.Key, error) {
	var back []resources.Key
	err := r.Run(ctx, func(tx *Tx) error {
		var err error
		if back, err = tx.archivedWith(key); err != nil || tx.files == nil {
			return err
		}
		for _, key := range back {
			if err := tx.files.Restore(key); err != nil {
				return restoreError(key, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return back, nil
}

// archivedWith returns the key and, for a plan, those of its archived tasks.
func (t *Tx) archivedWith(key resources.Key) ([]resources.Key, error) {
	archived, err := t.repo.Store.ListArchived(t.ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(archived, key) {
		return nil, notArchived(key)
	}
	back := []resources.Key{key}
	if key.Kind != resources.WorkPlans {
		return back, nil
	}
	for _, other := range archived {
		if other.Kind == resources.Tasks && t.archivedPlan(other) == key.Name {
			back = append(back, other)
		}
	}
	return back, nil
}

// archivedPlan returns the plan of an archived task; "" if it cannot be read,
// for then it belongs to none.
func (t *Tx) archivedPlan(key resources.Key) string {
	data, _, err := t.repo.Store.Root().Read(layout.ArchivePath(key), layout.MaxSpec)
	if err != nil {
		return ""
	}
	object, _, err := resources.Decode(key, data)
	if err != nil {
		return ""
	}
	return object.(*resources.Task).Spec.WorkPlan
}

func notArchived(key resources.Key) error {
	return &failure.Status{Reason: "NotFound", Message: key.Kind + "." + resources.Group + " \"" + key.Name + "\" not found in .idumb/archive"}
}

// restoreError turns what the store says into what people know.
func restoreError(key resources.Key, err error) error {
	switch {
	case errors.Is(err, store.ErrExists):
		return failure.AlreadyExists(key)
	case errors.Is(err, store.ErrNotFound):
		return notArchived(key)
	}
	return err
}

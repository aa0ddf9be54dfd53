package onboarding

import (
	"context"
	"errors"
	"slices"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// Undone is the result of undoing one change.
type Undone struct {
	What string // path of the object, or the file of the lines
	Kept string // why it was kept; empty if it was removed
}

// Undo removes the objects and lines that onboarding created and that were not changed since. It
// removes the last first, so that no reference dangles. It keeps and reports changed objects, and
// objects that newer objects need. Then it removes the record. With repo.DryRun it changes nothing
// and returns the expected result.
func Undo(ctx context.Context, repo mutate.Repo, root layout.Root) (all []Undone, err error) {
	r, err := readRecord(root)
	if err != nil {
		return nil, err
	}
	for _, o := range slices.Backward(r.Objects) {
		if u, there := takeObject(ctx, repo, root, o); there {
			all = append(all, u)
		}
	}
	for _, b := range slices.Backward(r.Blocks) {
		if u, there := takeBlock(repo.DryRun, root, b); there {
			all = append(all, u)
		}
	}
	if repo.DryRun {
		return all, nil
	}
	if err := root.Remove(recordFile); err != nil && !errors.Is(err, store.ErrNotFound) {
		return all, err
	}
	return all, nil
}

// takeObject removes one object. It returns false if the object no longer exists.
func takeObject(ctx context.Context, repo mutate.Repo, root layout.Root, o madeObject) (Undone, bool) {
	u := Undone{What: root.Locate(o.key())}
	switch sum, err := sumOf(root, o.key()); {
	case errors.Is(err, store.ErrNotFound):
		return u, false
	case err != nil:
		u.Kept = err.Error()
	case sum != o.SHA256:
		u.Kept = "it was changed since"
	case !repo.DryRun:
		_, err := repo.Delete(ctx, []resources.Key{o.key()}, mutate.Guarded)
		if err == nil {
			err = reconcilers.Underive(root, o.key())
		}
		if err != nil {
			u.Kept = err.Error()
		}
	}
	return u, true
}

// takeBlock removes the lines of onboarding from a file. It returns false if they no longer exist.
func takeBlock(dry bool, root layout.Root, b madeBlock) (Undone, bool) {
	u := Undone{What: "lines in " + b.File}
	switch there, err := agents.Fitted(string(root), b.File); {
	case err != nil:
		u.Kept = err.Error()
	case there == "":
		return u, false
	case agents.EditedFit(there):
		u.Kept = agents.ErrEditedFit.Error()
	case !dry:
		if err := agents.Fit(string(root), b.File, ""); err != nil {
			u.Kept = err.Error()
		}
	}
	return u, true
}

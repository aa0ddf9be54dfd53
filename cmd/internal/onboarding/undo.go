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

// Undone is what became of one thing that onboarding made.
type Undone struct {
	What string // where it stood, or stands
	Kept string // why it was left where it is; "" if it was taken out
}

// Undo takes out what onboarding made and nobody changed since: the last first, so that nothing is
// left that refers to what goes. What was changed, or is needed by what was made since, stays and is
// named. After that nothing is remembered any more. With repo.DryRun it only says what it would do.
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

// takeObject takes out one object; false: it was gone before.
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

// takeBlock takes our lines out of one file; false: they were gone before.
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

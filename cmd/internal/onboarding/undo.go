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

// UndoResult is the result of undoing one change.
type UndoResult struct {
	Subject    string // path of the object, or the file of the lines
	KeptReason string // why it was kept; empty if it was removed
}

// Undo removes the objects and lines that onboarding created and that were not changed since. It
// removes the last first, so that no reference dangles. It keeps and reports changed objects, and
// objects that newer objects need. Then it removes the record. With repo.DryRun it changes nothing
// and returns the expected result.
func Undo(ctx context.Context, repo mutate.Repo, root layout.Root) (all []UndoResult, err error) {
	r, err := readUndoRecord(root)
	if err != nil {
		return nil, err
	}
	for _, o := range slices.Backward(r.Objects) {
		if u, there := removeObject(ctx, repo, root, o); there {
			all = append(all, u)
		}
	}
	for _, b := range slices.Backward(r.Blocks) {
		if u, there := removeBlock(repo.DryRun, root, b); there {
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

// removeObject removes one object. It returns false if the object no longer exists.
func removeObject(ctx context.Context, repo mutate.Repo, root layout.Root, o madeObject) (UndoResult, bool) {
	u := UndoResult{Subject: root.Locate(o.key())}
	switch sum, err := sumOf(root, o.key()); {
	case errors.Is(err, store.ErrNotFound):
		return u, false
	case err != nil:
		u.KeptReason = err.Error()
	case sum != o.SHA256:
		u.KeptReason = "it was changed since"
	case !repo.DryRun:
		_, err := repo.Delete(ctx, []resources.Key{o.key()}, mutate.Guarded)
		if err == nil {
			err = reconcilers.Underive(root, o.key())
		}
		if err != nil {
			u.KeptReason = err.Error()
		}
	}
	return u, true
}

// removeBlock removes the lines of onboarding from a file. It returns false if they no longer exist.
func removeBlock(dry bool, root layout.Root, b madeBlock) (UndoResult, bool) {
	u := UndoResult{Subject: "lines in " + b.File}
	switch there, err := agents.ReadFitted(string(root), b.File); {
	case err != nil:
		u.KeptReason = err.Error()
	case there == "":
		return u, false
	case agents.EditedFit(there):
		u.KeptReason = agents.ErrEditedFit.Error()
	case !dry:
		if err := agents.WriteFitted(string(root), b.File, ""); err != nil {
			u.KeptReason = err.Error()
		}
	}
	return u, true
}

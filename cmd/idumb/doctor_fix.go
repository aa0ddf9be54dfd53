package main

import (
	"context"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// truncatedFiles returns the objects with truncated files.
func (a *app) truncatedFiles(ctx context.Context) (all []mutate.Truncated, err error) {
	there, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range there.snap.Problems() {
		good, _, known := there.root.LastGood(p.Key)
		record, err := there.files.Get(ctx, p.Key)
		if t, torn := mutate.TruncatedOf(record, good); known && err == nil && torn {
			all = append(all, t)
		}
	}
	return all, nil
}

// fixTorn restores the truncated part of files if the result is certain, and prints a diff first.
// It leaves all other problems to the user.
func (a *app) fixTorn(ctx context.Context, w *writeFlags) error {
	all, err := a.truncatedFiles(ctx)
	if err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	return each(all, func(t mutate.Truncated) error {
		file := layout.Path(t.Key)
		a.errf("%s", terminal.Escape(agents.Unified(file, file, t.Content, t.LastGood)))
		err := repo.Repair(ctx, t)
		if err == nil {
			a.errf("%s: restored from the last valid version%s\n", file, w.suffix())
		}
		return err
	})
}

// removeLeftovers removes temporary files of killed processes.
func (a *app) removeLeftovers(ctx context.Context, w *writeFlags) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	left := filestore.Leftovers(root, a.now())
	if !w.dry() {
		files, err := filestore.Open(string(root))
		if err == nil {
			err = files.Sweep(ctx)
		}
		if err != nil {
			return err
		}
	}
	for _, file := range left {
		a.errf("%s: removed%s\n", file, w.suffix())
	}
	return nil
}

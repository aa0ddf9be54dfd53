package daemon

import (
	"context"
	"errors"
	"slices"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/controller/store/filestore/githistory"
	"github.com/idumb-dev/idumb/resources"
)

// maxFormer is how many branches that HEAD left are remembered: one of them may be thrown
// away, or its commits may go when a rebase ends.
const maxFormer = 20

// formers are the commits that HEAD stood at and may not lead to any more, once it stands at
// head, the last one last.
func formers(seen fed, head string) []string {
	all := slices.Clone(seen.Former)
	if seen.Commit != "" && seen.Commit != head {
		all = append(slices.DeleteFunc(all, func(former string) bool { return former == seen.Commit }), seen.Commit)
	}
	return all[max(0, len(all)-maxFormer):]
}

// rewritten sees to the mems of commits that HEAD led to once and that nothing leads to any
// more, since they were amended or dropped. It returns the former commits that are to be
// looked at again when HEAD moves.
func (f *feeder) rewritten(ctx context.Context, formers []string) ([]string, error) {
	var again []string
	var errs []error
	for _, former := range formers {
		trail, lost, err := githistory.LostSince(ctx, f.root, former, maxCommits)
		for _, l := range lost {
			err = errors.Join(err, f.lost(ctx, l))
		}
		if errs = append(errs, err); trail == githistory.Aside || err != nil {
			again = append(again, former)
		}
	}
	return again, errors.Join(errs...)
}

func (f *feeder) lost(ctx context.Context, l githistory.Lost) error {
	made := resources.MemOfCommit(l.Commit)
	if made == nil || l.Kept {
		return nil
	}
	var heir *resources.Mem
	if l.Heir != nil {
		heir = resources.MemOfCommit(*l.Heir)
	}
	_, err := f.repo.LoseSource(ctx, made, heir)
	if status := (*failure.Status)(nil); errors.As(err, &status) {
		return nil // the rules between objects: trying again would not help
	}
	return err
}

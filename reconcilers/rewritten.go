package reconcilers

import (
	"context"
	"errors"
	"slices"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
)

// maxFormer is how many branches that HEAD left are remembered: one of them may be thrown
// away, or its commits may go when a rebase ends.
const maxFormer = 20

// formers are the commits that HEAD stood at and may not lead to any more, once it stands at
// head, the last one last.
func formers(done derived, head string) []string {
	all := slices.Clone(done.Former)
	if done.Commit != "" && done.Commit != head {
		all = append(slices.DeleteFunc(all, func(former string) bool { return former == done.Commit }), done.Commit)
	}
	return all[max(0, len(all)-maxFormer):]
}

// rewritten sees to the mems of commits that HEAD led to once and that nothing leads to any
// more, since they were amended or dropped. It returns the former commits that are to be
// looked at again when HEAD moves.
func (d *deriver) rewritten(ctx context.Context, formers []string) ([]string, error) {
	var again []string
	var errs []error
	for _, former := range formers {
		trail, lost, err := githistory.LostSince(ctx, d.root, former, maxCommits)
		for _, l := range lost {
			err = errors.Join(err, d.lost(ctx, l))
		}
		if errs = append(errs, err); trail == githistory.Aside || err != nil {
			again = append(again, former)
		}
	}
	return again, errors.Join(errs...)
}

func (d *deriver) lost(ctx context.Context, l githistory.Lost) error {
	made := memory.OfCommit(l.Commit)
	if made == nil || l.Kept {
		return nil
	}
	var heir *resources.Mem
	if l.Heir != nil {
		heir = memory.OfCommit(*l.Heir)
	}
	_, err := d.changing.LoseSource(ctx, made, heir)
	if status := (*apierrors.Status)(nil); errors.As(err, &status) {
		return nil // the rules between objects: trying again would not help
	}
	return err
}

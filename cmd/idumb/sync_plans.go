package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
)

// beginFlags are the options for the first exchange of a clone's objects.
type beginFlags struct {
	plans, seed, join, pushNew bool
}

// check returns an error for invalid combinations.
func (b *beginFlags) check() error {
	switch {
	case b.seed && b.join:
		return errors.New("cannot set --seed and --join at the same time")
	case !b.plans && (b.seed || b.join || b.pushNew):
		return errors.New("--seed, --join and --push-new require --plans")
	}
	return nil
}

// beginPlans removes the objects from git and prepares their exchange.
func (a *app) beginPlans(ctx context.Context, root layout.Root, next *sync.Settings, b *beginFlags) error {
	files, err := a.open()
	if err != nil {
		return err
	}
	team, err := sync.TeamOf(root, os.Getenv, next)
	if err != nil {
		return err
	}
	defer team.Close()
	team.Share(files)
	kept, err := team.PrepareJoin(ctx, sync.JoinOptions{Seed: b.seed, Join: b.join, PushNew: b.pushNew})
	if err != nil {
		return err
	}
	leaving, err := sync.Leaving(ctx, root)
	if err == nil {
		err = leaving.Make(ctx, root)
	}
	if err != nil {
		return err
	}
	if n := len(leaving.Files); n > 0 || len(leaving.Lines) > 0 {
		what := "git ignores these resources from now on (.idumb/.gitignore)"
		if n > 0 {
			what = fmt.Sprintf("%d files removed from git, not from disk", n)
		}
		a.outf("%s; review and commit the changes: git diff --cached --stat, then git commit -m 'plans are shared by idumb sync'\n", what)
		a.outf("other clones run idumb sync enable --plans after they pull the commit; on branches without it, git still tracks the files\n")
	}
	if kept > 0 {
		a.outf("%d resources exist only in this clone and are held back; idumb sync enable --plans --push-new sends them\n", kept)
	}
	return nil
}

// warnOfPlans prints the objects with conflicts, and the objects that were not sent or not
// accepted.
func (a *app) warnOfPlans(r *exchange.Report) {
	if r == nil {
		return
	}
	for _, key := range r.Marked {
		a.errf("Warning: %s also changed in another clone: kept the team's value; yours is saved; see idumb sync conflicts\n", qualified(key))
	}
	for _, h := range r.NotPushed {
		a.errf("Warning: %s is not sent: %s\n", h.Object, terminal.EscapeLine(h.Reason))
	}
	for _, h := range r.Refused {
		a.errf("Warning: %s is not taken: %s\n", terminal.EscapeLine(h.Object), terminal.EscapeLine(h.Reason))
	}
}

// tellPlans prints the number of objects in the team and of transferred objects.
func (a *app) tellPlans(r *exchange.Report) {
	if r == nil {
		return
	}
	parts := []string{terminal.Count(r.Team, "object") + " in the team", fmt.Sprintf("%d sent", len(r.Pushed)), fmt.Sprintf("%d taken", len(r.Pulled))}
	for _, more := range []struct {
		n    int
		what string
	}{{len(r.PutBack), "put back"}, {len(r.SetAside), "set aside"}, {r.Tracked, "left to git, which tracks them on this branch"}, {r.LocalOnly, "only here and kept back"}, {r.NotFollowed, "of plans that are not followed"}} {
		if more.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", more.n, more.what))
		}
	}
	a.outf("%s\n", strings.Join(parts, ", "))
}

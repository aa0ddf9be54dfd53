package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/engine/gitengine"
)

// snapshotFlags are those of sync snapshot.
type snapshotFlags struct {
	push, daily, public bool
	remote              string
}

func newSyncSnapshot(a *app) *cobra.Command {
	var f snapshotFlags
	c := newCommand("sync snapshot", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.snapshot(c.Context(), &f) })
	c.Flags().BoolVar(&f.push, "push", false, "push it to a git remote, upon what stands there")
	c.Flags().StringVar(&f.remote, "remote", "origin", "with --push: the git remote, by its name")
	c.Flags().BoolVar(&f.public, "public", false, "with --push: also where everybody can read it")
	c.Flags().BoolVar(&f.daily, "daily", false, "only if no clone of the team took one today")
	return c
}

func (a *app) snapshot(ctx context.Context, f *snapshotFlags) error {
	root, err := a.root()
	if err == nil {
		err = personsOnly(root, "sync snapshot")
	}
	if err != nil {
		return err
	}
	address := ""
	if f.push {
		if address, err = remoteAddress(ctx, root, f.remote); err != nil {
			return err
		}
		if !f.public && gitengine.Public(ctx, address) {
			return fmt.Errorf("everybody can read %s, and would read the team's plans; use another remote with --remote, or agree with --public", terminal.EscapeLine(address))
		}
	}
	team, err := a.teamOfPlans()
	if err != nil {
		return err
	}
	defer team.Close()
	if f.daily {
		err = team.Daily(ctx, a.now(), func() error { return a.takeSnapshot(ctx, team, address) })
	} else {
		err = a.takeSnapshot(ctx, team, address)
	}
	var done *sync.DoneError
	if errors.Is(err, sync.ErrHasHistory) || errors.As(err, &done) {
		a.outf("no snapshot is needed: %s\n", terminal.EscapeLine(err.Error()))
		return nil
	}
	return err
}

// takeSnapshot makes one, and brings it to a remote's address, "" for none.
func (a *app) takeSnapshot(ctx context.Context, team *sync.Team, address string) (err error) {
	upon := ""
	if address != "" {
		if upon, err = team.Pushed(ctx, address); err != nil {
			return err
		}
	}
	s, err := team.Snapshot(ctx, upon)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%d objects of the team at %s", s.Objects, sync.HistoryRef)
	if s.Same {
		what += ", nothing changed since the last one"
	}
	if address != "" && s.Commit != upon {
		if err := team.Push(ctx, address, upon); err != nil {
			return err
		}
		what += ", pushed"
	}
	a.outf("snapshot %.12s: %s\n", s.Commit, what)
	return nil
}

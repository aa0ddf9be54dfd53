package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/daemon"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
)

func newUninstall(a *app) *cobra.Command {
	var all, yes bool
	c := newSetup("uninstall", func(ctx context.Context, w *writeFlags) error { return a.uninstall(ctx, w, all, yes) })
	c.Flags().BoolVar(&all, "all", false, "remove .idumb as well, with all resources")
	c.Flags().BoolVar(&yes, "yes", false, "remove .idumb without a prompt")
	return c
}

func (a *app) uninstall(ctx context.Context, w *writeFlags, all, yes bool) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "uninstall")
	}
	if err != nil {
		return err
	}
	if all && !w.dry() && !yes && !a.agreed("Remove "+root.Abs(layout.Dir)+" with all plans, tasks, anchors and mems in it? [y/N] ") {
		return errors.New("no files removed; answer y, or use --yes")
	}
	if !w.dry() {
		if holder, err := daemon.Stop(ctx, string(root)); err != nil {
			return err
		} else if holder.PID != 0 {
			a.outf("controller stopped (%s)\n", holder.Process())
		}
	}
	steps, unread, err := upgrades.Uninstall(root)
	if err != nil {
		return err
	}
	if all {
		steps = append(steps, upgrades.RemoveAll(root)...)
	}
	settings, err := sync.Load(root, os.Getenv)
	unread = errors.Join(unread, err)
	if all {
		steps = append(steps, upgrades.Unshare(root, settings)...)
	}
	remains := upgrades.Remains(root, settings)
	store := trustStore()
	if record := store.Load(root); record.Any() && !record.Granted() {
		if !w.dry() {
			if _, err := store.Untrust(root); err != nil {
				return err
			}
		}
		a.outf("%-9s %s%s\n", "revoked", "trust in "+string(root), w.suffix())
	}
	if err := a.carryOut(steps, w); err != nil {
		return err
	}
	for _, what := range remains {
		a.outf("%-9s %s\n", "kept", terminal.EscapeLine(what))
	}
	return unread
}

// agreed prompts the user and reports whether the answer was yes.
func (a *app) agreed(question string) bool {
	a.errf("%s", question)
	answer, _ := bufio.NewReader(a.stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}

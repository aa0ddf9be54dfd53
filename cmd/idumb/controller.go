package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/daemon"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
)

func newController(a *app) *cobra.Command {
	return withVerbs(newCommand("controller", nil, noSubVerb), a.controllerStart(), a.controllerStop(), a.controllerStatus(), a.controllerLogs(), newKubeconfig(a))
}

// controllerStart returns the verb that starts the controller in the background. If one is
// running, the verb succeeds.
func (a *app) controllerStart() *cobra.Command {
	return newCommand("controller start", cobra.NoArgs, a.atRoot(func(ctx context.Context, root string) error {
		progress := time.AfterFunc(time.Second, func() {
			a.errf("the controller is still starting: it reads the repository, or waits for another program that locks .idumb\n")
		})
		holder, err := daemon.Start(ctx, root)
		progress.Stop()
		if running := (*lease.RunningError)(nil); errors.As(err, &running) {
			a.outf("%s\n", running)
			return nil
		}
		if err == nil {
			a.outf("controller started (pid %d)\n", holder.PID)
		}
		return err
	}))
}

// controllerStop returns the verb that stops the controller.
func (a *app) controllerStop() *cobra.Command {
	return newCommand("controller stop", cobra.NoArgs, a.atRoot(func(ctx context.Context, root string) error {
		switch holder, err := daemon.Stop(ctx, root); {
		case err != nil:
			return err
		case holder.PID == 0:
			a.outf("no controller is running in this repository\n")
		default:
			a.outf("controller stopped (%s)\n", holder.Process())
		}
		return nil
	}))
}

// controllerStatus returns the verb that prints the state of the controller.
func (a *app) controllerStatus() *cobra.Command {
	return newCommand("controller status", cobra.NoArgs, a.atRoot(func(ctx context.Context, root string) error {
		status, err := daemon.Inspect(ctx, root)
		if err != nil {
			return err
		}
		return status.Print(a.stdout)
	}))
}

// controllerLogs returns the verb that prints the controller's log.
func (a *app) controllerLogs() *cobra.Command {
	var follow bool
	c := newCommand("controller logs", cobra.NoArgs, a.atRoot(func(ctx context.Context, root string) error { return daemon.Logs(ctx, root, a.stdout, follow) }))
	c.Flags().BoolVarP(&follow, "follow", "f", false, "keep printing new lines")
	return c
}

// atRoot returns the run function of a command that calls f with the root of the repository.
func (a *app) atRoot(f func(ctx context.Context, root string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		root, err := a.root()
		if err != nil {
			return err
		}
		return f(c.Context(), string(root))
	}
}

package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/daemon"
	"github.com/idumb-dev/idumb/controller/store/filestore/lease"
)

const controllerDoc = `Run the controller of this repository in the background, and ask how it does.
idumb up runs it in the foreground.`

func newController(a *app) *cobra.Command {
	c := &cobra.Command{Use: "controller (start|stop|status|logs)", Short: "Run the controller in the background", Long: controllerDoc, RunE: noSubVerb}
	c.AddCommand(a.controllerStart(), a.controllerStop(), a.controllerStatus(), a.controllerLogs())
	return c
}

func (a *app) controllerStart() *cobra.Command {
	return &cobra.Command{
		Use: "start", Short: "Start a controller in the background", Args: cobra.NoArgs,
		RunE: a.atRoot(func(ctx context.Context, root string) error {
			holder, err := daemon.Start(ctx, root, "up")
			if running := (*lease.RunningError)(nil); errors.As(err, &running) {
				a.outf("%s\n", running)
				return nil
			}
			if err == nil {
				a.outf("controller started (pid %d)\n", holder.PID)
			}
			return err
		}),
	}
}

func (a *app) controllerStop() *cobra.Command {
	return &cobra.Command{
		Use: "stop", Short: "End the controller", Args: cobra.NoArgs,
		Long: "End the controller. Agents' sessions start none either, until you do: idumb controller start, or idumb up.",
		RunE: a.atRoot(func(ctx context.Context, root string) error {
			holder, err := daemon.Stop(ctx, root)
			switch {
			case err != nil:
				return err
			case holder.PID == 0:
				a.outf("no controller is running here\n")
			default:
				a.outf("controller stopped (%s)\n", holder.Process())
			}
			return nil
		}),
	}
}

func (a *app) controllerStatus() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say whether a controller runs, and how it does", Args: cobra.NoArgs,
		RunE: a.atRoot(func(ctx context.Context, root string) error {
			status, err := daemon.Inspect(ctx, root)
			if err != nil {
				return err
			}
			return status.Print(a.stdout)
		}),
	}
}

func (a *app) controllerLogs() *cobra.Command {
	var follow bool
	c := &cobra.Command{
		Use: "logs", Short: "Print the log of the background controller", Args: cobra.NoArgs,
		RunE: a.atRoot(func(ctx context.Context, root string) error { return daemon.Logs(ctx, root, a.stdout, follow) }),
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on, with what is added")
	return c
}

// atRoot runs a function with the repository's root.
func (a *app) atRoot(f func(ctx context.Context, root string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		root, err := a.root()
		if err != nil {
			return err
		}
		return f(c.Context(), string(root))
	}
}

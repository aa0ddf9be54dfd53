package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/controllerprocess"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/kube"
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
		holder, err := controllerprocess.Start(ctx, root)
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
		switch holder, err := controllerprocess.Stop(ctx, root); {
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
		status, err := controllerprocess.Inspect(ctx, root)
		if err != nil {
			return err
		}
		return status.Print(a.stdout)
	}))
}

// controllerLogs returns the verb that prints the controller's log.
func (a *app) controllerLogs() *cobra.Command {
	var follow bool
	c := newCommand("controller logs", cobra.NoArgs, a.atRoot(func(ctx context.Context, root string) error {
		return controllerprocess.Logs(ctx, root, a.stdout, follow)
	}))
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

func newUp(a *app) *cobra.Command {
	var poll, untilIdle duration
	c := newCommand("up", cobra.NoArgs, func(_ *cobra.Command, _ []string) error {
		root, err := a.root()
		if err != nil {
			return err
		}
		for _, c := range agents.SplitHooks(string(root)) {
			a.errf("warning: %s %s; %s\n", c.File, c.Reason, c.Remedy)
		}
		if steps, _, err := upgrades.Upgrade(root, nil); err == nil && len(steps) > 0 {
			a.errf("note: installed files are of another version; idumb upgrade updates them, --dry-run lists them\n")
		}
		return controllerprocess.Replace(string(root), "--poll", time.Duration(poll).String(), "--until-idle", time.Duration(untilIdle).String())
	})
	c.Flags().Var(&poll, "poll", "poll for changes at this interval instead of inotify, for network mounts")
	c.Flags().Var(&untilIdle, "until-idle", "exit after this time without agent sessions (used by agents' hooks)")
	_ = c.Flags().MarkHidden("until-idle")
	return c
}

func newKubeconfig(a *app) *cobra.Command {
	return newCommand("controller kubeconfig", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.kubeconfig(c.Context()) })
}

// kubeconfig has the controller open its Kubernetes API, and prints how it is reached.
func (a *app) kubeconfig(ctx context.Context) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "kubeconfig")
	}
	if err != nil {
		return err
	}
	client, err := serve.Dial(ctx, root)
	if errors.Is(err, serve.ErrNoController) {
		return fmt.Errorf("%w; start one with idumb controller start", err)
	}
	if err != nil {
		return err
	}
	defer client.Close()
	var config kube.Config
	if err := client.Ask(ctx, http.MethodPost, kube.ConfigPath, &config); err != nil {
		return err
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err == nil {
		a.outf("%s\n", text)
	}
	return err
}

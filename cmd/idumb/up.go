package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/daemon"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
)

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
		return daemon.Replace(string(root), "--poll", time.Duration(poll).String(), "--until-idle", time.Duration(untilIdle).String())
	})
	c.Flags().Var(&poll, "poll", "poll for changes at this interval instead of inotify, for network mounts")
	c.Flags().Var(&untilIdle, "until-idle", "exit after this time without agent sessions (used by agents' hooks)")
	_ = c.Flags().MarkHidden("until-idle")
	return c
}

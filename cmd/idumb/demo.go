package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/demo"
)

const demoDoc = `Play a believable hour of work in ten seconds.

In a scratch repository that is gone afterwards: a plan with a diamond, a gate and
a plan that waits for it, a real controller, edits by people and agents, what
converges because of them, and a hook that denies a write, then allows it.
Nothing in it is staged but the edits. Needs git.`

func newDemo(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Show what iDumb does, in a scratch repository", Long: demoDoc, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			program, err := os.Executable()
			if err != nil {
				return err
			}
			return demo.Run(c.Context(), program, a.stdout)
		},
	}
}

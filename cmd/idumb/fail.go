package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
)

func newFail(a *app) *cobra.Command {
	return newMove(a, lifecycle.Fail, `Say that tasks failed, and why.
What depends on them stays blocked; idumb start takes one up again.`,
		`  idumb fail login-form --reason "the design is not decided"`, reasonFlag)
}

// reasonFlag says why.
func reasonFlag(c *cobra.Command, w *moveFlags) {
	c.Flags().StringVar(&w.Reason, "reason", "", "why (required)")
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
)

func newComplete(a *app) *cobra.Command {
	return newMove(a, lifecycle.Complete, `Complete tasks, with evidence, or plans.
A task that names its evidence (spec.evidence) is complete when the hook has seen
all of it; any other one needs --evidence or a recorded checkpoint. What comes
first must be completed first. A plan is complete when its tasks are.`,
		`  idumb complete db-schema --evidence "migration 003 applied" \
      --tests "go test ./db: ok"`+"\n  idumb complete workplan/user-auth", resultFlags)
}

// resultFlags are the flags that say what came out.
func resultFlags(c *cobra.Command, w *moveFlags) {
	c.Flags().StringVar(&w.Evidence, "evidence", "", "what shows that it is done")
	c.Flags().StringVar(&w.Tests, "tests", "", "which tests were run, with their outcome")
	c.Flags().StringSliceVar(&w.Files, "file", nil, "a file that was written for it, besides those that were recorded; may be given several times")
}

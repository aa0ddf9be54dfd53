package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
)

func newStart(a *app) *cobra.Command {
	return newMove(a, lifecycle.Start, `Start tasks, or make plans active.
A task that waits for another one is not started; the answer says for which.
Starting what is started changes nothing.`,
		"  idumb start db-schema\n  idumb start workplan/user-auth", nil)
}

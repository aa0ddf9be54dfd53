package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
)

func newAbandon(a *app) *cobra.Command {
	return newMove(a, lifecycle.Abandon, `Give tasks or plans up, and say why.
A task that others wait for breaks their chain: the controller moves it to the
archive and marks them. idumb restore task/NAME brings it back.`,
		`  idumb abandon login-form --reason "no longer wanted"`+"\n"+`  idumb abandon workplan/user-auth --reason "bought instead"`, reasonFlag)
}

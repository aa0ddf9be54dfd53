package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
)

func newReview(a *app) *cobra.Command {
	return newMove(a, lifecycle.Review, `Hand in active tasks for review.`,
		`  idumb review db-schema --evidence "migration 003 applied"`, resultFlags)
}

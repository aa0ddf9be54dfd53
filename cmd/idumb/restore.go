package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/naming"
)

func newRestore(a *app) *cobra.Command {
	var w writeFlags
	c := &cobra.Command{
		Use: "restore KIND NAME...", Short: "Bring archived objects back",
		Long: "Bring back what was archived. With a plan come its tasks that are archived too.\n" +
			"What had been abandoned is wanted again: a task comes back planned, a plan as a draft.",
		Example: "  idumb restore task/old-idea",
		RunE: func(c *cobra.Command, args []string) error {
			keys, err := naming.Keys(args)
			if err != nil {
				return err
			}
			repo, err := a.writer(&w)
			if err != nil {
				return err
			}
			var failed []error
			for _, key := range keys {
				back, err := repo.Restore(c.Context(), key)
				a.echoEach(&w, back, "restored")
				failed = append(failed, err)
			}
			return errors.Join(failed...)
		},
	}
	addDryRun(c, &w)
	c.ValidArgsFunction = a.completeArchived
	return c
}

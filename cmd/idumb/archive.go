package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/resources"
)

func newArchive(a *app) *cobra.Command {
	var w writeFlags
	var cascade string
	c := &cobra.Command{
		Use: "archive KIND NAME...", Short: "Set objects aside, out of sight and out of the context",
		Long: `Move objects to .idumb/archive. With a plan go its tasks, with a task its parts and
delegations. Refused while a live task waits for one of them, unless
--cascade=orphan. idumb restore brings them back.`,
		Example: "  idumb archive task old-idea\n  idumb archive workplan/user-auth",
		RunE: func(c *cobra.Command, args []string) error {
			keys, err := naming.Keys(args)
			if err != nil {
				return err
			}
			how, err := cascadeOf(cascade)
			if err != nil {
				return err
			}
			repo, err := a.writer(&w)
			if err != nil {
				return err
			}
			present, absent := repo.Present(c.Context(), keys)
			gone, err := repo.Archive(c.Context(), present, how)
			if err == nil {
				a.echoEach(&w, gone, "archived")
			}
			return errors.Join(append(absent, err)...)
		},
	}
	c.Flags().StringVar(&cascade, "cascade", "", "orphan: also if live tasks wait for it")
	addDryRun(c, &w)
	return c
}

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
			return each(keys, func(key resources.Key) error {
				back, err := repo.Restore(c.Context(), key)
				a.echoEach(&w, back, "restored")
				return err
			})
		},
	}
	addDryRun(c, &w)
	c.ValidArgsFunction = a.completeArchived
	return c
}

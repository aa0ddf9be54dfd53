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
	c := newCommand("archive", nil, func(c *cobra.Command, args []string) error {
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
	})
	c.Flags().StringVar(&cascade, "cascade", "", "orphan: also if live tasks wait for it")
	addDryRun(c, &w)
	return c
}

func newRestore(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("restore", nil, func(c *cobra.Command, args []string) error {
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
	})
	addDryRun(c, &w)
	c.ValidArgsFunction = a.completeArchived
	return c
}

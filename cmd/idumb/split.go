package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

func newSplit(a *app) *cobra.Command {
	var w writeFlags
	var into []string
	c := newCommand("split", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error { return a.split(c.Context(), &w, args[0], into) })
	c.ValidArgsFunction = a.completePhases(resources.TaskPlanned, resources.TaskBlocked, resources.TaskActive, resources.TaskReview, resources.TaskFailed)
	c.Flags().StringSliceVar(&into, "into", nil, "names of the new tasks: a,b (required)")
	_ = c.MarkFlagRequired("into")
	addWriteFlags(c, &w)
	return c
}

func (a *app) split(ctx context.Context, w *writeFlags, task string, into []string) error {
	key, err := namedOf(resources.Tasks, task, "idumb split takes tasks, and "+task+" is none")
	if err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	moved, err := repo.Branch(ctx, key, into)
	if err != nil {
		return err
	}
	for _, r := range append(moved.Also, moved.Result) {
		what := r.What
		if r.Key == key {
			what = "split into " + strings.Join(into, ", ")
		}
		if err := a.echo(w, r.After, what); err != nil {
			return err
		}
		if r.What == mutate.Created {
			a.echoUID(w, r.After)
		}
	}
	return nil
}

package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
)

// newHandOver makes the verb that is a step of a delegation.
func newHandOver(step lifecycle.Verb) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var w writeFlags
		c := newCommand(string(step), cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return a.handOver(c.Context(), &w, step, args) })
		c.ValidArgsFunction = a.completeNamesOf(resources.Delegations)
		addWriteFlags(c, &w)
		return c
	}
}

func (a *app) handOver(ctx context.Context, w *writeFlags, step lifecycle.Verb, args []string) error {
	keys, err := allNamedOf(resources.Delegations, args, "idumb "+string(step)+" takes delegations, and %s is none; idumb get delegations lists them")
	if err != nil {
		return err
	}
	return a.changeEach(ctx, w, keys, done(step.Done()), func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		return lifecycle.Delegation(o.(*resources.Delegation), step)
	})
}

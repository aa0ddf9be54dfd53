package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
)

func newDelegation(a *app) *cobra.Command {
	return withVerbs(newCommand("delegation", nil, noSubVerb), newHandOver(a, "accept", lifecycle.Accept), newHandOver(a, "revoke", lifecycle.Recall))
}

// newHandOver makes the verb below delegation that is such a step.
func newHandOver(a *app, name string, step lifecycle.Verb) *cobra.Command {
	var w writeFlags
	var to string
	c := newCommand("delegation "+name, cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		if to == "" && c.Flags().Changed("to") { // as from a variable that is not set
			return errors.New("--to is empty; name a role or agent, or leave it out and nobody gets the task")
		}
		return a.handOver(c.Context(), &w, step, to, args)
	})
	if step == lifecycle.Recall {
		c.Flags().StringVar(&to, "to", "", "hand the task to this role or agent instead, on the same terms")
		a.completeFlagNames(c, "to", resources.Roles)
	}
	c.ValidArgsFunction = a.completeNamesOf(resources.Delegations)
	addWriteFlags(c, &w)
	return c
}

func (a *app) handOver(ctx context.Context, w *writeFlags, step lifecycle.Verb, to string, args []string) error {
	keys, err := allNamedOf(resources.Delegations, args, "%s is no delegation; idumb get delegations lists them")
	if err != nil {
		return err
	}
	if to != "" {
		return a.redirect(ctx, w, to, keys)
	}
	return a.changeEach(ctx, w, keys, done(step.Done()), func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		return lifecycle.Delegation(o.(*resources.Delegation), step)
	})
}

// redirect takes delegations back and hands their tasks to somebody else.
func (a *app) redirect(ctx context.Context, w *writeFlags, to string, keys []resources.Key) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	err = each(keys, func(key resources.Key) error {
		moved, err := repo.Redirect(ctx, key, to)
		if err != nil {
			return err
		}
		a.echoUID(w, moved.Also[0].After)
		if err := a.echo(w, moved.After, lifecycle.Recall.Done()); err != nil {
			return err
		}
		return a.echo(w, moved.Also[0].After, mutate.Created)
	})
	if err == nil {
		a.warnOfStranger(ctx, to)
	}
	return err
}

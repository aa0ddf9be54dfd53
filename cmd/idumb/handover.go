package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
)

func newAccept(a *app) *cobra.Command {
	return newHandOver(a, lifecycle.Accept, "Say that a delegation is taken on",
		`Say that delegations are taken on. Whoever works under one says so by working; this
is for those who take it by hand. It is over once its task is, or with
idumb complete delegation/NAME.`, "  idumb accept login-form-1")
}

func newRecall(a *app) *cobra.Command {
	return newHandOver(a, lifecycle.Recall, "Take back what was delegated",
		`Take back what was delegated. Whoever works under it is stopped at the next call of
a tool, and told to hand back; the task may be delegated again.`, "  idumb recall login-form-1")
}

// newHandOver makes a verb that is a step of a delegation.
func newHandOver(a *app, step lifecycle.Verb, short, doc, example string) *cobra.Command {
	var w writeFlags
	c := &cobra.Command{
		Use: string(step) + " DELEGATION...", Short: short, Long: doc, Example: example, Args: cobra.MinimumNArgs(1),
		RunE:              func(c *cobra.Command, args []string) error { return a.handOver(c.Context(), &w, step, args) },
		ValidArgsFunction: a.completeNamesOf(resources.Delegations),
	}
	addWriteFlags(c, &w)
	return c
}

func (a *app) handOver(ctx context.Context, w *writeFlags, step lifecycle.Verb, args []string) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	return each(args, func(arg string) error { return a.handOverOne(ctx, repo, w, step, arg) })
}

func (a *app) handOverOne(ctx context.Context, repo mutate.Repo, w *writeFlags, step lifecycle.Verb, arg string) error {
	key, err := namedOf(resources.Delegations, arg, fmt.Sprintf("idumb %s takes delegations, and %s is none; idumb get delegations lists them", step, arg))
	if err != nil {
		return err
	}
	result, err := repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		return lifecycle.Delegation(o.(*resources.Delegation), step)
	})
	if err != nil {
		return err
	}
	what := result.What
	if what != mutate.Unchanged {
		what = step.Done()
	}
	return a.echo(w, result.After, what)
}

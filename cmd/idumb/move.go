package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/lifecycle"
	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/cmd/internal/naming"
	"github.com/idumb-dev/idumb/resources"
)

// moveFlags are the flags of start, review, complete, fail and abandon.
type moveFlags struct {
	writeFlags
	lifecycle.Move
}

// newMove makes one of these verbs; flags declares those that it has of its own.
func newMove(a *app, verb lifecycle.Verb, doc, example string, flags func(*cobra.Command, *moveFlags)) *cobra.Command {
	w := moveFlags{Move: lifecycle.Move{Verb: verb}}
	short, _, _ := strings.Cut(doc, "\n")
	c := &cobra.Command{
		Use: string(verb) + " TASK...", Short: strings.TrimSuffix(short, "."), Long: doc, Example: example, Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.moveAll(c.Context(), &w, args) },
	}
	if flags != nil {
		flags(c, &w)
	}
	addWriteFlags(c, &w.writeFlags)
	return c
}

func (a *app) moveAll(ctx context.Context, w *moveFlags, args []string) error {
	keys, err := taskKeys(args)
	if err != nil {
		return err
	}
	repo, err := a.writer(&w.writeFlags)
	if err != nil {
		return err
	}
	var failed []error
	for _, key := range keys {
		failed = append(failed, a.moveOne(ctx, repo, w, key))
	}
	return errors.Join(failed...)
}

// taskKeys reads names of tasks, KIND NAME... or KIND/NAME...: a plan has to be
// called one.
func taskKeys(args []string) ([]resources.Key, error) {
	if _, isKind := resources.LookupKind(args[0]); isKind && len(args) > 1 || strings.Contains(args[0], "/") {
		return naming.Keys(args)
	}
	return naming.Keys(append([]string{resources.Tasks}, args...))
}

func (a *app) moveOne(ctx context.Context, repo mutate.Repo, w *moveFlags, key resources.Key) error {
	var outcome lifecycle.Outcome
	result, err := repo.One(ctx, key, func(o resources.Object, v *mutate.View) (next resources.Object, err error) {
		next, outcome, err = lifecycle.Make(o, w.Move, v, func(o resources.Object) lifecycle.World { return v.With(o) })
		return next, err
	})
	if err != nil {
		return err
	}
	what := result.What
	if what != mutate.Unchanged {
		what = w.Verb.Done()
	}
	taken, err := a.takeOver(ctx, repo, w, key)
	if err != nil {
		return err
	}
	if len(taken) > 0 {
		what = w.Verb.Done()
	}
	if err := a.echo(&w.writeFlags, result.After, what); err != nil || what == mutate.Unchanged {
		return err
	}
	for _, name := range taken {
		a.errf("delegation/%s recalled: whoever worked under it is gone\n", name)
	}
	a.echoOutcome(outcome)
	if w.Verb == lifecycle.Complete {
		if names := repo.ConfirmCited(ctx, w.Evidence, "task/"+key.Name); len(names) > 0 {
			a.errf("confirmed: mem/%s\n", strings.Join(names, ", mem/"))
		}
	}
	return nil
}

// takeOver recalls the delegations of a task that have lapsed, once it is started.
func (a *app) takeOver(ctx context.Context, repo mutate.Repo, w *moveFlags, key resources.Key) ([]string, error) {
	if w.Verb != lifecycle.Start || key.Kind != resources.Tasks {
		return nil, nil
	}
	there, err := a.load(ctx, resources.Delegations, resources.Sessions)
	if err != nil {
		return nil, err
	}
	return repo.TakeOver(ctx, key.Name, there.snap)
}

// echoOutcome says what a move led to: names on a line that agents can read on.
func (a *app) echoOutcome(outcome lifecycle.Outcome) {
	if len(outcome.Unblocked) > 0 {
		a.errf("unblocked: %s\n", strings.Join(shortened(outcome.Unblocked), ", "))
	}
	if len(outcome.Broken) > 0 {
		a.errf("Warning: this breaks the chain of %s: edit their dependsOn, restore the task, or abandon them as well\n", strings.Join(shortened(outcome.Broken), ", "))
	}
	for _, note := range outcome.Notes {
		a.errf("%s\n", note)
	}
}

// shortened cuts a list for people: ten names, then how many more.
func shortened(names []string) []string {
	const most = 10
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), fmt.Sprintf("and %d more", len(names)-most))
}

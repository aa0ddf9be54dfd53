package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/resources"
)

// moveFlags are the flags of start, review, complete, fail and abandon.
type moveFlags struct {
	writeFlags
	lifecycle.Move
}

// moveFlagsOf are the flags that some of these verbs have of their own.
var moveFlagsOf = map[lifecycle.Verb]func(*cobra.Command, *moveFlags){
	lifecycle.Review: resultFlags, lifecycle.Complete: resultFlags, lifecycle.Fail: reasonFlag, lifecycle.Abandon: reasonFlag,
}

// resultFlags are the flags that say what came out.
func resultFlags(c *cobra.Command, w *moveFlags) {
	c.Flags().StringVar(&w.Evidence, "evidence", "", "what shows that it is done")
	c.Flags().StringVar(&w.Tests, "tests", "", "which tests were run, with their outcome")
	c.Flags().StringSliceVar(&w.Files, "file", nil, "a file that was written for it, besides those that were recorded; may be given several times")
}

// reasonFlag says why.
func reasonFlag(c *cobra.Command, w *moveFlags) {
	c.Flags().StringVar(&w.Reason, "reason", "", "why (required)")
}

// newMove makes the verb that is such a move.
func newMove(verb lifecycle.Verb) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		w := moveFlags{Move: lifecycle.Move{Verb: verb}}
		c := newCommand(string(verb), cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return a.moveAll(c.Context(), &w, args) })
		if add := moveFlagsOf[verb]; add != nil {
			add(c, &w)
		}
		addWriteFlags(c, &w.writeFlags)
		return c
	}
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
	return each(keys, func(key resources.Key) error { return a.moveOne(ctx, repo, w, key) })
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
	if wishes.Refused(err) {
		args := wishes.Args{Task: key.Name, Evidence: w.Evidence, Tests: w.Tests, Files: w.Files, Reason: w.Reason}
		if key.Kind == resources.WorkPlans {
			args.Task, args.WorkPlan = "", key.Name
		}
		return a.wish(repo, key, string(w.Verb), args, err)
	}
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
		a.errf("unblocked: %s\n", strings.Join(mutate.Few(outcome.Unblocked, fewNames), ", "))
	}
	if len(outcome.Broken) > 0 {
		a.errf("Warning: this breaks the chain of %s: edit their dependsOn, restore the task, or abandon them as well\n", strings.Join(mutate.Few(outcome.Broken, fewNames), ", "))
	}
	for _, note := range outcome.Notes {
		a.errf("%s\n", note)
	}
}

// fewNames is how many names a person is told.
const fewNames = 10

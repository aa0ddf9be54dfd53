package main

import (
	"context"
	"slices"
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

// move is one row of the table of these verbs.
type move struct {
	verb         lifecycle.Verb
	doc, example string
	flags        func(*cobra.Command, *moveFlags) // of its own; nil for none
}

var moves = []move{
	{lifecycle.Start, `Start tasks, or make plans active.
A task that waits for another one is not started; the answer says for which.
Starting what is started changes nothing.`,
		"  idumb start db-schema\n  idumb start workplan/user-auth", nil},
	{lifecycle.Review, `Hand in active tasks for review.`,
		`  idumb review db-schema --evidence "migration 003 applied"`, resultFlags},
	{lifecycle.Complete, `Complete tasks, with evidence, or plans.
A task that names its evidence (spec.evidence) is complete when the hook has seen
all of it; any other one needs --evidence or a recorded checkpoint. What comes
first must be completed first. A plan is complete when its tasks are.`,
		`  idumb complete db-schema --evidence "migration 003 applied" \
      --tests "go test ./db: ok"` + "\n  idumb complete workplan/user-auth", resultFlags},
	{lifecycle.Fail, `Say that tasks failed, and why.
What depends on them stays blocked; idumb start takes one up again.`,
		`  idumb fail login-form --reason "the design is not decided"`, reasonFlag},
	{lifecycle.Abandon, `Give tasks or plans up, and say why.
A task that others wait for breaks their chain: the controller moves it to the
archive and marks them. idumb restore task/NAME brings it back.`,
		`  idumb abandon login-form --reason "no longer wanted"` + "\n" + `  idumb abandon workplan/user-auth --reason "bought instead"`, reasonFlag},
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

// newMove makes the verb of one row.
func newMove(verb lifecycle.Verb) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		m := moves[slices.IndexFunc(moves, func(m move) bool { return m.verb == verb })]
		w := moveFlags{Move: lifecycle.Move{Verb: verb}}
		short, _, _ := strings.Cut(m.doc, "\n")
		c := &cobra.Command{
			Use: string(verb) + " TASK...", Short: strings.TrimSuffix(short, "."), Long: m.doc, Example: m.example, Args: cobra.MinimumNArgs(1),
			RunE: func(c *cobra.Command, args []string) error { return a.moveAll(c.Context(), &w, args) },
		}
		if m.flags != nil {
			m.flags(c, &w)
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

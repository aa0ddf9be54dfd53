package main

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// moveFlags are the flags of start, submit, complete, fail, abandon and defer.
type moveFlags struct {
	writeFlags
	lifecycle.Move
	ended bool // a task that somebody worked on
}

// moveFlagsOf are the flags that some of these verbs have of their own.
var moveFlagsOf = map[lifecycle.Verb]func(*cobra.Command, *moveFlags){
	lifecycle.Start: takeOverFlag, lifecycle.Review: resultFlags, lifecycle.Complete: completeFlags, lifecycle.Fail: reasonFlag, lifecycle.Abandon: reasonFlag,
	lifecycle.Defer: func(c *cobra.Command, w *moveFlags) {
		c.Flags().BoolVar(&w.Back, "undo", false, "propose it again")
		renamed(c, "undo", "back")
	},
}

// takeOverFlag lets a start take a task from whoever works on it.
func takeOverFlag(c *cobra.Command, w *moveFlags) {
	c.Flags().BoolVar(&w.TakeOver, "take-over", false, "also where somebody else works on it: elsewhere, or (for a person) an agent here")
}

// endOverFlag lets a person end a task that another clone holds.
func endOverFlag(c *cobra.Command, w *moveFlags) {
	c.Flags().BoolVar(&w.TakeOver, "take-over", false, "also if another clone holds it (for a person)")
}

// resultFlags are the flags that say what came out.
func resultFlags(c *cobra.Command, w *moveFlags) {
	endOverFlag(c, w)
	c.Flags().StringVar(&w.Evidence, "evidence", "", "what shows that it is done")
	c.Flags().StringVar(&w.Tests, "tests", "", "which tests were run, with their outcome")
	c.Flags().StringSliceVar(&w.Files, "file", nil, "a file that was written for it, besides those that were recorded; may be given several times")
}

// completeFlags are those of complete, which takes plans as well.
func completeFlags(c *cobra.Command, w *moveFlags) {
	resultFlags(c, w)
	c.Flags().IntSliceVar(&w.Met, "met", nil, "of a plan: the numbers of the criteria that --evidence shows to hold")
}

// reasonFlag says why.
func reasonFlag(c *cobra.Command, w *moveFlags) {
	endOverFlag(c, w)
	c.Flags().StringVar(&w.Reason, "reason", "", "why (required)")
}

// newMove makes the verb that is such a move.
func newMove(verb lifecycle.Verb) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		w := moveFlags{Move: lifecycle.Move{Verb: verb}}
		path := string(verb)
		if verb == lifecycle.Review {
			path = "submit"
		}
		c := newCommand(path, cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return a.moveAll(c.Context(), &w, args) })
		if add := moveFlagsOf[verb]; add != nil {
			add(c, &w)
		}
		if verb == lifecycle.Complete {
			_ = c.RegisterFlagCompletionFunc("met", a.completeOpenCriteria)
		}
		c.ValidArgsFunction = a.completePhases(verb.From()...)
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
	err = each(keys, func(key resources.Key) error { return a.moveOne(ctx, repo, w, key) })
	if w.ended {
		a.tellTeam(ctx, repo.Who.Session == "")
	}
	return err
}

// tellPatience is how long a person waits for the team to hear of a task that ended.
const tellPatience = 20 * time.Second

// tellTeam exchanges with the team where no controller does: who started a task told it, and others
// wait for its end. An agent does not wait, and is told what is missing.
func (a *app) tellTeam(ctx context.Context, wait bool) {
	root, err := a.root()
	if err != nil {
		return
	}
	note := tools.Untold(ctx, root)
	if note == "" {
		return
	}
	if !wait {
		a.errf("%s\n", note)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tellPatience)
	defer cancel()
	if _, err := a.exchange(ctx); err != nil {
		a.errf("Warning: the team was not told: %s; it hears of it from the next controller, or by idumb sync now\n", terminal.EscapeLine(err.Error()))
	}
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
	var bearing <-chan *packer.Bearing
	if w.Verb == lifecycle.Start && key.Kind == resources.Tasks && repo.Who.Session == "" && !repo.DryRun {
		bearing = a.askBearing(ctx, key.Name)
	}
	moved, err := repo.Move(ctx, w.Move, key)
	if err != nil {
		return err
	}
	w.ended = w.ended || moved.Released
	what := w.Verb.Done()
	if p, ok := moved.After.(*resources.WorkPlan); ok && len(w.Met) > 0 && p.Spec.State != resources.PlanCompleted {
		what = "configured"
	}
	if w.Back {
		what = "back"
	}
	if moved.What == mutate.Unchanged && len(moved.Recalled) == 0 && !moved.Claimed {
		what = mutate.Unchanged
	}
	if err := a.echo(&w.writeFlags, moved.After, what); err != nil || what == mutate.Unchanged {
		return err
	}
	if moved.From != nil {
		a.errf("taken over from %s\n", terminal.EscapeLine(moved.From.String()))
	}
	for _, name := range moved.Recalled {
		a.errf("delegation/%s recalled: whoever worked under it is gone\n", name)
	}
	a.echoOutcome(moved.Outcome)
	if missing := moved.Unseen; len(missing) > 0 {
		a.errf("task/%s: not seen yet: %s\n  %s\n", key.Name, terminal.EscapeLine(status.ListedEvidence(missing)), terminal.EscapeLine(status.BringCommand(missing, key.Name)))
	}
	if bearing != nil {
		told := <-bearing
		if before, ok := moved.Before.(*resources.Task); !ok || !status.LiveTask(before) {
			told = nil // it was over when that was asked
		}
		a.echoBearing(ctx, key.Name, told)
	}
	if len(moved.Confirmed) > 0 {
		a.errf("confirmed: mem/%s\n", strings.Join(moved.Confirmed, ", mem/"))
	}
	return nil
}

// echoOutcome says what a move led to: names on a line that agents can read on.
func (a *app) echoOutcome(outcome lifecycle.Outcome) {
	if len(outcome.Unblocked) > 0 {
		a.errf("unblocked: %s\n", strings.Join(mutate.Few(outcome.Unblocked, fewNames), ", "))
	}
	if len(outcome.Broken) > 0 {
		a.errf("Warning: this breaks the chain of %s: edit their dependsOn, restore the task, or abandon them as well\n", strings.Join(mutate.Few(outcome.Broken, fewNames), ", "))
	}
	if p := outcome.Open; p != nil {
		open := status.OpenCriteria(p)
		listed := terminal.EscapeLine(status.ListedCriteria(p, open))
		if p.Spec.State == resources.PlanActive {
			a.errf("workplan/%s: still to be shown: %s\n  %s\n", p.Metadata.Name, listed, status.MeetStep(p, open))
		} else {
			a.errf("Warning: workplan/%s is %s, and this was not shown: %s\n", p.Metadata.Name, p.Spec.State, listed)
		}
	}
	for _, note := range outcome.Notes {
		a.errf("%s\n", note)
	}
}

// askBearing asks the controller what bears on a task, while that is being started: afterwards the
// controller sees to what follows from it. nil comes where nobody answers.
func (a *app) askBearing(ctx context.Context, task string) <-chan *packer.Bearing {
	answer := make(chan *packer.Bearing, 1)
	go func() {
		b, hangUp := told[packer.Bearing](a.answers(ctx), questions.AskBearing, url.Values{"task": {task}})
		hangUp()
		answer <- b
	}()
	return answer
}

// echoBearing says what bears on a task that was started, and what waits for it; b is what was answered
// to that before, nil for nothing. Whoever works in a session that hooks govern is told so in its context.
func (a *app) echoBearing(ctx context.Context, task string, b *packer.Bearing) {
	if b == nil {
		now, err := ask[packer.Bearing](a.answers(ctx), questions.AskBearing, url.Values{"task": {task}})
		if err != nil {
			return // it is started all the same
		}
		b = &now
	}
	if len(b.Known) > 0 {
		a.errf("what bears on it:\n")
	}
	for _, known := range b.Known {
		a.errf("- %s\n", terminal.Wrap(terminal.EscapeLine(known), 98, "  "))
	}
	if len(b.Waits) > 0 {
		a.errf("waiting for it: %s\n", strings.Join(b.Waits, ", "))
	}
}

// fewNames is how many names a person is told.
const fewNames = 10

package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

func newFocus(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("focus", cobra.MaximumNArgs(2), func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.tellFocus(c.Context())
		}
		return a.focus(c.Context(), &w, args)
	})
	c.ValidArgsFunction = func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || strings.Contains(word, "/") {
			return a.completeObjects(completeNames)(c, args, word)
		}
		return append(a.namesOf(c.Context(), resources.WorkPlans, word, nil), a.namesOf(c.Context(), resources.Tasks, word, nil)...), noFiles
	}
	addWriteFlags(c, &w)
	return c
}

func (a *app) focus(ctx context.Context, w *writeFlags, args []string) error {
	keys := []resources.Key{{Kind: resources.WorkPlans, Name: args[0]}, {Kind: resources.Tasks, Name: args[0]}}
	if len(args) > 1 || strings.Contains(args[0], "/") {
		named, err := naming.Keys(args)
		if err != nil {
			return err
		}
		keys = named
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	result, err := repo.Focus(ctx, keys...)
	if err != nil {
		return err
	}
	head := result.After.(*resources.Trajectory).Spec
	a.errf("in focus: %s\n", inFocus(head.ActivePlan, head.ActiveTasks))
	return a.echo(w, result.After, result.What)
}

// tellFocus prints what the context is about now, whoever chose it.
func (a *app) tellFocus(ctx context.Context) error {
	overview, err := ask[questions.Overview](a.answers(ctx), questions.AskOverview, nil)
	if err != nil {
		return err
	}
	for _, p := range overview.Plans {
		if p.Focus {
			a.outf("%s\n", inFocus(p.Name, a.tasksInFocus()))
			return nil
		}
	}
	a.errf("nothing is in focus; choose with idumb focus PLAN or TASK\n")
	return nil
}

func inFocus(plan string, tasks []string) string {
	if len(tasks) > 0 {
		return "task/" + tasks[0] + " of workplan/" + plan
	}
	return "workplan/" + plan
}

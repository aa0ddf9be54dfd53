package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/resources"
)

func newFocus(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("focus", cobra.RangeArgs(1, 2), func(c *cobra.Command, args []string) error { return a.focus(c.Context(), &w, args) })
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
	if len(head.ActiveTasks) > 0 {
		a.errf("in focus: task/%s of workplan/%s\n", head.ActiveTasks[0], head.ActivePlan)
	} else {
		a.errf("in focus: workplan/%s\n", head.ActivePlan)
	}
	return a.echo(w, result.After, result.What)
}

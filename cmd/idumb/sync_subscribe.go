package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

// subscribeFlags holds the flags of idumb sync subscribe.
type subscribeFlags struct {
	writeFlags
	printFlags
	list bool
}

func newSyncSubscribe(a *app) *cobra.Command {
	var f subscribeFlags
	c := newCommand("sync subscribe", cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
		switch {
		case f.list && len(args) > 0:
			return errors.New("cannot set --list and name plans at the same time")
		case f.list:
			p, err := f.printer(a.colour)
			if err != nil {
				return err
			}
			return a.listSubscribed(c.Context(), p)
		case f.printFlags.output != "" || f.noHeaders:
			return errors.New("-o and --no-headers are for --list")
		case len(args) == 0:
			return errors.New("name a plan: idumb sync subscribe PLAN; idumb sync subscribe --list shows them")
		}
		return a.subscribe(c.Context(), &f.writeFlags, args, true)
	})
	c.Flags().BoolVar(&f.list, "list", false, "list the team's plans and whether this clone follows them")
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	addDryRun(c, &f.writeFlags)
	c.MarkFlagsMutuallyExclusive("list", "dry-run")
	c.ValidArgsFunction = a.completeNamesOf(resources.WorkPlans)
	return c
}

func newSyncUnsubscribe(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("sync unsubscribe", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return a.subscribe(c.Context(), &w, args, false)
	})
	addDryRun(c, &w)
	c.ValidArgsFunction = a.completeNamesOf(resources.WorkPlans)
	return c
}

// teamOfPlans returns the team of a clone with shared plans. The caller closes it.
func (a *app) teamOfPlans() (*sync.Team, error) {
	team, _, err := a.team()
	if err != nil {
		return nil, err
	}
	if !team.SharesPlans() {
		return nil, errors.Join(errors.New("the plans of this clone are not shared; idumb sync enable --plans shares them"), team.Close())
	}
	return team, nil
}

// subscribe adds plans to the subscription of this clone, or removes them, and exchanges with the
// team.
func (a *app) subscribe(ctx context.Context, w *writeFlags, names []string, follow bool) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "sync subscribe")
	}
	if err != nil {
		return err
	}
	team, err := a.teamOfPlans()
	if err != nil {
		return err
	}
	defer team.Close()
	all, err := team.Plans(ctx)
	if err != nil {
		return err
	}
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "workplan/")
		if err := knownPlan(all, names[i]); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := a.setSubscription(ctx, team, w, name, follow); err != nil {
			return err
		}
	}
	if w.dry() {
		return nil
	}
	return a.syncNow(ctx)
}

// knownPlan returns an error if the team has no plan with this name, and suggests a similar one.
func knownPlan(all []sync.PlanSubscription, name string) error {
	var plans []string
	for _, f := range all {
		plans = append(plans, f.Plan)
	}
	if slices.Contains(plans, name) {
		return nil
	}
	hint := "idumb sync subscribe --list shows them"
	if near := resources.Nearest(name, plans); near != "" {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return fmt.Errorf("the team has no plan %q; %s", name, hint)
}

// setSubscription records the subscription of one plan and prints the effect.
func (a *app) setSubscription(ctx context.Context, team *sync.Team, w *writeFlags, name string, follow bool) error {
	what := qualified(resources.Key{Kind: resources.WorkPlans, Name: name})
	verb := "subscribed"
	if !follow {
		verb = "unsubscribed"
	}
	switch {
	case w.dry() && follow:
		n, err := team.Tasks(ctx, name)
		if err != nil {
			return err
		}
		a.outf("%s %s, the team has %s of it (dry run)\n", what, verb, terminal.Count(n, "object"))
		return nil
	case w.dry():
		a.outf("%s %s, its files would stay here (dry run)\n", what, verb)
		return nil
	}
	if err := team.Choose(name, follow); err != nil {
		return err
	}
	a.outf("%s %s\n", what, verb)
	return nil
}

// listSubscribed prints the team's plans, and whether this clone follows each.
func (a *app) listSubscribed(ctx context.Context, p *printers.Printer) error {
	team, err := a.teamOfPlans()
	if err != nil {
		return err
	}
	defer team.Close()
	all, err := team.Plans(ctx)
	if err != nil {
		return err
	}
	table := recordTable[sync.PlanSubscription]{
		headers: []string{"PLAN", "STATE", "FOLLOWED", "WHY"}, always: 4, nothing: "The team has no plans.",
		row: func(f sync.PlanSubscription) []string {
			follows := "no"
			if f.Follows {
				follows = "yes"
			}
			return []string{f.Plan, terminal.EscapeLine(f.State), follows, f.Reason}
		},
	}
	return table.print(a, p, all)
}

package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// nextFlags holds the flags of idumb next.
type nextFlags struct {
	printFlags
	plan  string
	limit int
	cut   bool // limit is the default of a table
}

// nextShown is the number of tasks in a table that no --limit asks for.
const nextShown = 20

func newNext(a *app) *cobra.Command {
	var f nextFlags
	c := newCommand("next", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if (f.output == "" || f.output == "wide") && !c.Flags().Changed("limit") {
			f.limit, f.cut = nextShown, true
		}
		return a.next(c.Context(), &f)
	})
	f.declare(c, "wide", "json", "yaml", "name", "jsonpath=")
	c.Flags().StringVar(&f.plan, "plan", "", "only tasks of this plan")
	c.Flags().IntVar(&f.limit, "limit", 0, "maximum number of tasks; 0 means all (default 20 in a table, else all)")
	a.completeFlagNames(c, "plan", resources.WorkPlans)
	return c
}

// next runs idumb next: it prints the tasks that can be started, best first, or why there are
// none.
func (a *app) next(ctx context.Context, f *nextFlags) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	parameters := p.Shape().Values(a.readerValues())
	parameters.Set("plan", strings.TrimPrefix(f.plan, "workplan/"))
	parameters.Set("limit", strconv.Itoa(f.limit))
	if p.Format.NeedsDocument() {
		parameters.Set("documents", "true")
	}
	by := a.answers(ctx, append(planning[:len(planning):len(planning)], resources.Comments)...)
	next, err := ask[queries.Next](by, queries.AskNext, parameters)
	if err != nil {
		return err
	}
	a.warnOfHidden(next.NoReadyReason)
	switch {
	case p.Format.NeedsDocument():
		return p.PrintItems(a.stdout, items(next.Documents))
	case len(next.Tables.Tables) == 0:
		a.errf("%s", terminal.Escape(next.NoReadyReason))
		return nil
	}
	table := &next.Tables.Tables[0]
	if err := p.PrintTable(a.stdout, table); err != nil {
		return err
	}
	if shown := len(table.Rows); f.cut && next.Ready > shown {
		a.errf("%d tasks are ready, and %d are shown; all: idumb next --limit 0\n", next.Ready, shown)
	}
	return nil
}

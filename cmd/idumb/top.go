package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// topFlags holds the flags of idumb top.
type topFlags struct {
	printFlags
	sortBy string
	all    bool
}

func newTop(a *app) *cobra.Command {
	var f topFlags
	c := newCommand("top", nil, func(c *cobra.Command, args []string) error { return a.topSessions(c.Context(), &f, args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.Sessions)
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	c.Flags().StringVar(&f.sortBy, "sort-by", "drift", "name, drift, health, calls or denials; worst or highest first")
	c.Flags().BoolVarP(&f.all, "all", "A", false, "include ended sessions")
	completeFlag(c, "sort-by", "name", "drift", "health", "calls", "denials")
	return c
}

// topOrders maps the values of --sort-by to their order.
var topOrders = map[string]func(a, b queries.Top) int{
	"name":    func(queries.Top, queries.Top) int { return 0 },
	"drift":   func(a, b queries.Top) int { return cmp.Compare(b.Drift, a.Drift) },
	"health":  func(a, b queries.Top) int { return cmp.Compare(a.Health, b.Health) },
	"calls":   func(a, b queries.Top) int { return cmp.Compare(b.Calls, a.Calls) },
	"denials": func(a, b queries.Top) int { return cmp.Compare(b.Denials+b.Violations, a.Denials+a.Violations) },
}

// topSessions runs idumb top: it prints the sessions with their figures, sorted by one of them.
func (a *app) topSessions(ctx context.Context, f *topFlags, names []string) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	order, known := topOrders[strings.ToLower(f.sortBy)]
	if !known {
		return fmt.Errorf("unknown --sort-by %q; use name, drift, health, calls or denials", f.sortBy)
	}
	asked := url.Values{"session": names}
	if f.all {
		asked.Set("all", "true")
	}
	by := a.answers(ctx, planning[:]...)
	rows, err := ask[[]queries.Top](by, queries.AskTop, asked)
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b queries.Top) int { return cmp.Or(order(a, b), strings.Compare(a.Name, b.Name)) })
	return a.topTable(p.Format.Name == "wide").print(a, p, rows)
}

// Widths of cells that are recognizable by their first characters, so that a line fits 80 columns.
// -o wide shows the full text.
const (
	topNameWidth = 14
	topTaskWidth = 12
)

// topTable returns the table of sessions. Names are cut unless it is wide.
func (a *app) topTable(wide bool) *recordTable[queries.Top] {
	cut := func(s string, width int) string {
		if wide {
			return s
		}
		return resources.Shortened(s, width, "…")
	}
	now := a.now()
	return &recordTable[queries.Top]{
		headers: []string{
			"NAME", "TASK", "TURNS", "CALLS", "DENIALS", "DRIFT", "HEALTH",
			"HOLDS", "HOST", "AGENT", "WRITES", "VIOLATIONS", "COMPACTIONS", "PHASE", "STATE", "SEEN", "POISONING", "TOOLS", "WHY",
		},
		always: 7, nothing: "No live sessions found; -A includes ended sessions.",
		row: func(r queries.Top) []string {
			return []string{
				cut(r.Name, topNameWidth), cut(r.Task, topTaskWidth), strconv.Itoa(r.Turns), strconv.Itoa(r.Calls), strconv.Itoa(r.Denials), strconv.Itoa(r.Drift), strconv.Itoa(r.Health),
				strings.Join(r.Holds, ","), r.Host, r.Agent, strconv.Itoa(r.Writes), strconv.Itoa(r.Violations), strconv.Itoa(r.Compactions), r.Phase, strings.TrimSuffix(r.State+":"+r.WaitsFor, ":"), queries.Age(r.LastSeenAt.Time, now), r.Poisoning,
				toolsText(r.Tools), strings.Join(r.Components, "; "),
			}
		},
	}
}

// toolsText lists tools, most used first.
func toolsText(tools map[string]int) string {
	names := slices.SortedFunc(maps.Keys(tools), func(a, b string) int { return cmp.Or(cmp.Compare(tools[b], tools[a]), strings.Compare(a, b)) })
	for i, name := range names {
		names[i] = name + "=" + strconv.Itoa(tools[name])
	}
	return strings.Join(names, ",")
}

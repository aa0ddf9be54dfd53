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
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/serve/questions"
)

type topFlags struct {
	printFlags
	sortBy string
	all    bool
}

func newTop(a *app) *cobra.Command {
	c := newCommand("top", nil, func(c *cobra.Command, args []string) error {
		return fmt.Errorf("%q has no figures to show; see idumb top sessions", strings.Join(args, " "))
	})
	c.AddCommand(newTopSessions(a))
	return c
}

func newTopSessions(a *app) *cobra.Command {
	var f topFlags
	c := newCommand("top sessions", nil, func(c *cobra.Command, args []string) error { return a.topSessions(c.Context(), &f, args) })
	c.Aliases = []string{"session", "ses"}
	c.ValidArgsFunction = cobra.NoFileCompletions
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	c.Flags().StringVar(&f.sortBy, "sort-by", "drift", "name, drift, health, calls, denials: the worst or the most first")
	c.Flags().BoolVarP(&f.all, "all", "A", false, "also sessions that are over")
	completeFlag(c, "sort-by", "name", "drift", "health", "calls", "denials")
	return c
}

// topOrders is the table of what the rows can be sorted by.
var topOrders = map[string]func(a, b questions.Top) int{
	"name":    func(questions.Top, questions.Top) int { return 0 },
	"drift":   func(a, b questions.Top) int { return cmp.Compare(b.Drift, a.Drift) },
	"health":  func(a, b questions.Top) int { return cmp.Compare(a.Health, b.Health) },
	"calls":   func(a, b questions.Top) int { return cmp.Compare(b.Calls, a.Calls) },
	"denials": func(a, b questions.Top) int { return cmp.Compare(b.Denials+b.Violations, a.Denials+a.Violations) },
}

func (a *app) topSessions(ctx context.Context, f *topFlags, names []string) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	order, known := topOrders[strings.ToLower(f.sortBy)]
	if !known {
		return fmt.Errorf("--sort-by %q is not known; use name, drift, health, calls or denials", f.sortBy)
	}
	asked := url.Values{"session": names}
	if f.all {
		asked.Set("all", "true")
	}
	by := a.answers(ctx, func() (*world, error) { return a.load(ctx, planning[:]...) })
	rows, err := ask[[]questions.Top](by, questions.AskTop, asked)
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b questions.Top) int { return cmp.Or(order(a, b), strings.Compare(a.Name, b.Name)) })
	switch {
	case !p.Format.Table():
		return p.PrintItems(a.stdout, items(rows))
	case len(rows) == 0:
		a.errf("No live sessions found; -A shows those that are over as well.\n")
		return nil
	}
	return a.topTable(p, rows)
}

// Widths of cells that people recognise by how they begin; with numbers beside them a line
// stays within 80 columns. -o wide shows all of them.
const (
	topNameWidth = 14
	topTaskWidth = 12
)

// topColumn is one column.
type topColumn struct {
	header string
	wide   bool
	cut    int // longer cells are cut to that, unless -o wide; 0: never
	cell   func(questions.Top, time.Time) string
}

// topColumns is the table of columns; a wide one is shown by -o wide only.
var topColumns = [...]topColumn{
	{"NAME", false, topNameWidth, func(r questions.Top, _ time.Time) string { return r.Name }},
	{"TASK", false, topTaskWidth, func(r questions.Top, _ time.Time) string { return r.Task }},
	{"TURNS", false, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Turns) }},
	{"CALLS", false, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Calls) }},
	{"DENIALS", false, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Denials) }},
	{"DRIFT", false, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Drift) }},
	{"HEALTH", false, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Health) }},
	{"HOST", true, 0, func(r questions.Top, _ time.Time) string { return r.Host }},
	{"AGENT", true, 0, func(r questions.Top, _ time.Time) string { return r.Agent }},
	{"WRITES", true, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Writes) }},
	{"VIOLATIONS", true, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Violations) }},
	{"COMPACTIONS", true, 0, func(r questions.Top, _ time.Time) string { return strconv.Itoa(r.Compactions) }},
	{"PHASE", true, 0, func(r questions.Top, _ time.Time) string { return r.Phase }},
	{"STATE", true, 0, func(r questions.Top, _ time.Time) string { return r.State }},
	{"SEEN", true, 0, func(r questions.Top, now time.Time) string { return questions.Age(r.LastSeenAt.Time, now) }},
	{"TOOLS", true, 0, func(r questions.Top, _ time.Time) string { return toolsText(r.Tools) }},
	{"WHY", true, 0, func(r questions.Top, _ time.Time) string { return strings.Join(r.Why, "; ") }},
}

// toolsText lists tools, the most used first.
func toolsText(tools map[string]int) string {
	names := slices.SortedFunc(maps.Keys(tools), func(a, b string) int { return cmp.Or(cmp.Compare(tools[b], tools[a]), strings.Compare(a, b)) })
	for i, name := range names {
		names[i] = name + "=" + strconv.Itoa(tools[name])
	}
	return strings.Join(names, ",")
}

// cutCell cuts a cell and says so.
func cutCell(s string, width int) string {
	runes := []rune(s)
	if width == 0 || len(runes) <= width {
		return s
	}
	return string(runes[:width-1]) + "…"
}

func (a *app) topTable(p *printers.Printer, rows []questions.Top) error {
	wide := p.Format.Name == "wide"
	columns := slices.DeleteFunc(slices.Clone(topColumns[:]), func(c topColumn) bool { return c.wide && !wide })
	t := printers.NewTable(a.stdout, len(columns))
	if !p.NoHeaders {
		for _, c := range columns {
			t.Header(c.header)
		}
	}
	now := a.now()
	for _, r := range rows {
		for _, c := range columns {
			width := c.cut
			if wide {
				width = 0
			}
			t.Cell(cutCell(c.cell(r, now), width))
		}
	}
	return t.Flush()
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/resources"
)

const topDoc = `Show what live sessions are doing, and how well.

DRIFT is how far a session strayed from its task, 0 to 100: 10 for each turn beyond
the second since something was last recorded for the task (50 at most), 25 if the task is
stale, and the percentage of calls against the rules (25 at most). A session that is
on no active task cannot drift.

HEALTH is 100 minus what went wrong: twice the percentage of calls against the rules
(40 at most), 10 for each failed call in a row beyond the first (30 at most), 10 for
each call in a row that the person stopped (30 at most), 5 for each compaction beyond
the second (20 at most), and a fifth of the drift.`

type topFlags struct {
	output    string
	sortBy    string
	all       bool
	noHeaders bool
}

func newTop(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "top sessions", Short: "Show what sessions are doing, with drift and health", Long: topDoc,
		RunE: func(c *cobra.Command, args []string) error {
			return fmt.Errorf("%q has no figures to show; see idumb top sessions", strings.Join(args, " "))
		},
	}
	c.AddCommand(newTopSessions(a))
	return c
}

func newTopSessions(a *app) *cobra.Command {
	var f topFlags
	c := &cobra.Command{
		Use: "sessions [NAME...] [flags]", Aliases: []string{"session", "ses"}, Short: "Show figures of sessions", Long: topDoc,
		Example:           "  idumb top sessions\n  idumb top sessions --sort-by health\n  idumb top sessions -A -o json",
		RunE:              func(c *cobra.Command, args []string) error { return a.topSessions(c.Context(), &f, args) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVarP(&f.output, "output", "o", "", "wide, json, yaml, jsonpath=...")
	c.Flags().StringVar(&f.sortBy, "sort-by", "drift", "name, drift, health, calls, denials: the worst or the most first")
	c.Flags().BoolVarP(&f.all, "all", "A", false, "also sessions that are over")
	c.Flags().BoolVar(&f.noHeaders, "no-headers", false, "leave out the names of the columns")
	completeFlag(c, "output", "wide", "json", "yaml", "jsonpath=")
	completeFlag(c, "sort-by", "name", "drift", "health", "calls", "denials")
	return c
}

// topRow is a session as -o json prints it.
type topRow struct {
	Name        string         `json:"name"`
	Host        string         `json:"host,omitempty"`
	Agent       string         `json:"agent,omitempty"`
	Phase       string         `json:"phase"`
	State       string         `json:"state,omitempty"`
	Task        string         `json:"task,omitempty"`
	LastSeenAt  resources.Time `json:"lastSeenAt,omitzero"`
	Turns       int            `json:"turns"`
	Calls       int            `json:"calls"`
	Writes      int            `json:"writes"`
	Denials     int            `json:"denials"`
	Violations  int            `json:"violations"`
	Compactions int            `json:"compactions"`
	Drift       int            `json:"drift"`
	Health      int            `json:"health"`
	Why         []string       `json:"why,omitempty"` // what drift and health are made of
}

// topOrders is the table of what the rows can be sorted by.
var topOrders = map[string]func(a, b topRow) int{
	"name":    func(topRow, topRow) int { return 0 },
	"drift":   func(a, b topRow) int { return cmp.Compare(b.Drift, a.Drift) },
	"health":  func(a, b topRow) int { return cmp.Compare(a.Health, b.Health) },
	"calls":   func(a, b topRow) int { return cmp.Compare(b.Calls, a.Calls) },
	"denials": func(a, b topRow) int { return cmp.Compare(b.Denials+b.Violations, a.Denials+a.Violations) },
}

func (a *app) topSessions(ctx context.Context, f *topFlags, names []string) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "wide", "yaml")
	if err != nil {
		return err
	}
	order, known := topOrders[strings.ToLower(f.sortBy)]
	if !known {
		return fmt.Errorf("--sort-by %q is not known; use name, drift, health, calls or denials", f.sortBy)
	}
	w, err := a.load(ctx, planning[:]...)
	if err != nil {
		return err
	}
	rows, err := w.topRows(names, f.all)
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b topRow) int { return cmp.Or(order(a, b), strings.Compare(a.Name, b.Name)) })
	p := &printers.Printer{Format: format, NoHeaders: f.noHeaders}
	switch {
	case !format.Table():
		return p.PrintItems(a.stdout, items(rows))
	case len(rows) == 0:
		a.errf("No live sessions found; -A shows those that are over as well.\n")
		return nil
	}
	return a.topTable(p, w, rows)
}

// topRows are the sessions of those names, or all; of all, only the live ones unless over.
func (w *world) topRows(names []string, over bool) ([]topRow, error) {
	var rows []topRow
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "session/")
		if err := w.mustExist(resources.Key{Kind: resources.Sessions, Name: names[i]}); err != nil {
			return nil, err
		}
	}
	for _, key := range w.snap.List(resources.Sessions) {
		object, _ := w.snap.Get(key)
		session, ok := object.(*resources.Session)
		if !ok || len(names) > 0 && !slices.Contains(names, key.Name) {
			continue
		}
		row := w.topRow(session)
		if over || len(names) > 0 || row.Phase != resources.SessionEnded && row.Phase != resources.SessionStale {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// topRow is one session. What the gate counted is read where it counts: the record may be
// a minute behind.
func (w *world) topRow(session *resources.Session) topRow {
	s := *session
	calls, denials := hook.Counts(w.root, s.Metadata.Name)
	c := &s.Spec.Counters
	c.ToolCalls, c.Denials = max(c.ToolCalls, calls), max(c.Denials, denials)
	status, _ := resources.DeriveSession(&s, w.snap)
	figures := resources.FiguresOf(&s, w.snap)
	why := append(figures.DriftReasons(), figures.HealthReasons()...)
	slices.Sort(why)
	return topRow{
		Name: s.Metadata.Name, Host: s.Spec.Host, Agent: s.Spec.Agent, Phase: status.Phase, State: s.Spec.State, Task: s.Spec.ActiveTask, LastSeenAt: s.Spec.LastSeenAt,
		Turns: c.Turns, Calls: c.ToolCalls, Writes: c.Writes, Denials: c.Denials, Violations: c.Violations, Compactions: c.Compactions,
		Drift: status.Drift, Health: status.Health, Why: slices.Compact(why),
	}
}

func (a *app) topTable(p *printers.Printer, w *world, rows []topRow) error {
	headers := []string{"NAME", "HOST", "AGENT", "TASK", "TURNS", "CALLS", "WRITES", "DENIALS", "DRIFT", "HEALTH"}
	wide := p.Format.Name == "wide"
	if wide {
		headers = append(headers, "VIOLATIONS", "COMPACTIONS", "PHASE", "STATE", "SEEN", "WHY")
	}
	t := printers.NewTable(a.stdout, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	for _, r := range rows {
		for _, text := range []string{r.Name, r.Host, r.Agent, r.Task} {
			t.Cell(text)
		}
		for _, n := range []int{r.Turns, r.Calls, r.Writes, r.Denials, r.Drift, r.Health} {
			t.Cell(strconv.Itoa(n))
		}
		if wide {
			t.Cell(strconv.Itoa(r.Violations))
			t.Cell(strconv.Itoa(r.Compactions))
			t.Cell(r.Phase)
			t.Cell(r.State)
			t.Cell(printers.Age(r.LastSeenAt.Time, w.now))
			t.Cell(strings.Join(r.Why, "; "))
		}
	}
	return t.Flush()
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

const topDoc = `Show what live sessions are doing, and how well.

DRIFT is how far a session strayed from its task, 0 to 100: 10 for each turn beyond
the second since something was last recorded for the task (50 at most), 25 if the task is
stale, and the percentage of calls against the rules (25 at most). A session that is
on no active task cannot drift.

HEALTH is 100 minus what went wrong: twice the percentage of calls against the rules
(40 at most), 10 for each failed call in a row beyond the first (30 at most), 10 for
each call in a row that the person stopped (30 at most), 5 for each compaction beyond
the second (20 at most), and a fifth of the drift.

The table fits 80 columns: long names are cut, and what they begin with is enough to
name a session here. -o wide cuts nothing, and tells the tools and the reasons.`

type topFlags struct {
	printFlags
	sortBy string
	all    bool
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
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	c.Flags().StringVar(&f.sortBy, "sort-by", "drift", "name, drift, health, calls, denials: the worst or the most first")
	c.Flags().BoolVarP(&f.all, "all", "A", false, "also sessions that are over")
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
	Tools       map[string]int `json:"tools,omitempty"` // that were called, and how often
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
	p, err := f.printer()
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
	switch {
	case !p.Format.Table():
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
		key, err := w.sessionNamed(strings.TrimPrefix(names[i], "session/"))
		if err != nil {
			return nil, err
		}
		names[i] = key.Name
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

// sessionNamed finds a session by its name, or by what only its name begins with: the table
// cuts long ones.
func (w *world) sessionNamed(name string) (resources.Key, error) {
	key := resources.Key{Kind: resources.Sessions, Name: name}
	if w.entry(key) != nil {
		return key, nil
	}
	begin := strings.TrimSuffix(name, "…")
	var found []resources.Key
	for _, k := range w.snap.List(resources.Sessions) {
		if begin != "" && strings.HasPrefix(k.Name, begin) {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return key, apierrors.NotFound(key)
	case 1:
		return found[0], nil
	}
	return key, fmt.Errorf("%d sessions begin with %q: give more of the name", len(found), begin)
}

// topRow is one session. What the gate counted is read where it counts: the record may be
// a minute behind.
func (w *world) topRow(session *resources.Session) topRow {
	s := *session
	calls, denials := hooks.Counts(w.root, s.Metadata.Name)
	c := &s.Spec.Counters
	c.ToolCalls, c.Denials = max(c.ToolCalls, calls), max(c.Denials, denials)
	st, _ := status.DeriveSession(&s, w.snap)
	figures := status.FiguresOf(&s, w.snap)
	why := append(figures.DriftReasons(), figures.HealthReasons()...)
	slices.Sort(why)
	return topRow{
		Name: s.Metadata.Name, Host: s.Spec.Host, Agent: s.Spec.Agent, Phase: st.Phase, State: s.Spec.State, Task: s.Spec.ActiveTask, LastSeenAt: s.Spec.LastSeenAt,
		Turns: c.Turns, Calls: c.ToolCalls, Writes: c.Writes, Denials: c.Denials, Violations: c.Violations, Compactions: c.Compactions, Tools: hooks.ToolsOf(w.root, s.Metadata.Name),
		Drift: st.Drift, Health: st.Health, Why: slices.Compact(why),
	}
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
	cell   func(topRow, time.Time) string
}

// topColumns is the table of columns; a wide one is shown by -o wide only.
var topColumns = [...]topColumn{
	{"NAME", false, topNameWidth, func(r topRow, _ time.Time) string { return r.Name }},
	{"TASK", false, topTaskWidth, func(r topRow, _ time.Time) string { return r.Task }},
	{"TURNS", false, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Turns) }},
	{"CALLS", false, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Calls) }},
	{"DENIALS", false, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Denials) }},
	{"DRIFT", false, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Drift) }},
	{"HEALTH", false, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Health) }},
	{"HOST", true, 0, func(r topRow, _ time.Time) string { return r.Host }},
	{"AGENT", true, 0, func(r topRow, _ time.Time) string { return r.Agent }},
	{"WRITES", true, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Writes) }},
	{"VIOLATIONS", true, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Violations) }},
	{"COMPACTIONS", true, 0, func(r topRow, _ time.Time) string { return strconv.Itoa(r.Compactions) }},
	{"PHASE", true, 0, func(r topRow, _ time.Time) string { return r.Phase }},
	{"STATE", true, 0, func(r topRow, _ time.Time) string { return r.State }},
	{"SEEN", true, 0, func(r topRow, now time.Time) string { return questions.Age(r.LastSeenAt.Time, now) }},
	{"TOOLS", true, 0, func(r topRow, _ time.Time) string { return toolsText(r.Tools) }},
	{"WHY", true, 0, func(r topRow, _ time.Time) string { return strings.Join(r.Why, "; ") }},
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

func (a *app) topTable(p *printers.Printer, w *world, rows []topRow) error {
	wide := p.Format.Name == "wide"
	columns := slices.DeleteFunc(slices.Clone(topColumns[:]), func(c topColumn) bool { return c.wide && !wide })
	t := printers.NewTable(a.stdout, len(columns))
	if !p.NoHeaders {
		for _, c := range columns {
			t.Header(c.header)
		}
	}
	for _, r := range rows {
		for _, c := range columns {
			width := c.cut
			if wide {
				width = 0
			}
			t.Cell(cutCell(c.cell(r, w.now), width))
		}
	}
	return t.Flush()
}

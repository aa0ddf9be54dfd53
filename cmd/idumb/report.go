package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// reportFlags holds the flags of idumb report.
type reportFlags struct {
	printFlags
	markdown bool
	since    duration
}

// newReport returns idumb report, which compares plans with their results.
func newReport(a *app) *cobra.Command {
	var f reportFlags
	c := newCommand("report", nil, func(c *cobra.Command, args []string) error { return a.report(c.Context(), &f, args) })
	c.ValidArgsFunction = a.completeNamesOf(resources.WorkPlans)
	f.declare(c, "json", "yaml", "jsonpath=")
	c.Flags().BoolVar(&f.markdown, "md", false, "print Markdown, for a pull request or a wiki")
	c.Flags().Var(&f.since, "since", "only records of the last 7d, 24h; planned and open tasks are always listed")
	c.MarkFlagsMutuallyExclusive("md", "output")
	return c
}

// report runs idumb report: it prints a report of each given plan, of all plans if none is given.
func (a *app) report(ctx context.Context, f *reportFlags, args []string) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	keys, err := allNamedOf(resources.WorkPlans, args, "%s is not a plan; idumb report supports only plans, idumb describe shows %[1]s")
	if err != nil {
		return err
	}
	parameters := url.Values{}
	for _, key := range keys {
		parameters.Add("plan", key.Name)
	}
	if f.since > 0 {
		parameters.Set("since", a.now().Add(-time.Duration(f.since)).UTC().Format(time.RFC3339))
	}
	reports, err := ask[[]queries.PlanReport](a.answers(ctx), queries.AskReport, parameters)
	switch {
	case err != nil:
		return err
	case p.Format.NeedsDocument():
		return p.PrintItems(a.stdout, items(reports))
	case len(reports) == 0:
		a.errf("No resources found\n")
	}
	for i := range reports {
		a.tellReport(&reports[i], f.markdown)
	}
	return nil
}

// tellReport prints the report on one plan.
func (a *app) tellReport(r *queries.PlanReport, markdown bool) {
	standing := fmt.Sprintf("[%s]  %d/%d done", r.Phase, r.Done, r.Total)
	if markdown {
		a.outf("# %s\n\nworkplan/%s %s\n\n", markdownText(r.Title), r.Plan, standing)
	} else {
		a.outf("workplan/%s %s  %s\n\n", r.Plan, standing, terminal.EscapeLine(r.Title))
	}
	for _, s := range r.Sections {
		if !markdown {
			part(a, s.Title, s.Lines, len(s.Lines), "", reportCells)
			continue
		}
		a.outf("## %s\n\n", s.Title)
		for i := range s.Lines {
			a.outf("- %s\n", markdownText(strings.Join(strings.Fields(strings.Join(reportCells(&s.Lines[i])[0], " ")), " ")))
		}
		a.outf("\n")
	}
}

// reportCells returns a line of a report as the cells of a table row: time, object, phase, text.
func reportCells(l *queries.ReportLine) [][]string {
	at, phase := "", l.Phase
	if !l.Time.IsZero() {
		at = l.Time.UTC().Format("2006-01-02 15:04")
	}
	if phase != "" {
		phase = "[" + phase + "]"
	}
	return [][]string{{at, l.Object, phase, strings.Join(strings.Fields(l.Text), " ")}}
}

// markdownText returns an untrusted text as one line of Markdown, with all markup and control
// characters escaped.
func markdownText(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]", `\]`, "#", `\#`, "|", `\|`)
	return escaped.Replace(terminal.EscapeLine(text))
}

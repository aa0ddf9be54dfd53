package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/records"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

const violationsDoc = `List the calls of agents that were against the rules, each one, the newest last.

VERDICT says what became of a call: "denied", or "would deny" where mode log let
it pass that mode enforce would have denied, or "got through" where it ran though
the gate was not asked or not heeded. Run with "mode": "log" for a week, read
this list, and switch to enforce when nothing in it surprises you.`

// violationsFlags are the flags of violations.
type violationsFlags struct {
	output    string
	session   string
	rule      string
	since     time.Duration
	noHeaders bool
}

func newViolations(a *app) *cobra.Command {
	var f violationsFlags
	c := &cobra.Command{
		Use: "violations [flags]", Short: "List calls that were denied, or would have been", Long: violationsDoc, Args: cobra.NoArgs,
		Example: "  idumb violations --since 24h\n  idumb violations --session ses-1 -o wide\n  idumb violations -o json",
		RunE:    func(*cobra.Command, []string) error { return a.violations(&f) },
	}
	c.Flags().StringVarP(&f.output, "output", "o", "", "wide, json, yaml, jsonpath=...")
	c.Flags().StringVar(&f.session, "session", "", "only calls of this session")
	c.Flags().StringVar(&f.rule, "rule", "", "only calls against this rule: write-gate")
	c.Flags().DurationVar(&f.since, "since", 0, "only calls of the last 90m, 24h; 0: all that are kept")
	c.Flags().BoolVar(&f.noHeaders, "no-headers", false, "leave out the names of the columns")
	completeFlag(c, "output", "wide", "json", "yaml", "jsonpath=")
	a.completeFlagNames(c, "session", resources.Sessions)
	return c
}

func (a *app) violations(f *violationsFlags) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "wide", "yaml")
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	found := a.violationsOf(root, f)
	p := &printers.Printer{Format: format, NoHeaders: f.noHeaders}
	switch {
	case !format.Table():
		return p.PrintItems(a.stdout, items(found))
	case len(found) == 0:
		a.errf("No violations found.\n")
		return nil
	}
	return a.violationTable(p, found)
}

// violationDocument is a call against the rules, as -o json prints it.
type violationDocument struct {
	Time    resources.Time `json:"time"`
	Verdict string         `json:"verdict"` // "denied", "would deny" or "got through"
	resources.Violation
	Message string `json:"message"`
	From    string `json:"from,omitempty"`
}

func (a *app) violationsOf(root layout.Root, f *violationsFlags) []violationDocument {
	all, err := records.Violations(root)
	a.warnUnread(err)
	session := strings.TrimPrefix(f.session, "session/")
	var found []violationDocument
	for _, e := range all {
		v := violationDocument{e.Time, verdictOf(e), *e.Violation, e.Message, e.From}
		if session != "" && v.Session != session || f.rule != "" && v.Rule != f.rule || f.since > 0 && a.now().Sub(e.Time.Time) > f.since {
			continue
		}
		found = append(found, v)
	}
	return found
}

func verdictOf(e resources.Event) string {
	switch e.Reason {
	case resources.ReasonDenied:
		return "denied"
	case resources.ReasonGotThrough:
		return "got through"
	}
	return "would deny"
}

func (a *app) violationTable(p *printers.Printer, found []violationDocument) error {
	headers := []string{"AGE", "VERDICT", "RULE", "SESSION", "CALL"}
	wide := p.Format.Name == "wide"
	if wide {
		headers = append(headers, "TASK", "AGENT", "TOOL", "FROM")
	}
	t := printers.NewTable(a.stdout, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	for _, v := range found {
		t.Cell(printers.Age(v.Time.Time, a.now()))
		t.Cell(v.Verdict)
		t.Cell(v.Rule)
		t.Cell(v.Session)
		t.Cell(v.Call)
		if wide {
			t.Cell(v.Task)
			t.Cell(v.Agent)
			t.Cell(v.Tool)
			t.Cell(v.From)
		}
	}
	return t.Flush()
}

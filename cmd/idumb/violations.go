package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// violationsFlags are the flags of violations.
type violationsFlags struct {
	printFlags
	session string
	rule    string
	since   time.Duration
}

func newViolations(a *app) *cobra.Command {
	var f violationsFlags
	c := newCommand("violations", cobra.NoArgs, func(*cobra.Command, []string) error { return a.violations(&f) })
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	c.Flags().StringVar(&f.session, "session", "", "only calls of this session")
	c.Flags().StringVar(&f.rule, "rule", "", "only calls against this rule: write-gate")
	c.Flags().DurationVar(&f.since, "since", 0, "only calls of the last 90m, 24h; 0: all that are kept")
	a.completeFlagNames(c, "session", resources.Sessions)
	return c
}

func (a *app) violations(f *violationsFlags) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	table := recordTable[violationDocument]{
		headers: []string{"AGE", "VERDICT", "RULE", "SESSION", "CALL", "TASK", "AGENT", "TOOL", "FROM", "DENIAL"}, always: 5, nothing: "No violations found.",
		row: func(v violationDocument) []string {
			return []string{questions.Age(v.Time.Time, a.now()), v.Verdict, v.Rule, v.Session, v.Call, v.Task, v.Agent, v.Tool, v.From, v.Denial}
		},
	}
	return table.print(a, p, a.violationsOf(root, f))
}

// violationDocument is a call against the rules, as -o json prints it.
type violationDocument struct {
	Time    resources.Time `json:"time"`
	Verdict string         `json:"verdict"` // "denied", "would deny" or "got through"
	resources.Violation
	Denial  string `json:"denial,omitempty"` // as idumb allow takes it
	Message string `json:"message"`
	From    string `json:"from,omitempty"`
}

func (a *app) violationsOf(root layout.Root, f *violationsFlags) []violationDocument {
	all, err := records.Violations(root)
	a.warnUnread(err)
	session := strings.TrimPrefix(f.session, "session/")
	var found []violationDocument
	for _, e := range all {
		v := violationDocument{e.Time, verdictOf(e), *e.Violation, denialOf(e), e.Message, e.From}
		if session != "" && v.Session != session || f.rule != "" && v.Rule != f.rule || f.since > 0 && a.now().Sub(e.Time.Time) > f.since {
			continue
		}
		found = append(found, v)
	}
	return found
}

// denialOf names a denial; "" for what the gate did not deny.
func denialOf(e resources.Event) string {
	if e.Reason != resources.ReasonDenied {
		return ""
	}
	return e.Violation.ID()
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

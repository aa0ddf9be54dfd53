package main

import (
	"context"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// showViolations prints the calls that violated rules, newest last.
func (a *app) showViolations(_ context.Context, g *getFlags, p *printers.Printer, _ []string) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	table := recordTable[violationDocument]{
		headers: []string{"AGE", "VERDICT", "RULE", "SESSION", "CALL", "TASK", "AGENT", "TOOL", "FROM", "DENIAL"}, always: 5, nothing: "No violations found.",
		row: func(v violationDocument) []string {
			return []string{queries.Age(v.Time.Time, a.now()), v.Verdict, v.Rule, v.Session, v.Call, v.Task, v.Agent, v.Tool, v.Source, v.Denial}
		},
	}
	return table.print(a, p, a.violationsOf(root, g))
}

// violationDocument is a violation in the form of -o json.
type violationDocument struct {
	Time    resources.Time `json:"time"`
	Verdict string         `json:"verdict"` // denied, would deny or got through
	resources.Violation
	Denial  string `json:"denial,omitempty"` // argument for idumb allow
	Message string `json:"message"`
	Source  string `json:"from,omitempty"`
}

// violationsOf returns the stored violations that match the flags --session, --rule and --since.
func (a *app) violationsOf(root layout.Root, g *getFlags) []violationDocument {
	all, err := records.Violations(root)
	a.warnUnread(err)
	session := strings.TrimPrefix(g.session, "session/")
	var found []violationDocument
	for _, e := range all {
		v := violationDocument{e.Time, e.Verdict(), *e.Violation, denialOf(e), e.Message, e.From}
		if session != "" && v.Session != session || g.rule != "" && v.Rule != g.rule || g.since > 0 && a.now().Sub(e.Time.Time) > time.Duration(g.since) {
			continue
		}
		found = append(found, v)
	}
	return found
}

// denialOf returns the ID of a denial, empty if the gate did not deny the call.
func denialOf(e resources.Event) string {
	if e.Reason != resources.ReasonDenied {
		return ""
	}
	return e.Violation.ID()
}

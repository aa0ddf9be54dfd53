package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/denialdecisions"
	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// allowFlags holds the flags of idumb allow.
type allowFlags struct {
	printFlags
	writeFlags
	reason     string
	list, fine bool
}

func newAllow(a *app) *cobra.Command {
	var f allowFlags
	c := newCommand("allow", cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error { return a.allow(&f, args) })
	c.Flags().StringVar(&f.reason, "reason", "", "the reason; the agent receives it")
	c.Flags().BoolVar(&f.fine, "fine", false, "mark the denial as correct")
	c.Flags().BoolVar(&f.list, "list", false, "list unused grants")
	addDryRun(c, &f.writeFlags)
	f.declare(c, "wide", "json", "yaml", "jsonpath=")
	hideFlags(c.Flags(), "list", "output", "no-headers") // replaced by idumb get grants
	for _, name := range [...]string{"fine", "reason", "dry-run"} {
		c.MarkFlagsMutuallyExclusive("list", name)
	}
	c.ValidArgsFunction = a.completeDenials
	return c
}

// denials returns the user's access to denials. It returns an error if an agent runs the command.
func (a *app) denials() (*denialdecisions.Denials, error) {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "allow")
	}
	if err != nil {
		return nil, err
	}
	return &denialdecisions.Denials{Root: root, Env: os.Environ(), Now: a.now(), User: leases.Open(root).User().Person}, nil
}

// allow runs idumb allow: it grants one repetition of a denied call, or with --fine marks the
// denial as correct. With --list it prints the unused grants.
func (a *app) allow(f *allowFlags, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	desk, err := a.denials()
	if err != nil {
		return err
	}
	switch {
	case f.list && len(args) > 0:
		return errors.New("--list takes no name")
	case f.list:
		p, err := f.printer(a.colour)
		if err != nil {
			return err
		}
		return a.printGrants(p, desk)
	case f.printFlags.output != "" || f.noHeaders:
		return errors.New("-o and --no-headers require a list: idumb get grants")
	case len(args) == 0:
		return errors.New("name a denial or a session: idumb get violations -o wide lists all denials, idumb get needs the open ones")
	}
	denial, err := desk.Find(args[0])
	if err != nil {
		return err
	}
	if f.fine {
		if !f.dry() {
			err = desk.ConfirmDenial(&denial, f.reason)
		}
		return a.decided(f, &denial, "was rightly denied", err)
	}
	if err = desk.Check(&denial); err == nil && !f.dry() {
		err = desk.AllowOnce(&denial, f.reason)
	}
	return a.decided(f, &denial, "may do this once within "+strings.TrimSuffix(grants.ValidFor.String(), "0s"), err)
}

// decided prints the decision and the full call.
func (a *app) decided(f *allowFlags, n *denialdecisions.Denial, what string, err error) error {
	if err != nil {
		return err
	}
	if f.dry() {
		what += " (dry run)"
	}
	a.outf("session/%s %s (rule %s):\n", n.Session, what, n.Rule)
	for line := range strings.Lines(n.Text) {
		a.outf("  %s\n", terminal.EscapeLine(strings.TrimSuffix(line, "\n")))
	}
	return nil
}

// showGrants runs idumb get grants: it prints the unused grants.
func (a *app) showGrants(_ context.Context, _ *getFlags, p *printers.Printer, _ []string) error {
	desk, err := a.denials()
	if err != nil {
		return err
	}
	return a.printGrants(p, desk)
}

// printGrants prints the unused grants, in any output format.
func (a *app) printGrants(p *printers.Printer, desk *denialdecisions.Denials) error {
	table := recordTable[grants.Grant]{
		headers: []string{"SESSION", "RULE", "FOR", "BY", "CALL", "REASON"}, always: 5, nothing: "No grants found.",
		row: func(g grants.Grant) []string {
			return []string{g.Session, g.Rule, queries.Age(a.now(), g.Expires.Time), g.Grantor, strings.Join(strings.Fields(g.Call), " "), g.Reason}
		},
	}
	return table.print(a, p, desk.List())
}

// completeDenials completes the argument of idumb allow: sessions, and IDs of open denials.
func (a *app) completeDenials(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	root, err := a.root()
	if err != nil || len(args) > 0 {
		return nil, noFiles
	}
	words, _ := a.completeNamesOf(resources.Sessions)(c, args, word)
	open, _ := records.OpenDenials(root, a.now().Add(-attention.DeniedFor))
	told := map[string]bool{}
	for _, e := range open {
		if id := e.Violation.ID(); id != "" && strings.HasPrefix(id, word) && !told[id] {
			told[id] = true
			words = append(words, id+"\t"+terminal.EscapeLine(e.Violation.Call))
		}
	}
	return words, noFiles
}

package main

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// wideHeaders is what --no-headers means where only -o wide has a table.
const wideHeaders = "with -o wide: leave out the names of the columns"

// concernFlags are the flags of mem review and mem stale.
type concernFlags struct {
	asOf
	printFlags
}

// newConcerns makes the verb of mem that asks for these.
func newConcerns(path string, asked url.Values) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var f concernFlags
		c := newCommand(path, cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.concerns(c, &f, asked) })
		c.ValidArgsFunction = cobra.NoFileCompletions
		f.printFlags.declare(c, "wide", "json", "yaml", "name", "jsonpath=")
		c.Flags().Lookup("no-headers").Usage = wideHeaders
		f.asOf.declare(c.Flags())
		return c
	}
}

func (a *app) concerns(c *cobra.Command, f *concernFlags, asked url.Values) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	all, err := ask[[]questions.Concern](a.memAnswers(c, &f.asOf), questions.AskConcerns, asked)
	if err != nil {
		return err
	}
	switch {
	case p.Format.NeedsDocument():
		return p.PrintItems(a.stdout, items(concernDocuments(all)))
	case len(all) == 0:
		a.errf("No resources found\n")
		return nil
	}
	switch p.Format.Name {
	case "wide":
		return a.concernTable(p, all)
	case "name":
		a.concernNames(all)
		return nil
	}
	for i := range all {
		n := &all[i]
		a.outf("%s  %s%s\n", qualified(n.Key), n.Reason, confidenceOf(n, "  confidence "))
		a.outf("  %s\n", terminal.Wrap(terminal.EscapeLine(n.What), 78, "  "))
		a.outf("  %s\n", terminal.Wrap(terminal.EscapeLine("do: "+n.Remedy), 78, "  "))
	}
	return nil
}

// concernNames prints each mem once.
func (a *app) concernNames(all []questions.Concern) {
	seen := map[string]bool{}
	for i := range all {
		if name := qualified(all[i].Key); !seen[name] {
			seen[name] = true
			a.outf("%s\n", name)
		}
	}
}

func (a *app) concernTable(p *printers.Printer, all []questions.Concern) error {
	t := p.Records(a.stdout, 6, "NAME", "REASON", "PHASE", "CONFIDENCE", "WHAT", "DO")
	for i := range all {
		n := &all[i]
		t.Row(n.Name(), n.Reason, n.Phase, confidenceOf(n, ""), n.What, n.Remedy)
	}
	return t.Flush()
}

// confidenceOf is the confidence of a mem, after a text; "" for what has none.
func confidenceOf(n *questions.Concern, before string) string {
	if n.Key.Kind != resources.Mems || n.Phase == resources.PhaseInvalid {
		return ""
	}
	return before + fmt.Sprint(n.Confidence)
}

// concernDocument is a concern as -o json prints it.
type concernDocument struct {
	Name       string `json:"name"`
	Reason     string `json:"reason"`
	Phase      string `json:"phase"`
	Confidence int    `json:"confidence,omitempty"`
	What       string `json:"what"`
	Remedy     string `json:"remedy"`
}

func concernDocuments(all []questions.Concern) []concernDocument {
	documents := make([]concernDocument, 0, len(all))
	for i := range all {
		n := &all[i]
		documents = append(documents, concernDocument{n.Name(), n.Reason, n.Phase, n.Confidence, n.What, n.Remedy})
	}
	return documents
}

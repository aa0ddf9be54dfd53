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

func newMemReview(a *app) *cobra.Command {
	return a.newConcerns("review", "List the mems and anchors that somebody should look at",
		`List the mems that somebody should look at, what is most urgent first: what cannot
be read, what left the context because all that it cites is gone, what
contradicts another one, what is suspect because something that it cites has
changed, what is stale, what says the same as another one. Of anchors it lists those whose file is gone or
has changed. With each stands what to do.`, nil)
}

func newMemStale(a *app) *cobra.Command {
	return a.newConcerns("stale", "List the mems that nobody stood for lately",
		`List the mems that are stale or fading, the least sure first. A mem fades over
days on which the project saw work; idumb mem confirm resets that.`, url.Values{"stale": {"true"}})
}

func (a *app) newConcerns(use, short, long string, asked url.Values) *cobra.Command {
	var f concernFlags
	c := &cobra.Command{
		Use: use + " [flags]", Short: short, Long: long, Args: cobra.NoArgs,
		Example: "  idumb mem " + use + "\n  idumb mem " + use + " -o json", ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return a.concerns(c, &f, asked) },
	}
	f.printFlags.declare(c, "wide", "json", "yaml", "name", "jsonpath=")
	c.Flags().Lookup("no-headers").Usage = wideHeaders
	f.asOf.declare(c.Flags())
	return c
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

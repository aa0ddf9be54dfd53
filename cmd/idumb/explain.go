package main

import (
	"cmp"
	_ "embed"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources"
)

func newExplain(a *app) *cobra.Command {
	var recursive bool
	c := newCommand("explain", cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New("you must specify the type of resource to explain; idumb api-resources lists them")
		}
		word, _, _ := strings.Cut(args[0], ".")
		if text, found := recordText(args[0]); found {
			a.outf("%s", text)
			return nil
		}
		if _, err := kindOfWord(word); err != nil {
			return err
		}
		text, err := resources.Explain(args[0], recursive)
		if err != nil {
			return err
		}
		a.outf("%s", text)
		return nil
	})
	c.ValidArgsFunction = completeFields
	c.Flags().BoolVar(&recursive, "recursive", false, "list nested fields as well, without descriptions")
	return c
}

// recordTexts explains the data that is not in resources, with a heading for each kind: append-only
// records, and files of other programs.
//
//go:embed records.txt
var recordTexts string

// recordText returns the explanation of a record, false if there is no such record.
func recordText(word string) (string, bool) {
	text := cmp.Or(section(recordTexts, word+"\n"), section(recordTexts, word+"s\n"))
	return strings.TrimSpace(text) + "\n", text != ""
}

func newAPIResources(a *app) *cobra.Command {
	var f printFlags
	c := newCommand("api-resources", cobra.NoArgs, func(*cobra.Command, []string) error { return a.apiResources(&f) })
	f.declare(c, "wide", "name")
	return c
}

// apiResources runs idumb api-resources: it prints the kinds of resources and of computed records.
func (a *app) apiResources(f *printFlags) error {
	p, err := f.printer(a.colour)
	if err != nil {
		return err
	}
	if p.Format.Name == "name" {
		for _, k := range resources.Kinds() {
			a.outf("%s\n", k.Resource())
		}
		for _, k := range code.ComputedKinds(false) {
			a.outf("%s.%s\n", k.Plural, resources.Group)
		}
		return nil
	}
	t := p.Records(a.stdout, 5, "NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "DESCRIPTION")
	row := func(plural string, short []string, name, doc string) {
		t.Header(plural, strings.Join(short, ","), resources.APIVersion, "true", name) // unchanged: kubectl leaves these cells empty
		if p.Format.Name == "wide" {
			t.Header(doc)
		}
	}
	for _, k := range resources.Kinds() {
		row(k.Plural, k.ShortNames, k.Name, k.Doc)
	}
	for _, k := range code.ComputedKinds(false) {
		row(k.Plural, k.ShortNames, k.Name, k.Doc)
	}
	return t.Flush()
}

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources"
)

func newAPIResources(a *app) *cobra.Command {
	var f printFlags
	c := newCommand("api-resources", cobra.NoArgs, func(*cobra.Command, []string) error { return a.apiResources(&f) })
	f.declare(c, "wide", "name")
	return c
}

// apiResources runs idumb api-resources: it prints the kinds of resources and of computed records.
func (a *app) apiResources(f *printFlags) error {
	p, err := f.printer()
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

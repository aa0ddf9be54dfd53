package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/resources"
)

func newAPIResources(a *app) *cobra.Command {
	var f printFlags
	c := newCommand("api-resources", cobra.NoArgs, func(*cobra.Command, []string) error { return a.apiResources(&f) })
	f.declare(c, "wide", "name")
	return c
}

func (a *app) apiResources(f *printFlags) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	if p.Format.Name == "name" {
		for _, k := range resources.Kinds() {
			a.outf("%s\n", k.Resource())
		}
		return nil
	}
	t := p.Records(a.stdout, 5, "NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "DESCRIPTION")
	for _, k := range resources.Kinds() {
		t.Header(k.Plural, strings.Join(k.ShortNames, ","), resources.APIVersion, "true", k.Name) // as they are: kubectl leaves these cells empty
		if p.Format.Name == "wide" {
			t.Header(k.Doc)
		}
	}
	return t.Flush()
}

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/resources"
)

func newAPIResources(a *app) *cobra.Command {
	var output string
	var noHeaders bool
	c := newCommand("api-resources", cobra.NoArgs, func(*cobra.Command, []string) error {
		format, err := printers.ParseFormat(output, "name", "wide")
		if err != nil {
			return err
		}
		if format.Name == "name" {
			for _, k := range resources.Kinds() {
				a.outf("%s\n", k.Resource())
			}
			return nil
		}
		return a.kindTable(format.Name == "wide", noHeaders)
	})
	c.Flags().StringVarP(&output, "output", "o", "", "wide or name")
	c.Flags().BoolVar(&noHeaders, "no-headers", false, "leave out the names of the columns")
	completeFlag(c, "output", "wide", "name")
	return c
}

func (a *app) kindTable(wide, noHeaders bool) error {
	headers := []string{"NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"}
	if wide {
		headers = append(headers, "DESCRIPTION")
	}
	t := printers.NewTable(a.stdout, len(headers))
	if !noHeaders {
		t.Header(headers...)
	}
	for _, k := range resources.Kinds() {
		row := []string{k.Plural, strings.Join(k.ShortNames, ","), resources.APIVersion, "false", k.Name}
		if wide {
			row = append(row, k.Doc)
		}
		t.Header(row...) // as they are: kubectl leaves these cells empty
	}
	return t.Flush()
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

func newMemTree(a *app) *cobra.Command {
	var o tree.MemOptions
	var f asOf
	var output string
	c := newCommand("mem tree", nil, func(c *cobra.Command, args []string) error { return a.memTree(c, o, &f, output, args) })
	c.ValidArgsFunction = a.completeMems()
	c.Flags().BoolVar(&o.History, "all", false, "include replaced, purged and expired mems")
	c.Flags().BoolVar(&o.ASCII, "ascii", false, "draw with |, - and ` (default if the locale is not UTF-8)")
	_ = c.Flags().MarkHidden("ascii")
	c.Flags().StringVarP(&output, "output", "o", "", "print the mems of the tree like get: json, yaml, name, jsonpath=...")
	c.MarkFlagsMutuallyExclusive("output", "ascii")
	f.declare(c.Flags())
	completeFlag(c, "output", "json", "yaml", "name", "jsonpath=")
	return c
}

// memTree runs idumb mem tree: it draws mems by shelf and type, each below the mem that it
// refines, or prints them in another format.
func (a *app) memTree(c *cobra.Command, o tree.MemOptions, f *asOf, output string, args []string) error {
	format, err := printers.ParseFormat(output, "json", "jsonpath", "name", "yaml")
	if err != nil {
		return err
	}
	keys, err := allNamedOf(resources.Mems, args, notMem)
	if err != nil {
		return err
	}
	for _, key := range keys {
		o.Mems = append(o.Mems, key.Name)
	}
	by := a.memAnswers(c, f)
	if format.Name != "" {
		return a.show(by, &view{find: memsDrawn(&o), printer: printers.Printer{Format: format}})
	}
	a.look(&o.Look)
	return a.draw(by, tree.AskMems, o.Values())
}

func memsDrawn(o *tree.MemOptions) (find queries.Find) {
	for _, name := range o.Mems {
		find.Keys = append(find.Keys, resources.Key{Kind: resources.Mems, Name: name})
	}
	if len(find.Keys) == 0 {
		find.Kinds = []string{resources.Mems}
		if !o.History {
			find.Fields = memory.ShownPhases()
		}
	}
	return find
}

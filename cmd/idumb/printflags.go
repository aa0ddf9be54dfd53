package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
)

// printFlags are -o of a verb that prints records or answers, and --no-headers of one with
// a table.
type printFlags struct {
	output    string
	noHeaders bool
	formats   []string
}

// declare declares them. Formats are those that -o takes; one that needs a value ends in "=".
func (f *printFlags) declare(c *cobra.Command, formats ...string) {
	f.formats = formats
	c.Flags().StringVarP(&f.output, "output", "o", "", strings.ReplaceAll(strings.Join(formats, ", "), "=", "=..."))
	completeFlag(c, "output", formats...)
	if slices.Contains(formats, "wide") {
		c.Flags().BoolVar(&f.noHeaders, "no-headers", false, "leave out the names of the columns")
	}
}

// printer prints as the flags ask.
func (f *printFlags) printer() (*printers.Printer, error) {
	var names []string
	for _, format := range f.formats {
		names = append(names, strings.TrimSuffix(format, "="))
	}
	slices.Sort(names)
	format, err := printers.ParseFormat(f.output, names...)
	return &printers.Printer{Format: format, NoHeaders: f.noHeaders}, err
}

// newPrinted makes a verb without arguments that prints one document, with -o in these formats.
func newPrinted(name string, run func(context.Context, *printers.Printer) error, formats ...string) *cobra.Command {
	var f printFlags
	c := newCommand(name, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		p, err := f.printer()
		if err != nil {
			return err
		}
		return run(c.Context(), p)
	})
	f.declare(c, formats...)
	return c
}

// recordTable says how records, which are no objects, stand in a table.
type recordTable[R any] struct {
	headers []string
	always  int              // so many columns are shown without -o wide
	row     func(R) []string // a cell for each header
	nothing string           // what is said where there is none
	name    func(R) string   // what -o name prints, each once; nil for a verb without it
	text    func(R) string   // what is printed in place of the table where that is not asked for; nil: the table
}

// print prints records as documents, by their names, in sentences, or in the table.
func (t *recordTable[R]) print(a *app, p *printers.Printer, all []R) error {
	one := t.text
	switch {
	case p.Format.NeedsDocument():
		return p.PrintItems(a.stdout, items(all))
	case len(all) == 0 && t.nothing != "":
		a.errf("%s\n", t.nothing)
		return nil
	case p.Format.Name == "wide":
		one = nil
	case p.Format.Name == "name":
		one = t.name
	}
	if one != nil {
		told := map[string]bool{}
		for _, r := range all {
			if text := one(r); !told[text] {
				told[text] = true
				a.outf("%s\n", text)
			}
		}
		return nil
	}
	table := p.Records(a.stdout, t.always, t.headers...)
	for _, r := range all {
		table.Row(t.row(r)...)
	}
	return table.Flush()
}

func items[T any](records []T) []any {
	all := make([]any, len(records))
	for i := range records {
		all[i] = records[i]
	}
	return all
}

package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// printFlags are the flag -o of a verb that prints records or answers, and --no-headers if it has a
// table.
type printFlags struct {
	output    string
	noHeaders bool
	formats   []string
}

// declare declares the flags. formats lists the values of -o; a format with a value ends in "=".
func (f *printFlags) declare(c *cobra.Command, formats ...string) {
	f.formats = formats
	c.Flags().StringVarP(&f.output, "output", "o", "", strings.ReplaceAll(strings.Join(formats, ", "), "=", "=..."))
	completeFlag(c, "output", formats...)
	if slices.Contains(formats, "wide") {
		c.Flags().BoolVar(&f.noHeaders, "no-headers", false, "omit the column headers")
	}
}

// printer returns the printer for the given flags. A format that the command does not have is an
// error.
func (f *printFlags) printer(colour terminal.ColourMode) (*printers.Printer, error) {
	var names []string
	for _, format := range f.formats {
		names = append(names, strings.TrimSuffix(format, "="))
	}
	slices.Sort(names)
	format, err := printers.ParseFormat(f.output, names...)
	return &printers.Printer{Format: format, Colour: colour, NoHeaders: f.noHeaders}, err
}

// newPrinted returns a command without arguments that prints one document, with -o in these
// formats.
func (a *app) newPrinted(name string, run func(context.Context, *printers.Printer) error, formats ...string) *cobra.Command {
	var f printFlags
	c := newCommand(name, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		p, err := f.printer(a.colour)
		if err != nil {
			return err
		}
		return run(c.Context(), p)
	})
	f.declare(c, formats...)
	return c
}

// recordTable describes the table of records, which are not objects.
type recordTable[R any] struct {
	headers []string
	always  int              // number of columns without -o wide
	row     func(R) []string // cells for the headers
	nothing string           // message if there are no records
	name    func(R) string   // text for -o name, printed without duplicates; nil if unsupported
	text    func(R) string   // text that replaces the table unless -o wide is given; nil means the table
}

// print prints records as documents, names, sentences or a table.
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

// items converts a slice of records to a slice of any, for Printer.PrintItems.
func items[T any](records []T) []any {
	all := make([]any, len(records))
	for i := range records {
		all[i] = records[i]
	}
	return all
}

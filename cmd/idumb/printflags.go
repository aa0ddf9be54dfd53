package main

import (
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

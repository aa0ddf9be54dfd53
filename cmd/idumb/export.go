package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/resources/imports"
)

func newExport(a *app) *cobra.Command {
	list := imports.Formats(imports.Exported)
	c := newCommand("export", nil, func(c *cobra.Command, args []string) error { return noFormat(c, args, "export", list) })
	for _, f := range list {
		c.AddCommand(newExportFormat(a, f))
	}
	return c
}

// newExportFormat returns the verb that exports to one format.
func newExportFormat(a *app, f *imports.Format) *cobra.Command {
	return &cobra.Command{
		Use: f.Name, Short: "Export to " + f.Title, Args: cobra.NoArgs,
		Example: "  idumb export " + f.Name + " > all." + f.Name,
		RunE:    func(c *cobra.Command, _ []string) error { return a.exportTo(c.Context(), f) },
	}
}

// exportTo writes an export to standard output. The gate judges a redirection by an agent through
// its shell command.
func (a *app) exportTo(ctx context.Context, f *imports.Format) error {
	w, err := a.load(ctx)
	if err != nil {
		return err
	}
	data, report := f.Export(w.snap)
	for _, p := range report.Problems {
		a.errf("%s\n", p)
	}
	_, err = a.stdout.Write(data)
	return err
}

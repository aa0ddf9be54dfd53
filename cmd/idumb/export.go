package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/resources/imports"
)

const exportDoc = `Write plans and tasks for another tracker, or everything as JSON, to standard
output.

beads: one issue a line. What was imported from beads goes back as it was
written there, with what changed here since; what beads has no place for is in
the issue's metadata, so that importing it again gives the same objects.
json: all objects but those of this machine alone, as a List for idumb apply.`

func newExport(a *app) *cobra.Command {
	list := imports.Formats(imports.Exported)
	c := &cobra.Command{
		Use: "export FORMAT", Short: "Write plans and tasks for another tracker", Long: exportDoc,
		RunE: func(c *cobra.Command, args []string) error { return noFormat(c, args, "export", list) },
	}
	for _, f := range list {
		c.AddCommand(newExportFormat(a, f))
	}
	return c
}

func newExportFormat(a *app, f *imports.Format) *cobra.Command {
	return &cobra.Command{
		Use: f.Name, Short: "Export to " + f.Title, Args: cobra.NoArgs,
		Example: "  idumb export " + f.Name + " > all." + f.Name,
		RunE:    func(c *cobra.Command, _ []string) error { return a.exportTo(c.Context(), f) },
	}
}

// exportTo writes to standard output alone: where an agent sends that, the gate judges by its shell.
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

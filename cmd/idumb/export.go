package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/intake"
)

const exportDoc = `Write plans and tasks for another tracker, or everything as JSON, to standard output
or to a file.

beads: one issue a line. What was imported from beads goes back as it was written
there, with what changed here since; what beads has no place for is in the issue's
metadata, so that importing it again gives the same objects.
json: all objects but those of this machine alone, as a List for idumb apply.`

func newExport(a *app) *cobra.Command {
	list := intake.Formats(intake.Exported)
	c := &cobra.Command{
		Use: "export FORMAT", Short: "Write plans and tasks for another tracker", Long: exportDoc,
		RunE: func(c *cobra.Command, args []string) error { return noFormat(c, args, "export", list) },
	}
	for _, f := range list {
		c.AddCommand(newExportFormat(a, f))
	}
	return c
}

func newExportFormat(a *app, f *intake.Format) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: f.Name + " [-f FILE]", Short: "Export to " + f.Title, Args: cobra.NoArgs,
		Example: "  idumb export " + f.Name + " -f all." + f.Name,
		RunE:    func(c *cobra.Command, _ []string) error { return a.exportTo(c.Context(), f, file) },
	}
	c.Flags().StringVarP(&file, "file", "f", "", "write to this file, which must not be there yet (default: standard output)")
	return c
}

func (a *app) exportTo(ctx context.Context, f *intake.Format, file string) error {
	w, err := a.load(ctx)
	if err != nil {
		return err
	}
	data, report := f.Export(w.snap)
	for _, p := range report.Problems {
		a.errf("%s\n", p)
	}
	if file == "" {
		_, err = a.stdout.Write(data)
		return err
	}
	if err := writeNew(a.fromFolder([]string{file})[0], data); err != nil {
		return err
	}
	a.errf("%d objects written to %s\n", len(report.Created), quotedName(file))
	return nil
}

// writeNew makes a file and returns when it is on disk. One that is there is not replaced.
func writeNew(name string, data []byte) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err == nil {
		err = out.Sync()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s is not complete: %w", name, err)
	}
	return nil
}

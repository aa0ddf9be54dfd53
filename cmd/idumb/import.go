package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/importer"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources/imports"
)

func newImport(a *app) *cobra.Command {
	list := append(imports.Formats(imports.Imported), imports.Formats(imports.Migrated)...)
	c := newCommand("import", nil, func(c *cobra.Command, args []string) error { return noFormat(c, args, "import", list) })
	for _, f := range imports.Formats(imports.Imported) {
		c.AddCommand(newImportFormat(a, f))
	}
	for _, f := range imports.Formats(imports.Migrated) {
		c.AddCommand(newMigrateFormat(a, f))
	}
	return c
}

// noFormat prints the help if no format is given, otherwise it returns the error for an unknown
// format.
func noFormat(c *cobra.Command, args []string, verb string, list []*imports.Format) error {
	if len(args) == 0 {
		return c.Help()
	}
	return unknownFormat(verb, args[0], list)
}

// unknownFormat returns the error for a format that a verb does not support.
func unknownFormat(verb, name string, list []*imports.Format) error {
	return fmt.Errorf("cannot %s %q; idumb %s supports %s", verb, name, verb, strings.Join(imports.Names(list), ", "))
}

// newImportFormat returns the verb that imports from one format.
func newImportFormat(a *app, f *imports.Format) *cobra.Command {
	var w writeFlags
	c := &cobra.Command{
		Use: f.Name + " (" + f.Takes + "|-)", Short: "Import from " + f.Title, Args: cobra.ExactArgs(1),
		Long: f.Doc, Example: f.Example,
		RunE: func(c *cobra.Command, args []string) error { return a.importFrom(c.Context(), &w, f, args[0]) },
	}
	addDryRun(c, &w)
	return c
}

// importFrom imports the data of a format from a file or from standard input, and prints the
// created resources.
func (a *app) importFrom(ctx context.Context, w *writeFlags, f *imports.Format, name string) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	if name != mutate.Stdin {
		name = a.fromFolder([]string{name})[0]
	}
	source, err := importer.Open(f, name, a.stdin)
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr, a.now)
	done, err := importer.Import(ctx, repo, source, progress.tell)
	progress.end()
	if err != nil {
		return fmt.Errorf("import failed, no changes made: %w", err)
	}
	return a.tellIntake(w, source, done)
}

// tellIntake prints the result of a conversion.
func (a *app) tellIntake(w *writeFlags, s importer.Source, done importer.Done) error {
	if w.dry() {
		a.outf("Dry run: nothing was written.\n")
	}
	if err := done.Report.Print(a.stdout); err != nil {
		return err
	}
	tellFiles(a.stdout, "Stored unchanged (committed with .idumb; review them first):", done.Preserved)
	tellFiles(a.stdout, "Backups:", done.Backups)
	a.tellLeft(s)
	switch made := len(done.Report.Created) + len(done.Report.Updated); {
	case made > 0 && w.dry():
		a.outf("Next: run the command again without --dry-run\n")
	case made > 0:
		a.outf("Next: idumb tree shows the new plans and tasks, idumb doctor checks them\n")
	}
	return nil
}

// tellLeft prints the files of a source that were not read.
func (a *app) tellLeft(s importer.Source) {
	var left []string
	for _, file := range s.Skipped {
		left = append(left, strings.Replace(path.Join(s.Format.Folder, filepath.ToSlash(file)), "/: ", ": ", 1))
	}
	tellFiles(a.stdout, "Not read, left in place:", left)
}

// maxListed is the maximal number of files in a printed list.
const maxListed = 20

// tellFiles prints a title and up to maxListed files. It prints nothing for an empty list.
func tellFiles(to io.Writer, title string, files []string) {
	if len(files) == 0 {
		return
	}
	fmt.Fprintln(to, title)
	for _, file := range files[:min(maxListed, len(files))] {
		fmt.Fprintf(to, "  %s\n", terminal.EscapeLine(file))
	}
	if more := len(files) - maxListed; more > 0 {
		fmt.Fprintf(to, "  and %d more\n", more)
	}
}

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

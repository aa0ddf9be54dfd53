package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/importer"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/imports"
)

func newMigrate(a *app) *cobra.Command {
	var w writeFlags
	var strict bool
	list := imports.Formats(imports.Migrated)
	c := &cobra.Command{
		Use: "migrate [FORMAT...] [flags]", Short: "Convert data of older tools", Long: migrateDoc(list),
		Example:   "  idumb migrate --dry-run            # preview\n  idumb migrate\n  idumb migrate hivemind             # one format only",
		ValidArgs: imports.Names(list),
		RunE:      func(c *cobra.Command, args []string) error { return a.migrate(c.Context(), &w, strict, args) },
	}
	addMigrateFlags(c, &w, &strict)
	return c
}

// addMigrateFlags adds the flags of idumb migrate and of idumb import for one format of an older
// tool.
func addMigrateFlags(c *cobra.Command, w *writeFlags, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "keep the age of mems, so that most are stale (default: they start with the migration)")
	_ = c.Flags().MarkHidden("strict")
	addDryRun(c, w)
}

// newMigrateFormat returns the subcommand of import that converts an older tool's data in this
// repository.
func newMigrateFormat(a *app, f *imports.Format) *cobra.Command {
	var w writeFlags
	var strict bool
	c := &cobra.Command{
		Use: f.Name, Short: "Convert data of " + f.Title + " in this repository", Args: cobra.NoArgs, Long: migrateDoc([]*imports.Format{f}),
		Example: "  idumb import " + f.Name + " --dry-run\n  idumb import " + f.Name,
		RunE:    func(c *cobra.Command, _ []string) error { return a.migrate(c.Context(), &w, strict, []string{f.Name}) },
	}
	addMigrateFlags(c, &w, &strict)
	return c
}

// migrateDoc returns the help text, which describes each format.
func migrateDoc(list []*imports.Format) string {
	var b strings.Builder
	b.WriteString("Convert data of older tools to resources.\n\n")
	for _, f := range list {
		fmt.Fprintf(&b, "%s\n", wrapped(fmt.Sprintf("%s (%s): %s", f.Name, f.Folder, f.Doc)))
	}
	b.WriteString(`
Converted files are saved as NAME.bak: files of .idumb are moved, files of another
tool are copied, so you can continue to use the tool. Run migrate again to apply
its later changes. Each file is also stored unchanged in
.idumb/archive/unmapped, and the report names fields without an equivalent.
Resources that you created or edited are not changed. A second run without changes
changes nothing.`)
	return b.String()
}

// migrate converts the data of older tools in the repository: of the named ones, otherwise of all.
// It creates .idumb if necessary.
func (a *app) migrate(ctx context.Context, w *writeFlags, strict bool, names []string) error {
	list := imports.Formats(imports.Migrated)
	chosen, err := chosenFormats(list, names)
	if err != nil {
		return err
	}
	if done, err := a.initFor(chosen, w); done || err != nil {
		return err
	}
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	root := string(repo.Store.Root())
	found, err := importer.FindAll(root, chosen)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		a.outf("Nothing to migrate: no data of %s found in %s\n", titlesOf(chosen), root)
		return nil
	}
	for _, s := range found {
		if len(s.Files) == 0 {
			a.outf("%s in %s: no readable data\n", s.Format.Title, s.Format.Folder)
			a.tellLeft(s)
			continue
		}
		progress := newProgress(a.stderr, a.now)
		done, err := importer.Migrate(ctx, repo, s, strict, progress.tell)
		progress.end()
		if err != nil {
			return fmt.Errorf("migrating %s: %w", s.Format.Title, err)
		}
		a.outf("%s in %s, %s\n", s.Format.Title, filepath.Base(s.Dir), s.Count())
		if err := a.tellIntake(w, s, done); err != nil {
			return err
		}
	}
	return nil
}

// initFor creates .idumb if it does not exist and an older tool left data. done means that a dry
// run is complete, because it needs .idumb to continue.
func (a *app) initFor(chosen []*imports.Format, w *writeFlags) (done bool, err error) {
	dir, err := a.folder()
	if err != nil {
		return false, err
	}
	if _, err := layout.Find(dir); err == nil {
		return false, nil
	}
	root := initRoot(dir)
	found, err := importer.FindAll(root, chosen)
	if err != nil || len(found) == 0 {
		return false, err // the caller then reports the missing .idumb
	}
	for _, s := range found {
		if w.dry() {
			a.outf("%s in %s, %s: idumb migrate creates .idumb and converts this data to resources (dry run)\n", s.Format.Title, s.Format.Folder, s.Count())
		}
	}
	if w.dry() {
		return true, w.check()
	}
	_, err = a.initialize(w, scaffold.Options{}, scaffold.CoreRoles, []string{noAgent}, false)
	return false, err
}

// chosenFormats returns the formats with these names, or all if no name is given. An unknown name is
// an error.
func chosenFormats(list []*imports.Format, names []string) ([]*imports.Format, error) {
	var chosen []*imports.Format
	for _, name := range names {
		at := slices.Index(imports.Names(list), name)
		if at < 0 {
			return nil, unknownFormat("migrate", name, list)
		}
		chosen = append(chosen, list[at])
	}
	if len(names) == 0 {
		return list, nil
	}
	return chosen, nil
}

// titlesOf returns the titles of formats, joined with "or".
func titlesOf(list []*imports.Format) string {
	titles := make([]string, len(list))
	for i, f := range list {
		titles[i] = f.Title
	}
	return strings.Join(titles, " or ")
}

// tellOlder prints which data of older tools a repository contains, and how to convert it.
func (a *app) tellOlder(root string) error {
	found, err := importer.Find(root, imports.Formats(imports.Migrated))
	if err != nil {
		return err
	}
	for _, s := range found {
		a.outf("%s\n", wrapped(s.Advice()))
	}
	return nil
}

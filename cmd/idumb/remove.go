package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// removal contains the flags of delete and archive.
type removal struct {
	writeFlags
	selection
	cascade string
	missing bool // value of --ignore-not-found
}

func newDelete(a *app) *cobra.Command {
	var w removal
	c := newCommand("delete", nil, func(c *cobra.Command, args []string) error {
		if w.output != "" && w.output != "name" {
			return fmt.Errorf("unexpected -o output mode: %v. We only support '-o name'", w.output)
		}
		if names, ok := todoNames(args); ok {
			return a.dismissTodos(&w.writeFlags, names)
		}
		return a.remove(c.Context(), &w, args, mutate.Repo.Delete, func(gone []resources.Key) {
			a.echoEach(&w.writeFlags, gone, "deleted", quoted)
			a.adviseTombstone(gone)
		})
	})
	addSelectionFlags(c, &w.selection)
	c.Flags().StringVar(&w.cascade, "cascade", "", "background, foreground or orphan (default: refuse to delete resources with dependents)")
	c.Flags().Lookup("cascade").NoOptDefVal = "background"
	c.Flags().BoolVar(&w.missing, "ignore-not-found", false, "treat missing resources as deleted")
	c.Flags().Bool("wait", true, "ignored (for kubectl compatibility): delete always waits")
	_ = c.Flags().MarkHidden("wait")
	addWriteFlags(c, &w.writeFlags)
	return c
}

func newArchive(a *app) *cobra.Command {
	var w removal
	c := newCommand("archive", nil, func(c *cobra.Command, args []string) error {
		return a.remove(c.Context(), &w, args, mutate.Repo.Archive, func(gone []resources.Key) { a.echoEach(&w.writeFlags, gone, "archived", qualified) })
	})
	c.Flags().StringVar(&w.cascade, "cascade", "", "orphan: archive even if open tasks depend on the resource")
	addDryRun(c, &w.writeFlags)
	return c
}

func newRestore(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("restore", nil, func(c *cobra.Command, args []string) error {
		keys, err := parseKeys(args)
		if err != nil {
			return err
		}
		repo, err := a.writer(&w)
		if err != nil {
			return err
		}
		return each(keys, func(key resources.Key) error {
			back, err := repo.Restore(c.Context(), key)
			a.echoEach(&w, back, "restored", qualified)
			return err
		})
	})
	addDryRun(c, &w)
	c.ValidArgsFunction = a.completeArchived
	return c
}

// remove removes the selected objects, and returns an error for each that does not exist.
func (a *app) remove(ctx context.Context, w *removal, args []string, take func(mutate.Repo, context.Context, []resources.Key, mutate.Cascade) ([]resources.Key, error), echo func([]resources.Key)) error {
	cascade, err := mutate.ParseCascade(w.cascade)
	if err != nil {
		return err
	}
	repo, err := a.writer(&w.writeFlags)
	if err != nil {
		return err
	}
	keys, err := a.keys(ctx, &w.selection, args)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		a.errf("No resources found\n")
		return nil
	}
	present, absent := repo.Present(ctx, keys)
	if w.missing {
		absent = nil
	}
	gone, err := take(repo, ctx, present, cascade)
	if err == nil {
		echo(gone)
	}
	return errors.Join(append(absent, err)...)
}

// echoEach prints the same result for several objects. called formats their names.
func (a *app) echoEach(w *writeFlags, keys []resources.Key, what string, called func(resources.Key) string) {
	for _, key := range keys {
		if w.output == "name" {
			a.outf("%s\n", qualified(key))
			continue
		}
		a.outf("%s %s%s\n", called(key), what, w.suffix())
	}
}

// adviseTombstone prints advice about a deleted derived mem: another clone derives it again.
func (a *app) adviseTombstone(keys []resources.Key) {
	for _, key := range keys {
		if key.Kind == resources.Mems && memory.IsDerivedName(key.Name) {
			a.errf("tip: another clone creates mem/%s again from its source, unless you commit the deletion; idumb mem purge removes it from all clones\n", key.Name)
			return
		}
	}
}

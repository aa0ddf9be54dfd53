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

// deleteFlags are the flags of delete.
type deleteFlags struct {
	writeFlags
	selection
	cascade string
	missing bool // --ignore-not-found
}

func newDelete(a *app) *cobra.Command {
	var w deleteFlags
	c := newCommand("delete", nil, func(c *cobra.Command, args []string) error { return a.deleteAll(c.Context(), &w, args) })
	addSelectionFlags(c, &w.selection)
	c.Flags().StringVar(&w.cascade, "cascade", "", "background, foreground or orphan; without it, delete refuses what others need")
	c.Flags().Lookup("cascade").NoOptDefVal = "background"
	c.Flags().BoolVar(&w.missing, "ignore-not-found", false, "what is not there counts as deleted")
	c.Flags().Bool("wait", true, "there is nothing to wait for: when delete returns, the file is gone")
	addWriteFlags(c, &w.writeFlags)
	return c
}

func (a *app) deleteAll(ctx context.Context, w *deleteFlags, args []string) error {
	cascade, err := cascadeOf(w.cascade)
	if err != nil {
		return err
	}
	if w.output != "" && w.output != "name" {
		return fmt.Errorf("unexpected -o output mode: %v. We only support '-o name'", w.output)
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
	gone, err := repo.Delete(ctx, present, cascade)
	if err == nil {
		a.echoGone(&w.writeFlags, gone, "deleted")
		a.adviseTombstone(gone)
	}
	return errors.Join(append(absent, err)...)
}

// adviseTombstone: what another clone knows nothing of is made there again.
func (a *app) adviseTombstone(keys []resources.Key) {
	for _, key := range keys {
		if key.Kind == resources.Mems && memory.IsFedName(key.Name) {
			a.errf("tip: commit that mem/%s is gone, or another clone makes it again from its source; idumb mem purge keeps it out everywhere\n", key.Name)
			return
		}
	}
}

func (a *app) echoGone(w *writeFlags, keys []resources.Key, what string) {
	for _, key := range keys {
		if w.output == "name" {
			a.outf("%s\n", qualified(key))
			continue
		}
		a.outf("%s %s%s\n", quoted(key), what, w.suffix())
	}
}

func cascadeOf(word string) (mutate.Cascade, error) {
	switch word {
	case "":
		return mutate.Guarded, nil
	case "background", "foreground", "true":
		return mutate.Owned, nil
	case "orphan", "false":
		return mutate.Orphan, nil
	}
	return "", fmt.Errorf("invalid cascade value (%v); must be \"background\", \"foreground\" or \"orphan\"", word)
}

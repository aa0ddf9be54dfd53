package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// writeFlags are the flags that all writing verbs share.
type writeFlags struct {
	dryRun string
	output string
}

// addWriteFlags declares --dry-run and -o.
func addWriteFlags(c *cobra.Command, w *writeFlags) {
	addDryRun(c, w)
	c.Flags().StringVarP(&w.output, "output", "o", "", "print the object as json, yaml or name")
}

// addDryRun declares --dry-run alone, with kubectl's values.
func addDryRun(c *cobra.Command, w *writeFlags) {
	c.Flags().StringVar(&w.dryRun, "dry-run", "none", "check everything, write nothing (none or client)")
	c.Flags().Lookup("dry-run").NoOptDefVal = "client"
}

// check judges the flags' values.
func (w *writeFlags) check() error {
	if !slices.Contains([]string{"none", "client", "server", "true", "false"}, w.dryRun) {
		return fmt.Errorf("invalid dry-run value (%v); must be \"none\" or \"client\"", w.dryRun)
	}
	_, err := printers.ParseFormat(w.output, "json", "name", "yaml")
	return err
}

// dry reports whether nothing is to be written. There is no server to ask, so
// server means the same as client.
func (w *writeFlags) dry() bool { return w.dryRun != "none" && w.dryRun != "false" }

// suffix is what output adds to what was not really done.
func (w *writeFlags) suffix() string {
	if w.dry() {
		return " (dry run)"
	}
	return ""
}

// writer opens the repository for changing it.
func (a *app) writer(w *writeFlags) (mutate.Repo, error) {
	if err := w.check(); err != nil {
		return mutate.Repo{}, err
	}
	dir, err := a.folder()
	if err != nil {
		return mutate.Repo{}, err
	}
	root, err := layout.Find(dir)
	if err != nil {
		return mutate.Repo{}, err
	}
	files, err := filestore.OpenBriefly(string(root))
	if err != nil {
		return mutate.Repo{}, err
	}
	repo := mutate.Open(files, a.now, w.dry())
	repo.Wrote = a.keepTrust(root)
	return repo, nil
}

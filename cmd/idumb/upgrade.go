package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/renewal"
)

const upgradeDoc = `Bring what idumb put into this repository up to this version: hooks in agents' settings,
README and schemas of .idumb, and what .gitignore has to name. Files that nobody reads any more
are removed, and git forgets, at your next commit, what belongs to one machine alone. Nothing that
you wrote or changed is touched; your objects stay as they are.

idumb doctor and idumb up say when there is something to do. --dry-run lists it.`

func newUpgrade(a *app) *cobra.Command {
	var w writeFlags
	c := &cobra.Command{
		Use: "upgrade", Short: "Bring what idumb put here up to this version", Long: upgradeDoc, Args: cobra.NoArgs,
		Example: "  idumb upgrade --dry-run\n  idumb upgrade",
		RunE: func(*cobra.Command, []string) error {
			if err := w.check(); err != nil {
				return err
			}
			return a.upgrade(&w)
		},
	}
	addDryRun(c, &w)
	return c
}

func (a *app) upgrade(w *writeFlags) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	steps, err := renewal.Upgrade(root)
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		a.outf("%s is of this version; nothing to do%s\n", root, w.suffix())
		return nil
	}
	return a.carryOut(steps, w)
}

// carryOut does one step after the other, and says so.
func (a *app) carryOut(steps []renewal.Step, w *writeFlags) error {
	for i, s := range steps {
		if !w.dry() {
			if err := s.Do(); err != nil {
				return fmt.Errorf("%w; %d of %d steps are done, and doing it again goes on", err, i, len(steps))
			}
		}
		a.outf("%-9s %s%s\n", s.What, terminal.EscapeLine(s.File), w.suffix())
	}
	return nil
}

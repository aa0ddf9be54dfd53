package main

import (
	"context"
	"fmt"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
)

// upgrade runs idumb upgrade: it converts installed files to this version and prints which it kept
// because the user edited them.
func (a *app) upgrade(_ context.Context, w *writeFlags) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	steps, kept, err := upgrades.Upgrade(root, a.keepTrust(root))
	if err != nil {
		return err
	}
	for _, file := range kept {
		a.outf("%-9s %s: edited by you\n", "kept", terminal.EscapeLine(file))
	}
	if len(steps) == 0 {
		a.outf("%s is up to date%s\n", root, w.suffix())
		return nil
	}
	return a.carryOut(steps, w)
}

// carryOut performs the steps in order and prints each.
func (a *app) carryOut(steps []upgrades.Step, w *writeFlags) error {
	for i, s := range steps {
		if !w.dry() {
			if err := s.Do(); err != nil {
				return fmt.Errorf("%w; %d of %d steps are done; run the command again to continue", err, i, len(steps))
			}
		}
		a.outf("%-9s %s%s\n", s.Text, terminal.EscapeLine(s.File), w.suffix())
	}
	return nil
}

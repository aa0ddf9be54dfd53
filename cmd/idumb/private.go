package main

import (
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/renewal"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// keepPrivate makes git ignore the files of init in this clone and its linked trees. Files that git
// tracks remain tracked.
func (a *app) keepPrivate(root string, hosts []agents.Host) error {
	if layout.GitDir(root) == "" {
		return errors.New("nothing is kept out of git: " + root + " is in no git repository; run git init first, then idumb init --private again")
	}
	if err := renewal.Exclude(root, hosts); err != nil {
		return fmt.Errorf("what init makes is not kept out of git: %w", err)
	}
	a.outf("Private:     %s keeps it out of git\n", renewal.ExcludeFile(root))
	return nil
}

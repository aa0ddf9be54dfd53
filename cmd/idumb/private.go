package main

import (
	"errors"
	"fmt"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// keepPrivate makes git ignore the files of init in this clone and its linked trees. Files that git
// tracks remain tracked.
func (a *app) keepPrivate(root string, hosts []agents.Host) error {
	if layout.GitDir(root) == "" {
		return errors.New("--private requires a git repository, and " + root + " is not in one; run git init, then idumb init --private")
	}
	if err := upgrades.Exclude(root, hosts); err != nil {
		return fmt.Errorf("exclude the created files from git: %w", err)
	}
	a.outf("Private:     excluded from git in %s\n", upgrades.ExcludeFile(root))
	return nil
}

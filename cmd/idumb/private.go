package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
)

// keepPrivate has git leave out, in this clone and its linked trees alone, what init makes. What
// git tracks already it goes on to track.
func (a *app) keepPrivate(root string, hosts []agents.Host) error {
	git := layout.GitDir(root)
	if git == "" {
		return errors.New("nothing is kept out of git: " + root + " is in no git repository; run git init first, then idumb init --private again")
	}
	file := filepath.Join(layout.CommonDir(git), "info", "exclude")
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("which files git leaves out cannot be read: %w", err)
	}
	top := filepath.Dir(git) // of a linked tree it is somewhere else: there root is the top
	below, err := filepath.Rel(top, root)
	if err != nil || !filepath.IsLocal(below) {
		below = "."
	}
	lines := path.Join("/", filepath.ToSlash(below), layout.Dir) + "\n"
	for _, h := range hosts {
		for _, shared := range h.Shared {
			lines += path.Join("/", filepath.ToSlash(below), shared) + "\n"
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("what init makes is not kept out of git: %w", err)
	}
	if err := replace.File(file, text, scaffold.WithLines(slices.Clone(text), []byte(lines)), 0o644); err != nil {
		return fmt.Errorf("what init makes is not kept out of git: %w", err)
	}
	a.outf("Private:     %s keeps it out of git\n", file)
	return nil
}

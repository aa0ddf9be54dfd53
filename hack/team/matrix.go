package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// move is what git does to a working tree, and how it is undone.
type move struct {
	name     string
	do, undo [][]string
}

// moves are what people do with git, where old is a commit in which git still tracked the plans.
func moves(old string) []move {
	return []move{
		{"checkout of an old commit", [][]string{{"checkout", "-q", old}}, [][]string{{"checkout", "-q", "main"}}},
		{"switch to an old branch", [][]string{{"switch", "-qc", "feature", old}}, [][]string{{"switch", "-q", "main"}}},
		{"rebase of an old branch", [][]string{{"switch", "-qc", "rebased", old}, {"commit", "-qm", "work", "--allow-empty"}, {"rebase", "-q", "main"}}, [][]string{{"switch", "-q", "main"}}},
		{"merge into an old branch", [][]string{{"switch", "-qc", "other", old}, {"commit", "-qm", "work", "--allow-empty"}, {"merge", "-q", "--no-edit", "main"}}, [][]string{{"switch", "-q", "main"}}},
		{"stash of what is ignored", [][]string{{"stash", "push", "-qa"}}, [][]string{{"stash", "drop", "-q"}}},
		{"clean -fdx", [][]string{{"clean", "-qfdx", ".idumb"}}, nil},
		{"reset to an old commit", [][]string{{"reset", "-q", "--hard", old}}, [][]string{{"reset", "-q", "--hard", "@{1}"}}},
		{"a worktree that comes and goes", [][]string{{"worktree", "add", "-q", "../tree", old}, {"worktree", "remove", "--force", "../tree"}}, nil},
		{"rm -r", [][]string{{"!rm"}}, nil},
	}
}

// matrix has clones do what people do with git, right after an edit that nobody sent, and looks that
// nothing else changes with the team.
func (tm *team) matrix(l *ledger, r *rand.Rand) error {
	for i, m := range moves(tm.old) {
		c := tm.clones[i%len(tm.clones)]
		if err := errors.Join(c.gitInto("main"), c.do("sync", "now")); err != nil {
			return err
		}
		before, err := tm.state()
		if err != nil {
			return err
		}
		task := r.IntN(objects)
		if err := l.edit(c, task, "notes", false); err != nil {
			return err
		}
		for _, part := range [][][]string{m.do, m.undo} {
			if err := c.moveBy(part); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			if err := c.do("sync", "now"); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
		after, err := tm.state()
		if err != nil {
			return err
		}
		if changed := differing(before, after); changed != taskName(task) {
			return fmt.Errorf("%s in %s changed %q with the team, and %s was edited", m.name, c.name, changed, taskName(task))
		}
		l.tally.moves++
	}
	return nil
}

// gitInto has a clone stand on a branch of that name, made of what it has.
func (c *clone) gitInto(branch string) error {
	out, err := exec.Command("git", "-C", c.dir, "branch", "--show-current").Output()
	if err != nil || strings.TrimSpace(string(out)) == branch {
		return err
	}
	return git(c.dir, "checkout", "-qB", branch)
}

func (c *clone) moveBy(steps [][]string) error {
	for _, step := range steps {
		if step[0] == "!rm" {
			if err := os.RemoveAll(filepath.Join(c.dir, ".idumb/tasks")); err != nil {
				return err
			}
			continue
		}
		if err := git(c.dir, step...); err != nil {
			return err
		}
	}
	return nil
}

// state are the objects that the team has, by their names.
func (tm *team) state() (map[string]string, error) {
	out, err := exec.Command("git", "-C", tm.hub, "ls-tree", "-r", "refs/idumb/state", "o/").Output()
	objects := map[string]string{}
	for line := range strings.Lines(string(out)) {
		about, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		objects[filepath.Base(path)] = about
	}
	return objects, err
}

// differing are the names of the objects that changed, or came or went.
func differing(before, after map[string]string) string {
	var names []string
	for name, about := range before {
		if after[name] != about {
			names = append(names, name)
		}
	}
	for name := range after {
		if before[name] == "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

// move is an operation of git on a working tree and its reversal: git's arguments, with "; "
// between commands. OLD is a commit that still tracks the plans. "!rm" removes the tasks, and
// "!now" with a directory exchanges from there.
type move struct {
	name     string
	do, undo string
	empties  bool // the operation removes .idumb, so that no exchange is possible
}

// moves lists common operations of users with git.
var moves = [...]move{
	{"checkout of an old commit", "checkout -q OLD", "checkout -q main", false},
	{"switch to an old branch", "switch -qc feature OLD", "switch -q main", false},
	{"rebase of an old branch", "switch -qc rebased OLD; commit -qm work --allow-empty; rebase -q main", "switch -q main", false},
	{"merge into an old branch", "switch -qc other OLD; commit -qm work --allow-empty; merge -q --no-edit main", "switch -q main", false},
	{"stash of ignored files", "stash push -qa", "stash drop -q", false},
	{"bisect over when plans left git", "switch -qc hunted OLD; commit -qm 1 --allow-empty; commit -qm 2 --allow-empty; commit -qm 3 --allow-empty; commit -qm 4 --allow-empty; cherry-pick main; commit -qm 5 --allow-empty; " +
		"bisect start HEAD OLD; !now .; bisect good; !now .; bisect bad", "bisect reset; switch -q main", false}, // checks 3, main and 4
	{"clean -fdx", "clean -qfdx .idumb", "", false},
	{"reset to an old commit", "reset -q --hard OLD", "reset -q --hard @{1}", false},
	{"a worktree of an old commit", "worktree add -q ../tree OLD; !now ../tree; worktree remove --force ../tree", "", false},
	{"a second worktree", "worktree add -q --detach ../tree main; !now ../tree", "worktree remove --force ../tree", false},
	{"sparse checkout without .idumb", "sparse-checkout set --sparse-index src", "sparse-checkout disable", true},
	{"sparse checkout of an old commit", "checkout -q OLD; sparse-checkout set --sparse-index src", "sparse-checkout disable; checkout -q main", true},
	{"rm -r", "!rm", "", false},
}

// matrix performs git's operations in clones right after an unsent edit, and checks that the team's
// other objects do not change.
func (r *racer) matrix(l *ledger) error {
	for i, m := range moves {
		c := r.clones[i%len(r.clones)]
		if err := c.idumb("sync", "now"); err != nil {
			return err
		}
		before, err := r.state()
		if err != nil {
			return err
		}
		task := r.random.IntN(objects)
		if err := l.edit(c, task, "notes", false); err != nil {
			return err
		}
		if err := c.goThrough(m, r.old); err != nil {
			return fmt.Errorf("%s in %s: %w", m.name, c.name, err)
		}
		after, err := r.state()
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

// goThrough performs a move, exchanges, reverses it, and exchanges again.
func (c *clone) goThrough(m move, old string) error {
	if err := c.moveBy(m.do, old); err != nil {
		return err
	}
	switch err := c.idumb("sync", "now"); {
	case m.empties && err == nil:
		return errors.New("it was to leave no .idumb, and left one")
	case m.empties && !strings.Contains(err.Error(), "no .idumb folder"), !m.empties && err != nil:
		return err
	}
	return errors.Join(c.moveBy(m.undo, old), c.idumb("sync", "now"))
}

// moveBy performs the steps of a move.
func (c *clone) moveBy(steps, old string) (err error) {
	for step := range strings.SplitSeq(strings.ReplaceAll(steps, "OLD", old), "; ") {
		switch words := strings.Fields(step); {
		case len(words) == 0:
		case words[0] == "!rm":
			err = os.RemoveAll(filepath.Join(c.Dir, ".idumb/tasks"))
		case words[0] == "!now":
			there := *c.Repo
			there.Dir, there.Vars = filepath.Join(c.Dir, words[1]), c.Env() // the settings of this clone
			_, err = there.Idumb("sync", "now")
		default:
			err = c.Git(words...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// state returns the team's objects by name.
func (r *racer) state() (map[string]string, error) {
	out, err := drive.Git(r.hub, "ls-tree", "-r", "refs/idumb/state", "o/")
	objects := map[string]string{}
	for line := range strings.Lines(out) {
		about, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		objects[filepath.Base(path)] = about
	}
	return objects, err
}

// differing returns the names of the objects that were changed, added or removed.
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

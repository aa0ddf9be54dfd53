package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/drive"
)

// clone is one person's clone. Everybody completes and confirms what is his: no two edit one file.
type clone struct {
	team       *team
	number     int
	name       string
	repo       *drive.Repo
	controller *drive.Controller
	unpushed   bool // there are commits that nobody else has, which may be written anew
}

// git runs git as a person of that name would.
func git(dir string, args ...string) error {
	_, err := gitOut(dir, args...)
	return err
}

func gitOut(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=" + filepath.Base(dir), "-c", "user.email=" + filepath.Base(dir) + "@example.org"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

func (c *clone) git(args ...string) error { return git(c.repo.Dir, args...) }

func (c *clone) idumb(args ...string) error {
	_, err := c.repo.Idumb(args...)
	return err
}

// join clones the repository; the first one sets it up and plans.
func (c *clone) join(hub string, first bool) error {
	if err := git(c.team.dir, "clone", "-q", hub, c.repo.Dir); err != nil || !first {
		return err
	}
	if err := errors.Join(c.git("checkout", "-q", "-b", "main"), c.git("commit", "-q", "--allow-empty", "-m", "begin"),
		c.git("branch", "bare"), c.idumb("init", "--agent", "none"),
		c.idumb("create", "workplan", "shared", "--title", "Shared", "--accept", "all works", "--state", "active")); err != nil {
		return err
	}
	for range tasks {
		name := c.team.next("task")
		if err := c.idumb("create", "task", name, "--plan", "shared", "--expect", name+" works"); err != nil {
			return err
		}
	}
	return errors.Join(c.git("add", "-A"), c.git("commit", "-q", "-m", "plan"), c.git("push", "-q", "origin", "main", "bare"))
}

func (c *clone) start() (err error) {
	c.controller, err = c.repo.StartController()
	return err
}

func (c *clone) kill() error {
	c.controller.Kill()
	return c.start()
}

// clean reports what git is offered that is of this machine, and what is left of a merge.
func (c *clone) clean() error {
	out, err := gitOut(c.repo.Dir, "status", "--porcelain", "-uall")
	if err != nil {
		return err
	}
	tracked, err := gitOut(c.repo.Dir, "ls-files", ".idumb")
	for line := range strings.Lines(out) {
		if strings.Contains(line[:2], "U") {
			err = errors.Join(err, fmt.Errorf("a conflict: %s", line))
		}
		tracked += line[3:]
	}
	for file := range strings.Lines(tracked) {
		file = strings.TrimSpace(file)
		local := func(dir string) bool { return strings.HasPrefix(file, dir+"/") || file == dir }
		if slices.ContainsFunc(append(layout.LocalDirs(), layout.LocalFiles()...), local) || strings.Contains(file, layout.TempPrefix) {
			err = errors.Join(err, fmt.Errorf("git is offered, or has, %s", file))
		}
	}
	return err
}

// object is what of an object is looked at here.
type object struct {
	Metadata struct{ Name string }
	Spec     struct{ State, Source string }
}

func (c *clone) list(kind string) ([]object, error) {
	out, err := c.repo.Idumb("get", kind, "-o", "json")
	var list struct{ Items []object }
	if err == nil {
		err = json.Unmarshal([]byte(out), &list)
	}
	return list.Items, err
}

// mine reports whether it is this person who works on that.
func (c *clone) mine(name string) bool {
	sum := 0
	for _, r := range name {
		sum += int(r)
	}
	return sum%people == c.number
}

// some is one of this person's objects, of those that fit.
func (c *clone) some(kind string, fits func(object) bool) (string, error) {
	list, err := c.list(kind)
	list = slices.DeleteFunc(list, func(o object) bool { return !c.mine(o.Metadata.Name) || !fits(o) })
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[c.team.random.IntN(len(list))].Metadata.Name, nil
}

func (c *clone) complete() error {
	name, err := c.some("tasks", func(o object) bool { return o.Spec.State == "planned" || o.Spec.State == "" })
	if err != nil || name == "" {
		return err
	}
	if err := c.idumb("start", "task/"+name); err != nil {
		return err
	}
	return c.idumb("complete", "task/"+name, "--evidence", "seen by "+c.name)
}

func (c *clone) add() error {
	name := c.team.next("added")
	return c.idumb("create", "task", name, "--plan", "shared", "--expect", name+" works")
}

func (c *clone) decide() error {
	name := c.team.next("anchor")
	return c.idumb("create", "anchor", name, "--type", "decision", "--content", "we do as "+name+" says")
}

// confirm makes a spec of what was derived: by confirming, by pinning or by a label.
func (c *clone) confirm() error {
	name, err := c.some("mems", func(o object) bool { return o.Spec.Source != "" })
	if err != nil || name == "" {
		return err
	}
	return c.idumb([][]string{{"mem", "confirm", name}, {"annotate", "mem", name, "seen=yes", "--overwrite"}, {"label", "mem", name, "seen=yes", "--overwrite"}}[c.team.random.IntN(3)]...)
}

// commit commits what there is; every third message says something worth remembering.
func (c *clone) commit() error {
	if err := c.git("add", "-A"); err != nil {
		return err
	}
	c.unpushed = true
	return c.git("commit", "-q", "--allow-empty", "-m", c.message())
}

func (c *clone) message() string {
	name := c.team.next("change")
	if c.team.random.IntN(3) == 0 {
		return "decision: we do " + name
	}
	return name
}

// pull merges what others pushed, half of the time with work that is not committed.
func (c *clone) pull() error {
	if c.team.random.IntN(2) == 0 {
		if err := c.commit(); err != nil {
			return err
		}
	}
	return c.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
}

func (c *clone) push() error {
	if err := errors.Join(c.commit(), c.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")); err != nil {
		return err
	}
	c.unpushed = false
	return c.git("push", "-q", "origin", "main")
}

func (c *clone) rebase() error {
	return errors.Join(c.commit(), c.git("fetch", "-q"), c.git("rebase", "-q", "origin/main"))
}

func (c *clone) amend() error {
	return errors.Join(c.commit(), c.git("commit", "-q", "--amend", "--allow-empty", "-m", c.message()))
}

// branch works on a branch, which is merged or thrown away.
func (c *clone) branch() error {
	side := c.team.next("side")
	err := errors.Join(c.commit(), c.git("checkout", "-q", "-b", side), c.complete(), c.commit(), c.clean(), c.git("checkout", "-q", "main"))
	if err == nil && c.team.random.IntN(2) == 0 {
		err = c.git("merge", "-q", "--no-ff", "--no-edit", side)
	}
	return errors.Join(err, c.git("branch", "-q", "-D", side))
}

// stash puts work aside and takes it back.
func (c *clone) stash() error {
	if err := errors.Join(c.commit(), c.complete(), c.add(), c.git("stash", "-q", "-u")); err != nil {
		return err
	}
	if list, err := gitOut(c.repo.Dir, "stash", "list"); err != nil || list == "" {
		return err
	}
	return errors.Join(c.clean(), c.git("stash", "pop", "-q"))
}

// worktree works in a linked tree, with no controller, and merges that.
func (c *clone) worktree() error {
	side := c.team.next("tree")
	tree := *c
	tree.repo = &drive.Repo{Dir: filepath.Join(c.team.dir, side), Bin: c.repo.Bin}
	if err := errors.Join(c.commit(), c.git("worktree", "add", "-q", "-b", side, tree.repo.Dir)); err != nil {
		return err
	}
	err := errors.Join(tree.complete(), tree.commit(), tree.clean())
	return errors.Join(err, c.git("worktree", "remove", "--force", tree.repo.Dir), c.git("merge", "-q", "--no-edit", side), c.git("branch", "-q", "-D", side),
		os.RemoveAll(tree.repo.Dir+".settings"))
}

// without looks at a branch that has no .idumb.
func (c *clone) without() error {
	err := errors.Join(c.commit(), c.git("checkout", "-q", "--detach", "origin/bare"))
	if err == nil {
		err = c.clean()
	}
	return errors.Join(err, c.git("checkout", "-q", "main"))
}

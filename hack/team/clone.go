package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// clone is one machine's.
type clone struct {
	bin  drive.Bin
	dir  string
	env  []string
	name string
}

// team is all of them, and the remote at which they meet.
type team struct {
	dir, hub string
	old      string // the first commit, in which git tracks the plans
	clones   []*clone
}

func newTeam(bin drive.Bin, clones, tasks int) (*team, error) {
	dir, err := os.MkdirTemp("", "idumb-team-")
	if err != nil {
		return nil, err
	}
	tm := &team{dir: dir, hub: filepath.Join(dir, "hub.git")}
	first := tm.clone(bin, "c0")
	steps := []func() error{
		func() error { return git(dir, "init", "-q", "--bare", tm.hub) },
		func() error { return git(dir, "clone", "-q", tm.hub, first.dir) },
		func() error { return first.do("init", "--agent", "none") },
		func() error {
			return first.do("create", "workplan", "p", "--title", "P", "--accept", "done", "--state", "active")
		},
		func() error {
			for n := range tasks + extra {
				if err := first.do("create", "task", taskName(n), "--plan", "p", "--expect", "x"); err != nil {
					return err
				}
			}
			return nil
		},
		func() error { return git(first.dir, "add", "-A") },
		func() error { return git(first.dir, "commit", "-qm", "plan") },
		func() error { return git(first.dir, "push", "-q", "origin", "HEAD:main") },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return tm, err
		}
	}
	for n := range clones {
		c := first
		if n > 0 {
			c = tm.clone(bin, fmt.Sprintf("c%d", n))
			if err := git(dir, "clone", "-q", "-b", "main", tm.hub, c.dir); err != nil {
				return tm, err
			}
		}
		if err := errors.Join(c.do("trust"), c.do("sync", "enable")); err != nil {
			return tm, err
		}
		tm.clones = append(tm.clones, c)
	}
	old, err := exec.Command("git", "-C", first.dir, "rev-parse", "HEAD").Output()
	tm.old = strings.TrimSpace(string(old))
	return tm, err
}

// extra are the tasks that are left for the rounds with controllers.
const extra = 3

func taskName(n int) string { return fmt.Sprintf("task-%04d", n) }

func (tm *team) clone(bin drive.Bin, name string) *clone {
	return &clone{bin: bin, name: name, dir: filepath.Join(tm.dir, name), env: append(os.Environ(),
		"XDG_CONFIG_HOME="+filepath.Join(tm.dir, name+"-config"), "HOME="+filepath.Join(tm.dir, name+"-home"), "IDUMB_AUTOSTART=off", "IDUMB_TRUST=")}
}

func git(dir string, args ...string) error {
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

func (c *clone) command(args ...string) *exec.Cmd {
	cmd := exec.Command(c.bin.Path("idumb"), args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	return cmd
}

// do runs a command that has to succeed.
func (c *clone) do(args ...string) error {
	if out, err := c.command(args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: idumb %s: %w: %s", c.name, strings.Join(args, " "), err, out)
	}
	return nil
}

// lease is who holds a task, as this clone knows.
type lease struct {
	Spec struct {
		Team *struct {
			Claim     string
			Elsewhere bool
			Ended     string
		}
	}
}

// held is what this clone knows of who holds a task: "here", "elsewhere", "ended here",
// "ended elsewhere" or "".
func (c *clone) held(task string) (string, error) {
	found, err := filepath.Glob(filepath.Join(c.dir, ".git/idumb/leases", task+".*json"))
	if err != nil || len(found) == 0 {
		return "", err
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return "", err
	}
	var l lease
	if err := json.Unmarshal(data, &l); err != nil {
		return "", err
	}
	switch {
	case l.Spec.Team == nil:
		return "here, and the team was never told", nil
	case l.Spec.Team.Ended != "" && l.Spec.Team.Elsewhere:
		return "ended elsewhere", nil
	case l.Spec.Team.Ended != "":
		return "ended here", nil
	case l.Spec.Team.Elsewhere:
		return "elsewhere", nil
	case l.Spec.Team.Claim == "pending":
		return "here, pending", nil
	}
	return "here", nil
}

// claims are the tasks for which a claim stands at the remote.
func (tm *team) claims() (string, error) {
	out, err := exec.Command("git", "-C", tm.hub, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/idumb/claims").Output()
	return string(out), err
}

// started is how a start ended.
type started struct {
	c    *clone
	won  bool
	took time.Duration
	said string
}

package main

import (
	"fmt"
	"path/filepath"

	"github.com/idumb-dev/idumb/hack/drive"
)

// meet creates the hub, the first clone with a plan and its tasks, and the other clones. A branch
// "bare" has no .idumb. With private, each clone has separate user settings and no automatic
// controller.
func (s *stage) meet(clones, tasks int, private bool) error {
	newClone := func() *clone {
		if !private {
			return s.newClone()
		}
		home := filepath.Join(s.dir, fmt.Sprint(len(s.clones), "-home"))
		return s.newClone("HOME="+home, "IDUMB_AUTOSTART=off", "IDUMB_TRUST=")
	}
	first := newClone()
	err := do(
		func() error { _, err := drive.Git(s.dir, "init", "-q", "--bare", "-b", "main", s.hub); return err },
		func() error { _, err := drive.Git(s.dir, "clone", "-q", s.hub, first.Dir); return err },
		func() error { return first.Git("checkout", "-q", "-b", "main") },
		func() error { return first.Git("commit", "-q", "--allow-empty", "-m", "begin") },
		func() error { return first.Git("branch", "bare") },
		func() error { return first.idumb("init", "--agent", "none") },
		func() error {
			return first.idumb("create", "workplan", "p", "--title", "P", "--accept", "all works", "--state", "active")
		})
	for n := 0; n < tasks && err == nil; n++ {
		err = first.idumb("create", "task", taskName(n), "--plan", "p", "--expect", taskName(n)+" works")
	}
	if err == nil {
		err = do(
			func() error { return first.Git("add", "-A") },
			func() error { return first.Git("commit", "-q", "-m", "plan") },
			func() error { return first.Git("push", "-q", "origin", "main", "bare") })
	}
	for n := 1; n < clones && err == nil; n++ {
		_, err = drive.Git(s.dir, "clone", "-q", s.hub, newClone().Dir)
	}
	return err
}

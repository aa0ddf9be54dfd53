package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

// team is a bare remote and its clones, all below one directory.
type team struct {
	dir, hub string
	first    *drive.Repo // the clone that created the plan
}

// newTeam creates a remote and its first clone, with a plan and n uncommitted tasks.
func newTeam(b *bench, n int) (*team, error) {
	dir, err := os.MkdirTemp("", "idumb-team-")
	if err != nil {
		return nil, err
	}
	tm := &team{dir: dir, hub: filepath.Join(dir, "hub.git")}
	tm.first = tm.repo(b.bin, "first")
	if err := tm.begin(n); err != nil {
		tm.end()
		return nil, err
	}
	return tm, nil
}

// repo returns a clone's repository, which may not exist yet. Its commands start no controller.
func (tm *team) repo(bin drive.Bin, name string) *drive.Repo {
	return &drive.Repo{Dir: filepath.Join(tm.dir, name), Bin: bin, Vars: []string{"IDUMB_AUTOSTART=off"}}
}

func (tm *team) begin(n int) error {
	all := &drive.Repo{Dir: tm.dir}
	if err := errors.Join(all.Git("init", "-q", "--bare", tm.hub), all.Git("clone", "-q", tm.hub, tm.first.Dir)); err != nil {
		return err
	}
	return errors.Join(idumb(tm.first, "init", "--agent", "none"), makePlan(tm.first, n, independent))
}

// end removes the team's directory.
func (tm *team) end() { os.RemoveAll(tm.dir) }

// commit commits and pushes all files of the first clone.
func (tm *team) commit() error {
	return errors.Join(tm.first.Git("add", "-A"), tm.first.Git("commit", "-qm", "plan"), tm.first.Git("push", "-q", "origin", "HEAD:main"))
}

// share makes the first clone share its plan, which is never in git.
func (tm *team) share() error {
	return errors.Join(idumb(tm.first, "sync", "enable", "--plans"), tm.commit())
}

// clone creates a trusted clone, and runs idumb in it if there are arguments.
func (tm *team) clone(name string, args ...string) (*drive.Repo, error) {
	repo := tm.repo(tm.first.Bin, name)
	err := (&drive.Repo{Dir: tm.dir}).Git("clone", "-q", "-b", "main", tm.hub, repo.Dir)
	if err == nil {
		err = idumb(repo, "trust")
	}
	if err == nil && len(args) > 0 {
		err = idumb(repo, args...)
	}
	return repo, err
}

// claimed returns an error unless the remote has the given number of claims.
func (tm *team) claimed(want int) error {
	out, err := drive.Git(tm.hub, "for-each-ref", "refs/idumb/claims")
	if n := strings.Count(out, "\n"); err == nil && n != want {
		err = fmt.Errorf("the remote has %d claims for %d started tasks", n, want)
	}
	return err
}

func idumb(repo *drive.Repo, args ...string) error {
	_, err := repo.Idumb(args...)
	return err
}

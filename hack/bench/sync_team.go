package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

// team is a bare remote and clones of it, all below one folder.
type team struct {
	dir, hub string
	first    *drive.Repo // in which the plan was made
}

// newTeam makes a remote and its first clone, in which stand a plan and n tasks that nobody committed.
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

// repo is a clone's, which need not stand yet. No command starts a controller in it.
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

// end removes all of it.
func (tm *team) end() { os.RemoveAll(tm.dir) }

// commit commits all that stands in the first clone, for the others.
func (tm *team) commit() error {
	return errors.Join(tm.first.Git("add", "-A"), tm.first.Git("commit", "-qm", "plan"), tm.first.Git("push", "-q", "origin", "HEAD:main"))
}

// share has the first clone share its plan, which git never has.
func (tm *team) share() error {
	return errors.Join(idumb(tm.first, "sync", "enable", "--plans"), tm.commit())
}

// clone makes a clone that a person trusts, and runs idumb in it if there are arguments.
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

// claimed is an error unless so many claims stand at the remote.
func (tm *team) claimed(want int) error {
	out, err := drive.Git(tm.hub, "for-each-ref", "refs/idumb/claims")
	if n := strings.Count(out, "\n"); err == nil && n != want {
		err = fmt.Errorf("%d claims stand at the remote, and %d tasks were started", n, want)
	}
	return err
}

func idumb(repo *drive.Repo, args ...string) error {
	_, err := repo.Idumb(args...)
	return err
}

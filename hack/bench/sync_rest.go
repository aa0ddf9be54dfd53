package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// measureSyncAtRest compares a repository with shared plans with two repositories without: the
// cost of a hook, the traces of sync, and the work of an idle controller.
func measureSyncAtRest(b *bench) ([]Result, error) {
	all := make([]*backend, 3)
	for i := range all {
		k, err := newShareable(b, i == 0)
		if err != nil {
			return nil, err
		}
		defer k.end()
		all[i] = k
	}
	on, off := all[0], all[1]
	hooks, err := hooksAt(b, on, off, all[2])
	if err != nil {
		return nil, err
	}
	nothing, err := nothingOfSync(on, off)
	if err != nil {
		return nil, err
	}
	idle, err := idleWithSync(b, on)
	return append(append(hooks, nothing...), idle...), err
}

// hub and trace are paths below .git, which is not indexed: the remote, and the log of git
// commands.
const hub, trace = ".git/bench/hub.git", ".git/bench/trace"

// newShareable creates a repository with a remote and starts its controller. Every git command of
// the product in it is logged.
func newShareable(b *bench, share bool) (*backend, error) {
	n := b.size(1000, 100)
	k, err := newLonelyKitchen(b, n, n)
	if err != nil {
		return nil, err
	}
	steps := []func() error{
		func() error { return k.repo.Git("init", "-q", "--bare", filepath.Join(k.repo.Dir, hub)) },
		func() error { return k.repo.Git("remote", "add", "origin", filepath.Join(k.repo.Dir, hub)) },
		func() (err error) {
			k.repo.Vars = []string{"GIT_TRACE2=" + filepath.Join(k.repo.Dir, trace)}
			if share {
				err = idumb(k.repo, "sync", "enable", "--plans")
			}
			return err
		},
		func() error { return errors.Join(k.repo.Git("add", "-A"), k.repo.Git("commit", "-qm", "plan")) },
		func() (err error) { k.controller, err = k.repo.StartController(); return err },
		k.ready,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			k.end()
			return nil, err
		}
	}
	return k, nil
}

// hooksAt measures the CPU time of the same calls with and without sync. A second repository
// without sync shows the random difference between two repositories.
func hooksAt(b *bench, on, off, alsoOff *backend) ([]Result, error) {
	var results []Result
	for _, kind := range []int{0, 5} { // before and after a write
		all, err := repeat(b.size(200, 20), off.toolCall(kind), on.toolCall(kind), alsoOff.toolCall(kind))
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("hook %s, %s, CPU, ", hookCalls[kind].does, on)
		results = append(results,
			Result{What: what + "sync on against off", Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[1].percentileMs(50, busy), Goal: "1.03x sync off"},
			Result{What: what + "off against off", Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[2].percentileMs(50, busy), Goal: "for comparison"})
	}
	return results, nil
}

// nothingOfSync returns an error unless work without sync leaves no trace of sync: no directory, no
// query of a remote, no child process of the controller. With sync, the same work must query the
// remote.
func nothingOfSync(on, off *backend) ([]Result, error) {
	for _, k := range []*backend{on, off} {
		if err := errors.Join(idumb(k.repo, "start", taskName(k.tasks-2)), k.touch(1)); err != nil {
			return nil, err
		}
	}
	time.Sleep(time.Second) // longer than the controller's delay before an exchange
	asked, err := gits(on, true)
	if err == nil && asked == 0 {
		err = errors.New("no git queries a remote with sync on; the row with sync off proves nothing")
	}
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, left := range []struct {
		what  string
		count func(*backend) (int, error)
	}{
		{"files of sync in git's common folder", syncFiles},
		{"runs of git that query a remote", func(k *backend) (int, error) { return gits(k, true) }},
		{"processes below the controller", childrenOf},
	} {
		n, err := left.count(off)
		if err == nil && n > 0 {
			err = fmt.Errorf("with sync off there are %d %s in %s", n, left.what, off.repo.Dir)
		}
		if err != nil {
			return nil, err
		}
		results = append(results, Result{What: "sync off: " + left.what, Ours: float64(n), Goal: "0"})
	}
	return results, nil
}

// idleWithSync measures an idle controller that shares its plans.
func idleWithSync(b *bench, k *backend) ([]Result, error) {
	time.Sleep(time.Duration(b.size(160, 12)) * time.Second) // the team is queried for two minutes after the last change
	settle(k.controller.PID())
	window := time.Duration(b.size(20, 3)) * time.Second
	ran, err := gits(k, false)
	if err != nil {
		return nil, err
	}
	pid := k.controller.PID()
	cpu, wakeups := processCPU(pid), switches(pid)
	time.Sleep(window)
	cpu, wakeups = processCPU(pid)-cpu, switches(pid)-wakeups
	runs, err := gits(k, false)
	what := fmt.Sprintf("idle controller with sync on, %%s in %s, %s", window, k)
	return []Result{
		{What: fmt.Sprintf(what, "CPU"), Unit: "ms", Ours: ms(cpu), Goal: "0"},
		{What: fmt.Sprintf(what, "wakeups"), Ours: float64(wakeups), Goal: "0 from polling"},
		{What: fmt.Sprintf(what, "runs of git"), Ours: float64(runs - ran), Goal: "0"},
	}, err
}

// syncFiles counts the files of sync in git's common directory, including the directory.
func syncFiles(k *backend) (n int, err error) {
	err = filepath.WalkDir(filepath.Join(k.repo.Dir, ".git", layout.SyncDir), func(_ string, _ os.DirEntry, err error) error {
		if err == nil { // otherwise it does not exist
			n++
		}
		return nil
	})
	return n, err
}

// gits counts the logged git commands, or only those with a remote.
func gits(k *backend, remote bool) (n int, err error) {
	text, err := os.ReadFile(filepath.Join(k.repo.Dir, trace))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	for line := range strings.Lines(string(text)) {
		if _, run, started := strings.Cut(line, " start "); started && (!remote || asksRemote(run)) {
			n++
		}
	}
	return n, err
}

// asksRemote reports whether a git command accesses another repository.
func asksRemote(run string) bool {
	return slices.ContainsFunc([]string{" push ", " fetch ", " ls-remote ", "receive-pack", "upload-pack"}, func(verb string) bool {
		return strings.Contains(run, verb)
	})
}

// childrenOf counts the controller's child processes, if /proc exists.
func childrenOf(k *backend) (n int, err error) {
	all, err := filepath.Glob("/proc/[0-9]*")
	for _, folder := range all {
		if pid, _ := strconv.Atoi(filepath.Base(folder)); procStatus(pid, "PPid:") == int64(k.controller.PID()) {
			n++
		}
	}
	return n, err
}

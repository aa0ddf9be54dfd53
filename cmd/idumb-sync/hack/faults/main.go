//go:build linux

// Faults runs several clones of one repository that edit shared objects through
// a real etcd and counts lost edits. Meanwhile the etcd is killed, compacted
// and disconnected, and idumb-sync and the clones themselves are killed:
//
//	hack/syncgo run ./hack/faults [-edits 20000] [-clones 3] [-tasks 1000] [-each 10000] [-dir DIR] [-seed N] [-calm]
//
// An edit works like an editor: it reads a task's file, changes one field, and
// replaces the whole current file. It is acknowledged after that, even if the
// remote is unreachable. Each clone changes its own field in all tasks, so that
// concurrent changes affect other fields of the same file. One edit in thirty
// changes a common field in a few tasks, and one in a thousand creates a task.
// Periodically the faults pause, and all clones and the etcd must be equal.
// Each task must contain each clone's last value of its field. Every value of
// the common field that no clone saw replaced must be in the task or in a
// conflict mark.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdengine"
	"github.com/idumb-dev/idumb/cmd/idumb-sync/hack/oneetcd"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
)

// program is the name under which this program runs as idumb-sync.
const program = "idumb-sync"

// size holds the parameters of the run.
type size struct {
	edits, clones, tasks, each int
	dir                        string
	seed                       uint64
	calm                       bool
}

func main() {
	oneetcd.Serve()
	if filepath.Base(os.Args[0]) == program {
		speak()
	}
	var s size
	flag.IntVar(&s.edits, "edits", 20_000, "edits of all clones")
	flag.IntVar(&s.clones, "clones", 3, "number of clones, at most 3")
	flag.IntVar(&s.tasks, "tasks", 1000, "number of initial tasks")
	flag.IntVar(&s.each, "each", 10_000, "number of edits between two checks of all invariants")
	flag.StringVar(&s.dir, "dir", "", "directory for the files of the clones and the etcd (default: the system's temporary directory)")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the faults; their timing depends on the machine")
	flag.BoolVar(&s.calm, "calm", false, "run without faults, to measure their cost")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// speak runs idumb-sync. It does not return.
func speak() {
	signal.Ignore(os.Interrupt)
	err := progengine.Serve(context.Background(), os.Stdin, os.Stdout, func(p progengine.Place) (engine.Engine, error) { return etcdengine.Open(p) })
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// run makes all edits, part by part, with faults. It keeps the files after an error.
func run(ctx context.Context, s size) (err error) {
	dir, err := os.MkdirTemp(s.dir, "idumb-faults-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			fmt.Println("the files are kept in", dir)
			return
		}
		err = os.RemoveAll(dir)
	}()
	if err := beside(dir); err != nil {
		return err
	}
	server, err := oneetcd.Start(dir, true)
	if err != nil {
		return err
	}
	defer server.Kill()
	t, err := newTeam(s, dir, server)
	if err != nil {
		return err
	}
	defer t.close()
	fmt.Printf("seed %d: %d edits by %d clones of %d tasks\n", s.seed, s.edits, s.clones, s.tasks)
	began := time.Now()
	for done := 0; done < s.edits; done += s.each {
		err := t.part(ctx, min(s.each, s.edits-done))
		t.tell(time.Since(began))
		if err != nil {
			return err
		}
	}
	return nil
}

// beside makes this program available as idumb-sync in PATH.
func beside(dir string) error {
	self, err := os.Executable()
	return errors.Join(err, os.Symlink(self, filepath.Join(dir, program)), os.Setenv("PATH", dir+":"+os.Getenv("PATH")))
}

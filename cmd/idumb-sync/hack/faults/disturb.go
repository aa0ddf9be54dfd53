//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tally counts the injected faults.
type tally struct{ killed, cut, compacted, programs, clones int }

// String describes the faults.
func (f tally) String() string {
	return fmt.Sprintf("etcd killed %d times, compacted %d, clones disconnected %d, idumb-sync killed %d, clones recreated %d", f.killed, f.compacted, f.cut, f.programs, f.clones)
}

// disturb injects faults until ctx ends. When it returns, all faults are
// repaired.
func (t *team) disturb(ctx context.Context) error {
	r := rand.New(rand.NewPCG(t.seed, uint64(t.edits)))
	for wait(ctx, time.Duration(300+r.IntN(2000))*time.Millisecond) {
		c, long := t.clones[r.IntN(len(t.clones))], time.Duration(r.IntN(2000))*time.Millisecond
		var err error
		switch r.IntN(6) {
		case 0:
			t.faults.killed++
			t.server.Kill()
			wait(ctx, long/4)
			err = t.server.Run()
		case 1:
			t.faults.cut++
			c.way.set(true)
			wait(ctx, long)
			c.way.set(false)
		case 2: // the changes that a clone missed are no longer available
			t.faults.cut++
			c.way.set(true)
			wait(ctx, long)
			t.compact(ctx)
			c.way.set(false)
		case 3:
			t.compact(ctx)
		case 4:
			t.programs(r)
		case 5:
			t.faults.clones++
			c.stop()
			wait(ctx, long/4)
			err = c.start()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wait sleeps and reports whether ctx is still active.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// compact removes the history of etcd, so that watches of old revisions fail.
func (t *team) compact(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if t.engine.Compact(ctx) == nil {
		t.faults.compacted++
	}
}

// programs kills one idumb-sync, see proc_tid_children(5).
func (t *team) programs(r *rand.Rand) {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	var found []int
	for _, file := range files {
		children, _ := os.ReadFile(file)
		for _, word := range strings.Fields(string(children)) {
			pid, _ := strconv.Atoi(word)
			line, _ := os.ReadFile("/proc/" + word + "/cmdline")
			if name, _, _ := strings.Cut(string(line), "\x00"); filepath.Base(name) == program {
				found = append(found, pid)
			}
		}
	}
	if len(found) > 0 {
		t.faults.programs++
		if p, err := os.FindProcess(found[r.IntN(len(found))]); err == nil {
			_ = p.Kill()
		}
	}
}

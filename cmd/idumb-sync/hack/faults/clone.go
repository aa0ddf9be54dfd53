//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	teamsync "github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// clone is the clone of one machine. It runs a round after each reported
// change.
type clone struct {
	name string
	root layout.Root
	way  *way

	mu      sync.Mutex
	changed map[resources.Key]string
	edited  atomic.Int64 // number of edits
	settled atomic.Int64 // number of edits before the last successful round
	poked   chan struct{}
	fatal   chan error

	sent, taken, rounds, failed atomic.Int64

	end   context.CancelFunc // stops the clone's goroutines
	ended sync.WaitGroup
}

// newClone creates an empty git repository with .idumb, and its connection to the server.
func newClone(dir, name, server string) (*clone, error) {
	w, err := newWay(server)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(dir, name)
	c := &clone{name: name, root: layout.Root(root), way: w, changed: map[resources.Key]string{}, poked: make(chan struct{}, 1), fatal: make(chan error, 1)}
	err = exec.Command("git", "init", "-q", root).Run()
	return c, errors.Join(err, os.MkdirAll(filepath.Join(root, layout.Dir, resources.Tasks), 0o700), os.Mkdir(filepath.Join(root, layout.Dir, resources.WorkPlans), 0o700))
}

// start runs the clone's sync until stop, like a new controller with the state
// on disk.
func (c *clone) start() error {
	store, err := filestore.Open(string(c.root))
	if err != nil {
		return err
	}
	getenv := func(name string) string { return map[string]string{"IDUMB_SYNC_URL": c.way.url}[name] }
	team, err := teamsync.TeamOf(c.root, getenv, &teamsync.Settings{Engine: teamsync.EngineEtcd, Team: "acme", Repo: "shop", Clone: c.name, Plans: true})
	if err != nil {
		return err
	}
	team.Share(store)
	ctx, end := context.WithCancel(context.Background())
	c.end = end
	c.poke()
	c.ended.Go(func() {
		for ctx.Err() == nil {
			_ = team.Follow(ctx, c.poke)
			c.soon(ctx)
		}
	})
	c.ended.Go(func() {
		defer team.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case <-c.poked:
				c.round(ctx, team)
			}
		}
	})
	return nil
}

// stop stops the clone at an arbitrary point.
func (c *clone) stop() {
	c.end()
	c.ended.Wait()
}

// poke requests a round. It does not block.
func (c *clone) poke() {
	select {
	case c.poked <- struct{}{}:
	default:
	}
}

// soon pokes the clone after a short delay.
func (c *clone) soon(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(20 * time.Millisecond):
	}
	c.poke()
}

// round exchanges the changes of the clone with the team once. It requests another round after an
// error, unless the error needs a person.
func (c *clone) round(ctx context.Context, team *teamsync.Team) {
	c.mu.Lock()
	changed, edited := c.changed, c.edited.Load()
	c.changed = map[resources.Key]string{}
	c.mu.Unlock()
	team.Changed(changed)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := team.Round(ctx, time.Now())
	var person *engine.PersonError
	switch {
	case errors.As(err, &person):
		select {
		case c.fatal <- err:
		default:
		}
	case err != nil:
		c.failed.Add(1)
		c.soon(ctx)
		return
	}
	c.rounds.Add(1)
	c.settled.Store(edited)
	if r.Plans != nil {
		c.sent.Add(int64(len(r.Plans.Pushed)))
		c.taken.Add(int64(len(r.Plans.Pulled)))
	}
}

// file returns the path of a task's file.
func (c *clone) file(task string) string { return c.root.Abs(layout.Path(taskKey(task))) }

func taskKey(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

// spec returns the spec in a task's file, or nil if the file is missing.
func (c *clone) spec(task string) (map[string]any, error) { return read(c.file(task)) }

// read returns the spec in a file, nil if the file does not exist.
func read(file string) (map[string]any, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var o struct{ Spec map[string]any }
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	return o.Spec, err
}

// save replaces an object's file, returns the previous spec and reports the
// change to the clone. A save over a version that arrived in the meantime
// replaces that version, like an intended change.
func (c *clone) save(key resources.Key, spec map[string]any) (was map[string]any, err error) {
	text, err := json.MarshalIndent(map[string]any{"spec": spec}, "", "  ")
	if err != nil {
		return nil, err
	}
	file := c.root.Abs(layout.Path(key))
	if err := os.WriteFile(file+"~", text, 0o600); err != nil {
		return nil, err
	}
	switch err := unix.Renameat2(unix.AT_FDCWD, file+"~", unix.AT_FDCWD, file, unix.RENAME_EXCHANGE); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.Rename(file+"~", file); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		was, err = read(file + "~")
		if err = errors.Join(err, os.Remove(file+"~")); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	c.changed[key] = resources.Revision(text)
	c.edited.Add(1)
	c.mu.Unlock()
	c.poke()
	return was, nil
}

// marks returns the local texts in the clone's conflict marks.
func (c *clone) marks() (texts []string, err error) {
	marks, err := exchange.Marks(c.root.SyncFolder())
	for _, m := range marks {
		texts = append(texts, m.Ours)
	}
	if err != nil {
		err = fmt.Errorf("the marks of %s: %w", c.name, err)
	}
	return texts, err
}

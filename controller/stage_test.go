package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// stage is a repository with a manager over it. Its files are real; hints are given
// by hand, so that a test may run on synctest's clock.
type stage struct {
	*filestore.Store
	t     testing.TB
	root  layout.Root
	hints chan resources.Key
	log   *slog.Logger

	mu      sync.Mutex
	events  []resources.Event
	changes []Change
	seen    map[resources.Key]int // reconciles of the test's task reconciler
}

func newStage(t testing.TB) *stage {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	s, err := filestore.Open(root)
	require.NoError(t, err)
	return &stage{Store: s, t: t, root: layout.Root(root), hints: make(chan resources.Key), log: slog.New(slog.DiscardHandler), seen: map[resources.Key]int{}}
}

// Watch gives the hints of a test in place of the file system's.
func (s *stage) Watch(ctx context.Context, hint func(resources.Key)) error {
	hint(resources.Key{})
	for {
		select {
		case key := <-s.hints:
			hint(key)
		case <-ctx.Done():
			return nil
		}
	}
}

// table is one reconciler that gives tasks the status that follows from their
// specs, as the real one does.
func (s *stage) table() []Registration {
	return []Registration{{
		Name: "task",
		Keys: func(change Change, c Client) []resources.Key {
			if change.Key.Kind == resources.CheckpointsKind {
				return []resources.Key{{Kind: resources.Tasks, Name: change.Key.Name}}
			}
			if change.Key.Kind != resources.Tasks {
				return nil
			}
			return append(c.Dependents(change.Key), change.Key)
		},
		New: func(c Client) Reconciler {
			return Func(func(ctx context.Context, key resources.Key) (Result, error) {
				s.mu.Lock()
				s.seen[key]++
				s.mu.Unlock()
				return reconcileTask(ctx, c, key)
			})
		},
	}}
}

func reconcileTask(ctx context.Context, c Client, key resources.Key) (Result, error) {
	if !c.Exists(key) {
		return Result{}, c.DeleteStatus(ctx, key)
	}
	seen := c.Revision(key)
	task, ok := seen.Object.(*resources.Task)
	if !ok {
		return Result{}, c.WriteStatus(ctx, seen, &resources.TaskStatus{})
	}
	status, _ := status.DeriveTask(task, c)
	return Result{}, c.WriteStatus(ctx, seen, &status)
}

// run starts a manager and returns it when everything has settled. It ends with
// the test.
func (s *stage) run(table []Registration) *Manager {
	s.t.Helper()
	m, stop := s.start(table)
	s.t.Cleanup(stop)
	return m
}

// start is run for a manager that the test ends.
func (s *stage) start(table []Registration) (m *Manager, stop func()) {
	s.t.Helper()
	m = New(s, table, Options{
		Log:      s.log,
		OnEvent:  func(e resources.Event) { s.mu.Lock(); s.events = append(s.events, e); s.mu.Unlock() },
		OnChange: func(c Change) { s.mu.Lock(); s.changes = append(s.changes, c); s.mu.Unlock() },
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- m.Run(ctx) }()
	require.NoError(s.t, m.WaitSettled(s.t.Context()))
	return m, func() {
		cancel()
		require.NoError(s.t, <-ended)
	}
}

// hint says that a key may have changed and waits until that is digested.
func (s *stage) hint(m *Manager, keys ...resources.Key) {
	s.t.Helper()
	for _, key := range keys {
		s.hints <- key
	}
	synctest.Wait()
	require.NoError(s.t, m.WaitSettled(s.t.Context()))
}

func taskKey(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

// write puts text where an object stands, the way any program may.
func (s *stage) write(key resources.Key, text string) {
	s.t.Helper()
	path := s.root.Abs(layout.Path(key))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o644))
}

func (s *stage) remove(key resources.Key) {
	s.t.Helper()
	require.NoError(s.t, os.Remove(s.root.Abs(layout.Path(key))))
}

// task is a task's file.
func task(state string, dependsOn ...string) string {
	list := ""
	for i, name := range dependsOn {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf("%q", name)
	}
	return fmt.Sprintf(`{"metadata": {"creationTimestamp": "2026-01-02T03:04:05Z"}, "spec": {"workPlan": "p", "expectedOutput": "x", "state": %q, "dependsOn": [%s], "result": {"evidence": "seen"}}}`, state, list)
}

// plan writes the plan that task belongs to.
func (s *stage) plan() {
	s.write(resources.Key{Kind: resources.WorkPlans, Name: "p"}, `{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`)
}

// reasons returns "type/reason object" of the events so far.
func (s *stage) reasons() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		all = append(all, e.Type+"/"+e.Reason+" "+e.Object)
	}
	return all
}

// reconciled returns what was reconciled since it was last asked, "name x times".
func (s *stage) reconciled() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(s.seen), resources.Key.Compare) {
		all = append(all, fmt.Sprintf("%s x%d", key.Name, s.seen[key]))
	}
	clear(s.seen)
	return all
}

// reconciles is how many there were since reconciled was last asked.
func (s *stage) reconciles() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, times := range s.seen {
		n += times
	}
	return n
}

// status reads a status from disk, "" if there is none.
func (s *stage) status(key resources.Key) string {
	data, err := os.ReadFile(s.root.Abs(layout.StatusPath(key)))
	if err != nil {
		return ""
	}
	return string(data)
}

// phase is the phase on disk.
func (s *stage) phase(key resources.Key) string { return readStatus([]byte(s.status(key))).phase }

// heartbeat is what the controller last said about itself.
func (s *stage) heartbeat() (h Heartbeat) {
	s.t.Helper()
	data, err := os.ReadFile(s.root.Abs(layout.ControllerFile))
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal(data, &h))
	return h
}

const ms = time.Millisecond

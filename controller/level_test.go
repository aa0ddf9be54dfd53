package controller

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// watching runs a manager over the files of the stage, watched by the system.
func (s *stage) watching() *Manager { return s.watchingOver(s.Store) }

// watchingOver is watching over another view of the store.
func (s *stage) watchingOver(over store.Store) *Manager {
	s.t.Helper()
	m := New(over, s.table(), Options{Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- m.Run(ctx) }()
	s.t.Cleanup(func() {
		cancel()
		require.NoError(s.t, <-ended)
	})
	s.level(m)
	return m
}

// level asks until there is a proof: on a machine that is short of time it may be late.
func (s *stage) level(m *Manager) {
	s.t.Helper()
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if err = m.WaitSynced(s.t.Context()); err == nil {
			return
		}
		require.ErrorIs(s.t, err, store.ErrNotSynced)
	}
	s.t.Fatalf("never level: %v", err)
}

// replace is write by a rename, as most editors do.
func (s *stage) replace(key resources.Key, text string) {
	s.t.Helper()
	temp := resources.Key{Kind: key.Kind, Name: key.Name + ".t~"}
	s.write(temp, text)
	folder := s.root.Abs(".idumb/" + key.Kind)
	require.NoError(s.t, os.Rename(filepath.Join(folder, temp.Name+".json"), filepath.Join(folder, key.Name+".json")))
}

// disturb has writers change tasks of their own until the function that it returns is called.
func (s *stage) disturb(writers int) (stop func()) {
	quit := make(chan struct{})
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-quit:
					return
				case <-time.After(10 * time.Millisecond):
				}
				path := s.root.Abs(fmt.Sprintf(".idumb/tasks/other-%d-%d.json", i, n%20))
				os.WriteFile(path, []byte(task("planned", fmt.Sprintf("t%d", n))), 0o644)
			}
		})
	}
	return func() { close(quit); all.Wait() }
}

// Whoever edits a file and asks at once gets the new answer, or is told to look himself.
func TestNoOldAnswerOnceLevel(t *testing.T) {
	for _, writers := range []int{0, 8} {
		t.Run(fmt.Sprintf("%d writers", writers), func(t *testing.T) {
			s := newStage(t)
			s.write(taskKey("a"), task("planned"))
			m := s.watching()
			defer s.disturb(writers)()
			var took []time.Duration
			for n := range 1000 {
				want := fmt.Sprintf("dep-%d", n)
				if n%2 == 0 {
					s.write(taskKey("a"), task("planned", want))
				} else {
					s.replace(taskKey("a"), task("planned", want))
				}
				began := time.Now()
				if err := m.WaitSynced(t.Context()); err != nil {
					require.ErrorIs(t, err, store.ErrNotSynced)
					continue
				}
				took = append(took, time.Since(began))
				require.Equal(t, []string{want}, m.world.cache.get(taskKey("a")).object.(*resources.Task).Spec.DependsOn)
			}
			require.Greater(t, len(took), 100, "the rest is right, and proves nothing")
			slices.Sort(took)
			t.Logf("level %d times of 1000; p50 %s, p99 %s", len(took), took[len(took)/2], took[len(took)*99/100])
		})
	}
}

func TestManyAskAtOnceWhetherLevel(t *testing.T) {
	s := newStage(t)
	m := s.watching()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			key := taskKey(fmt.Sprintf("t%d", i))
			for n := range 50 {
				want := fmt.Sprintf("dep-%d", n)
				s.write(key, task("planned", want))
				if m.WaitSynced(t.Context()) == nil {
					assert.Equal(t, []string{want}, m.world.cache.get(key).object.(*resources.Task).Spec.DependsOn)
				}
			}
		})
	}
	all.Wait()
}

// Every kind of file counts, in folders that are new as well.
func TestLevelWithEveryKindOfFile(t *testing.T) {
	s := newStage(t)
	m := s.watching()
	for _, kind := range resources.Kinds() {
		key := resources.Key{Kind: kind.Plural, Name: "a"}
		if kind.Single {
			key.Name = kind.Plural
		}
		s.write(key, "{")
		s.level(m)
		assert.True(t, m.world.cache.get(key).rejected, "%s", key)
	}
	require.NoError(t, s.AppendCheckpoint(t.Context(), "a", resources.Checkpoint{Tool: "shell", Command: "go test ./..."}))
	s.level(m)
	assert.Len(t, m.world.cache.evidence("a").Commands, 1)
	s.write(configKey(), `{"spec": {"mode": "log"}}`)
	s.level(m)
	assert.EqualValues(t, "log", m.world.cache.config().Mode)
}

func configKey() resources.Key {
	return resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
}

// What follows from an edit, and is computed once for a burst, is there as well.
func TestLevelWithWhatFollows(t *testing.T) {
	s := newStage(t)
	m := s.watching()
	for range 20 {
		s.write(taskKey("a"), task("planned", "b"))
		s.write(taskKey("b"), task("planned", "a"))
		s.level(m)
		assert.NotEmpty(t, m.world.cache.cycle(taskKey("a")))
		s.write(taskKey("b"), task("planned"))
		s.level(m)
		assert.Empty(t, m.world.cache.cycle(taskKey("a")))
	}
}

// A torn file is its last good version; a missing one is doubted for the quiet period.
func TestLevelDoesNotWaitForDoubts(t *testing.T) {
	s := newStage(t)
	s.write(taskKey("a"), task("planned", "x"))
	m := s.watching()
	s.write(taskKey("a"), `{"spec`)
	s.level(m)
	assert.Equal(t, []string{"x"}, m.world.cache.get(taskKey("a")).object.(*resources.Task).Spec.DependsOn)
	s.write(taskKey("a"), task("planned", "y"))
	s.level(m)
	assert.Equal(t, []string{"y"}, m.world.cache.get(taskKey("a")).object.(*resources.Task).Spec.DependsOn)
	s.write(taskKey("a"), task("failed", "y"))
	s.level(m)
	s.remove(taskKey("a"))
	s.level(m)
	assert.True(t, m.world.cache.get(taskKey("a")).exists())
	assert.Eventually(t, func() bool { return !m.world.cache.get(taskKey("a")).exists() }, 10*time.Second, 10*time.Millisecond)
}

// What is looked at for no change of its own does not stand in the way.
func TestLevelDoesNotWaitForAListing(t *testing.T) {
	s := newStage(t)
	for n := range 1000 {
		s.write(taskKey(fmt.Sprintf("t%d", n)), task("planned"))
	}
	m := s.watching()
	ahead := 0
	for n := range 10 {
		for _, key := range m.world.cache.keys() {
			m.informer.queue.Add(key, Low)
		}
		want := fmt.Sprintf("dep-%d", n)
		s.write(taskKey("t7"), task("planned", want))
		if m.WaitSynced(t.Context()) == nil && m.informer.queue.Len() > 0 {
			ahead++
			assert.Equal(t, []string{want}, m.world.cache.get(taskKey("t7")).object.(*resources.Task).Spec.DependsOn)
		}
		require.NoError(t, m.WaitSettled(t.Context()))
	}
	assert.Positive(t, ahead)
}

// After a loss of history nothing is known until everything was listed.
func TestNotLevelAfterALossOfHistory(t *testing.T) {
	s := newStage(t)
	m := s.watching()
	m.hint(resources.Key{})
	require.ErrorIs(t, m.WaitSynced(t.Context()), store.ErrNotSynced)
	s.level(m)
	m.informer.unavailable.Store(true)
	require.ErrorIs(t, m.WaitSynced(t.Context()), store.ErrNotSynced)
	m.informer.unavailable.Store(false)
	s.level(m)
}

// failing is a store on a disk that fails to read a checkpoint log, as long as it is broken.
type failing struct {
	*filestore.Store
	broken atomic.Bool
}

func (f *failing) ReadLog(ctx context.Context, task, rev string) (store.Record, bool, error) {
	if f.broken.Load() {
		return store.Record{}, false, syscall.EIO
	}
	return f.Store.ReadLog(ctx, task, rev)
}

// What could not be read is not known.
func TestNotLevelWhileSomethingFails(t *testing.T) {
	s := newStage(t)
	disk := &failing{Store: s.Store}
	m := s.watchingOver(disk)
	disk.broken.Store(true)
	log := s.root.Abs(".idumb/checkpoints/a.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(log), 0o755))
	require.NoError(t, os.WriteFile(log, nil, 0o644))
	require.Eventually(t, func() bool { return m.informer.queue.Failing() == 1 }, 10*time.Second, time.Millisecond)
	require.ErrorIs(t, m.WaitSynced(t.Context()), store.ErrNotSynced)
	disk.broken.Store(false)
	s.level(m)
}

func TestLevelOverAStoreThatCannotTell(t *testing.T) {
	s := newStage(t)
	m := s.run(s.table())
	require.ErrorIs(t, m.WaitSynced(t.Context()), store.ErrNotSynced, "the watch is the test's own")
	other := New(struct{ store.Store }{s.Store}, nil, Options{})
	require.ErrorIs(t, other.WaitSynced(t.Context()), store.ErrNotSynced)
}

func TestLevelWhilePolling(t *testing.T) {
	s := newStage(t)
	s.SetWatchOptions(filestore.WatchOptions{Poll: time.Hour})
	m := s.watching()
	for n := range 10 {
		want := fmt.Sprintf("dep-%d", n)
		s.write(taskKey("a"), task("planned", want))
		s.level(m)
		assert.Equal(t, []string{want}, m.world.cache.get(taskKey("a")).object.(*resources.Task).Spec.DependsOn)
	}
}

// BenchmarkLevel is what a proof costs: "idle" where nothing changed, "edited" right
// after an edit, with 8 writers of 100 edits a second each beside it.
func BenchmarkLevel(b *testing.B) {
	for _, bench := range []struct {
		name    string
		writers int
		edit    bool
	}{{"idle", 0, false}, {"edited", 0, true}, {"busy", 8, false}, {"edited, busy", 8, true}} {
		b.Run(bench.name, func(b *testing.B) {
			s := newStage(b)
			s.write(taskKey("a"), task("planned"))
			m := s.watching()
			defer s.disturb(bench.writers)()
			var took []time.Duration
			failed := 0
			for n := 0; b.Loop(); n++ {
				if bench.edit {
					b.StopTimer()
					s.write(taskKey("a"), task("planned", fmt.Sprintf("dep-%d", n)))
					b.StartTimer()
				}
				began := time.Now()
				if m.WaitSynced(b.Context()) != nil {
					failed++
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-us")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-us")
			b.ReportMetric(float64(failed), "not-level")
		})
	}
}

// A checkpoint log that cannot be read proves nothing, and keeps nobody from being answered.
func TestLevelWithALogThatCannotBeRead(t *testing.T) {
	for _, when := range []string{"from the start", "later"} {
		t.Run(when, func(t *testing.T) {
			s := newStage(t)
			s.write(taskKey("a"), task("active"))
			log := resources.Key{Kind: resources.CheckpointsKind, Name: "a"}
			spoil := func() {
				require.NoError(t, os.RemoveAll(s.root.Abs(".idumb/checkpoints/a.jsonl")))
				require.NoError(t, os.MkdirAll(s.root.Abs(".idumb/checkpoints/a.jsonl"), 0o755))
			}
			if when == "from the start" {
				spoil()
			} else {
				s.write(log, `{"time":"2026-01-01T00:00:00Z","tool":"write","filesModified":["src/b.go"]}`+"\n")
			}
			m := s.watching()
			if when == "later" {
				require.Equal(t, 1, m.world.cache.evidence("a").Count)
				spoil()
			}
			s.level(m)
			assert.Zero(t, m.world.cache.evidence("a").Count)
			require.Eventually(t, func() bool {
				days, _ := filepath.Glob(s.root.Abs(".idumb/events/*.jsonl"))
				return len(days) > 0 && strings.Contains(contentOf(t, days[0]), "CheckpointsUnreadable")
			}, 10*time.Second, time.Millisecond)
			s.level(m)

			require.NoError(t, os.RemoveAll(s.root.Abs(".idumb/checkpoints/a.jsonl")))
			s.write(log, `{"time":"2026-01-01T00:00:00Z","tool":"write","filesModified":["src/b.go"]}`+"\n")
			s.level(m)
			assert.Equal(t, 1, m.world.cache.evidence("a").Count, "it was mended")
		})
	}
}

func contentOf(t *testing.T, file string) string {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data)
}

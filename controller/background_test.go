package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

var sumKey = resources.Key{Kind: "sum", Name: "sum"}

// summing is a reconciler of one key, due at any change of a task, that does what do says.
func summing(row Registration, do func(ctx context.Context, c Client) error) Registration {
	row.Keys = func(change Change, _ Client) []resources.Key {
		if change.Key.Kind == resources.Tasks && !change.StatusOnly {
			return []resources.Key{sumKey}
		}
		return nil
	}
	row.New = func(c Client) Reconciler {
		return Func(func(ctx context.Context, _ resources.Key) (Result, error) { return Result{}, do(ctx, c) })
	}
	return row
}

// What comes within the time that a key waits is looked at once; what comes later again.
func TestABurstIsCoalesced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(taskKey("a"), task("active"))
		began, at := time.Now(), []time.Duration{}
		m := s.run([]Registration{summing(Registration{Name: "sum", Coalesce: time.Second}, func(context.Context, Client) error {
			at = append(at, time.Since(began))
			return nil
		})})
		assert.Empty(t, at, "the burst is not over")
		for i := range 10 {
			time.Sleep(50 * ms)
			s.write(taskKey("a"), task("active", fmt.Sprint("t", i)))
			s.hint(m, taskKey("a"))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, at, 1)
		assert.GreaterOrEqual(t, at[0], time.Second)
		s.write(taskKey("a"), task("completed"))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Len(t, at, 2)
	})
}

// Nobody waits for what runs in the background: no higher rank, no idle one, not who waits
// until all is settled. It is broken off at the end, which is no error.
func TestNobodyWaitsForTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(taskKey("a"), task("active"))
		var mu sync.Mutex
		var order []string
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, what)
		}
		m, stop := s.start([]Registration{
			summing(Registration{Name: "slow", Background: true}, func(ctx context.Context, _ Client) error {
				<-ctx.Done()
				note("slow ends")
				return errors.New("broken off")
			}),
			summing(Registration{Name: "higher", Rank: 1}, func(context.Context, Client) error { note("higher"); return nil }),
			summing(Registration{Name: "idle", Idle: true}, func(context.Context, Client) error { note("idle"); return nil }),
		})
		synctest.Wait()
		mu.Lock()
		assert.Equal(t, []string{"higher", "idle"}, order)
		mu.Unlock()
		stop()
		assert.Equal(t, []string{"higher", "idle", "slow ends"}, order)
		assert.Zero(t, m.Heartbeat().Errors)
	})
}

// Whoever writes an object by another way and says so finds it in the cache when it runs
// next, before any hint of the file system.
func TestWhatWasWrittenIsSeenNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(taskKey("a"), task("active"))
		var seen [][]resources.Key
		s.run([]Registration{summing(Registration{Name: "writes", Rank: 1, Background: true}, func(ctx context.Context, c Client) error {
			seen = append(seen, c.List(resources.Tasks))
			for _, key := range []resources.Key{taskKey("b"), taskKey("c")} {
				if _, there := c.Get(key); !there {
					s.write(key, task("active"))
					c.Recheck(key)
				}
			}
			return nil
		})})
		synctest.Wait()
		a, b, c := taskKey("a"), taskKey("b"), taskKey("c")
		assert.Equal(t, [][]resources.Key{{a}, {a, b, c}}, seen)
	})
}

// A file that somebody asked for is told of under its own name as well.
func TestAFileThatWasAskedForIsAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		m := s.run(nil)
		changed := func() []resources.Key {
			s.mu.Lock()
			defer s.mu.Unlock()
			var keys []resources.Key
			for _, c := range s.changes {
				if c.Key.Kind == store.FilesKind {
					keys = append(keys, c.Key)
				}
			}
			return keys
		}
		file := resources.Key{Kind: store.FilesKind, Name: "notes.txt"}
		s.hint(m, file)
		assert.Empty(t, changed(), "nobody asked")
		_, _, exists := m.Client("test").SourceFile(file.Name)
		require.False(t, exists)
		s.hint(m, file)
		assert.Empty(t, changed(), "it is still not there")
		require.NoError(t, os.WriteFile(s.root.Abs(file.Name), []byte("x"), 0o600))
		s.hint(m, file)
		assert.Equal(t, []resources.Key{file}, changed())
	})
}

// What the cache holds of a broken file is its last good version, and an archived task is known as such.
func TestTheCacheHoldsWhatIsBroken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("completed"))
		s.write(taskKey("b"), task("active", "a"))
		m := s.run(s.table())
		s.write(taskKey("b"), `{"spec": `)
		s.hint(m, taskKey("b"))
		time.Sleep(time.Minute)
		s.write(resources.Key{Kind: resources.CheckpointsKind, Name: "b"}, `{"time":"2026-01-01T00:00:00Z","tool":"write","filesModified":["src/b.go"]}`+"\n")
		s.hint(m, resources.Key{Kind: resources.CheckpointsKind, Name: "b"})
		client := m.Client("test")
		require.NoError(t, client.Archive(t.Context(), taskKey("a")))
		_, there := client.Get(taskKey("b"))
		assert.True(t, there)
		assert.Equal(t, []string{"src/b.go"}, client.Evidence("b").Files)
		assert.Len(t, client.Problems(), 1)
		assert.True(t, client.Archived(taskKey("a")))
		assert.Equal(t, []resources.Key{taskKey("b")}, client.List(resources.Tasks))
	})
}

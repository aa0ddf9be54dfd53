package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reading is a Watcher whose reports are answered by reading the file: what is known
// of each is what it held then.
type reading struct {
	t   testing.TB
	top string
	w   *Watcher

	mu    sync.Mutex
	known map[string]string
	lost  int // how often history was
}

func readIn(t testing.TB, set func(*Watcher)) *reading {
	t.Helper()
	v := &reading{t: t, top: t.TempDir(), known: map[string]string{}}
	root := filepath.Join(v.top, "store")
	require.NoError(t, os.Mkdir(root, 0o755))
	v.w = &Watcher{
		Root:   root,
		Folder: func(path string) bool { return filepath.Dir(path) == root && filepath.Ext(path) == "" },
		File:   func(path string) bool { return filepath.Ext(path) == ".json" },
	}
	if set != nil {
		set(v.w)
	}
	ctx, stop := context.WithCancel(t.Context())
	began, ended := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		ended <- v.w.Run(ctx, func(path string) {
			v.report(path)
			select {
			case began <- struct{}{}:
			default:
			}
		})
	}()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	<-began
	return v
}

func (v *reading) report(path string) {
	data, _ := os.ReadFile(path)
	v.mu.Lock()
	defer v.mu.Unlock()
	if path == "" {
		v.lost++
		return
	}
	v.known[path] = string(data)
}

// knows reports whether a file is known to hold text, or history was lost since.
func (v *reading) knows(path, text string, lost int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[path] == text || v.lost > lost
}

func (v *reading) losses() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lost
}

// edits are the ways in which a file changes. n is different each time.
var edits = []struct {
	name string
	edit func(root string, n int) (path, text string, err error)
}{
	{"renamed over", func(root string, n int) (string, string, error) {
		path, text := filepath.Join(root, "renamed.json"), fmt.Sprint(n)
		err := os.WriteFile(path+".t", []byte(text), 0o644)
		return path, text, errors.Join(err, os.Rename(path+".t", path))
	}},
	{"written in place", func(root string, n int) (string, string, error) {
		path, text := filepath.Join(root, "in-place.json"), fmt.Sprint(n)
		return path, text, os.WriteFile(path, []byte(text), 0o644)
	}},
	{"in a new folder", func(root string, n int) (string, string, error) {
		folder := filepath.Join(root, fmt.Sprint("folder-", n))
		path, text := filepath.Join(folder, "new.json"), fmt.Sprint(n)
		err := os.Mkdir(folder, 0o755)
		return path, text, errors.Join(err, os.WriteFile(path, []byte(text), 0o644))
	}},
}

// disturb has writers change other files until the function that it returns is called.
func disturb(root string, writers int, rest time.Duration) (stop func()) {
	quit := make(chan struct{})
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-quit:
					return
				case <-time.After(rest):
				}
				path := filepath.Join(root, fmt.Sprintf("other-%d-%d.json", i, n%50))
				os.WriteFile(path+".t", []byte(fmt.Sprint(n)), 0o644)
				os.Rename(path+".t", path)
			}
		})
	}
	return func() { close(quit); all.Wait() }
}

// Whoever edits a file and asks at once learns of it, or that he has to look himself.
func TestAfterSyncNothingIsStale(t *testing.T) {
	for _, writers := range []int{0, 8} {
		for _, e := range edits {
			t.Run(fmt.Sprintf("%s, %d writers", e.name, writers), func(t *testing.T) {
				v := readIn(t, nil)
				defer disturb(v.w.Root, writers, 10*time.Millisecond)()
				proven := 0
				for n := range 340 {
					lost := v.losses()
					path, text, err := e.edit(v.w.Root, n)
					require.NoError(t, err)
					switch err := v.w.Sync(t.Context()); {
					case err == nil:
						proven++
						require.True(t, v.knows(path, text, lost), "edit %d is not known", n)
					default:
						require.ErrorIs(t, err, ErrUnproven)
					}
				}
				assert.Greater(t, proven, 34, "the rest is right, and shows nothing")
			})
		}
	}
}

// Many ask at once; each of them is told the truth about an edit of his own.
func TestManySyncAtOnce(t *testing.T) {
	v := readIn(t, nil)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 50 {
				lost := v.losses()
				path, text := filepath.Join(v.w.Root, fmt.Sprintf("%d.json", i)), fmt.Sprint(n)
				if !assert.NoError(t, os.WriteFile(path, []byte(text), 0o644)) {
					return
				}
				if err := v.w.Sync(t.Context()); err == nil {
					assert.True(t, v.knows(path, text, lost), "edit %d of %s is not known", n, path)
				}
			}
		})
	}
	all.Wait()
}

// eventually syncs until there is a proof: on a machine that is short of time a cookie
// may be late.
func (v *reading) eventually() {
	v.t.Helper()
	require.Eventually(v.t, func() bool { return v.w.Sync(v.t.Context()) == nil }, patience, time.Millisecond)
}

func TestSyncWhilePolling(t *testing.T) {
	v := readIn(t, func(w *Watcher) { w.Poll = time.Hour })
	if runtime.GOOS != "linux" { // nobody can tell mounts
		require.ErrorIs(t, v.w.Sync(t.Context()), ErrUnproven)
		return
	}
	for n := range 20 {
		path, text, err := edits[n%len(edits)].edit(v.w.Root, n)
		require.NoError(t, err)
		v.eventually()
		assert.True(t, v.knows(path, text, 1), "edit %d is not known", n)
	}
	v.w.proofs.recordComparison(time.Second)
	require.ErrorIs(t, v.w.Sync(t.Context()), ErrUnproven, "a comparison takes too long")
}

// Where other machines change files, all of them are compared now and then, that is
// said once, and nothing is proven.
func TestOnAForeignMount(t *testing.T) {
	var said []string
	v := readIn(t, func(w *Watcher) {
		w.mount = func(string) string { return "NFS" }
		w.Log = func(m string) { said = append(said, m) }
	})
	require.ErrorIs(t, v.w.Sync(t.Context()), ErrUnproven)
	assert.Equal(t, DefaultPoll, v.w.interval())
	if assert.Len(t, said, 1) {
		assert.Contains(t, said[0], "is on NFS")
		assert.Contains(t, said[0], "comparing all files every 2s")
	}
	asked := readIn(t, func(w *Watcher) {
		w.mount = func(string) string { return "NFS" }
		w.Poll = time.Minute
		w.Log = func(m string) { said = append(said, m) }
	})
	require.ErrorIs(t, asked.w.Sync(t.Context()), ErrUnproven)
	assert.Equal(t, time.Minute, asked.w.interval())
	assert.Len(t, said, 1, "who asked for it need not be told")
	assert.Empty(t, foreignMount(filepath.Join(t.TempDir(), "not", "there", "yet")))
}

func TestSyncWhenNobodyWatches(t *testing.T) {
	w := &Watcher{Root: t.TempDir()}
	require.ErrorIs(t, w.Sync(t.Context()), ErrUnproven)
	ctx, stop := context.WithCancel(t.Context())
	require.NoError(t, w.Run(ctx, func(string) { stop() }))
	require.ErrorIs(t, w.Sync(t.Context()), ErrUnproven)
}

// A loss of history is told before Sync returns.
func TestSyncAfterAnOverflow(t *testing.T) {
	v := readIn(t, nil)
	for range 10 {
		lost := v.losses()
		v.w.failed(fsnotify.ErrEventOverflow)
		v.eventually()
		assert.Greater(t, v.losses(), lost)
	}
}

// A folder that the system does not watch proves nothing.
func TestSyncWithABlindFolder(t *testing.T) {
	v := readIn(t, nil)
	folder := filepath.Join(v.w.Root, "sub")
	require.NoError(t, os.Mkdir(folder, 0o755))
	v.eventually()
	v.w.mu.Lock()
	v.w.unwatched[folder] = true
	v.w.mu.Unlock()
	require.ErrorIs(t, v.w.Sync(t.Context()), ErrUnproven)
	v.w.handle(fsnotify.Event{Name: folder, Op: fsnotify.Chmod})
	v.eventually()
}

func BenchmarkSync(b *testing.B) {
	v := readIn(b, nil)
	for b.Loop() {
		if err := v.w.Sync(b.Context()); err != nil {
			b.Log(err)
		}
	}
}

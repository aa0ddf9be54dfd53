package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience is how long a report may take before a test gives up on it.
const patience = 10 * time.Second

// watching is a Watcher at work on a folder "store" in a folder of its own: files
// *.json in it and in store/sub and store/sub/deep are reported.
type watching struct {
	t       *testing.T
	top     string
	w       *Watcher
	reports chan string
}

// watchIn starts a Watcher after set has changed it. The folder is there.
func watchIn(t *testing.T, set func(*Watcher)) *watching {
	t.Helper()
	top := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(top, "store"), 0o755))
	sub := filepath.Join(top, "store", "sub")
	v := &watching{t: t, top: top, reports: make(chan string, 100_000), w: &Watcher{
		Root:   filepath.Join(top, "store"),
		Folder: func(path string) bool { return path == sub || path == filepath.Join(sub, "deep") },
		File:   func(path string) bool { return strings.HasSuffix(path, ".json") },
	}}
	if set != nil {
		set(v.w)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- v.w.Run(ctx, func(path string) { v.reports <- path }) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	v.await("") // it has begun
	return v
}

func (v *watching) path(name string) string { return filepath.Join(v.top, filepath.FromSlash(name)) }

func (v *watching) write(name, text string) {
	v.t.Helper()
	require.NoError(v.t, os.WriteFile(v.path(name), []byte(text), 0o644))
}

func (v *watching) mkdir(name string) {
	v.t.Helper()
	require.NoError(v.t, os.MkdirAll(v.path(name), 0o755))
}

func (v *watching) rename(from, to string) {
	v.t.Helper()
	require.NoError(v.t, os.Rename(v.path(from), v.path(to)))
}

func (v *watching) remove(name string) {
	v.t.Helper()
	require.NoError(v.t, os.RemoveAll(v.path(name)))
}

// await waits for the report of a path, "" for a loss of history; others may come
// before it. A loss of history stands for every path.
func (v *watching) await(name string) {
	v.t.Helper()
	want := name
	if name != "" {
		want = v.path(name)
	}
	timeout := time.After(patience)
	for {
		select {
		case got := <-v.reports:
			if got == want || got == "" {
				return
			}
		case <-timeout:
			v.t.Fatalf("no report of %q", name)
		}
	}
}

func TestWhatHappensIsReported(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(v *watching)
		want string
	}{
		{"a new file", func(v *watching) { v.write("store/b.json", "1") }, "store/b.json"},
		{"a changed file", func(v *watching) { v.write("store/a.json", "2") }, "store/a.json"},
		{"an emptied file", func(v *watching) { v.write("store/a.json", "") }, "store/a.json"},
		{"a file renamed over", func(v *watching) { v.write("store/t", "2"); v.rename("store/t", "store/a.json") }, "store/a.json"},
		{"a removed file", func(v *watching) { v.remove("store/a.json") }, "store/a.json"},
		{"a file renamed away", func(v *watching) { v.rename("store/a.json", "x") }, "store/a.json"},
		{"a file that loses its permissions", func(v *watching) { os.Chmod(v.path("store/a.json"), 0) }, "store/a.json"},
		{"a new folder", func(v *watching) { v.mkdir("store/sub"); v.write("store/sub/c.json", "1") }, "store/sub/c.json"},
		{"folders at once", func(v *watching) { v.mkdir("store/sub/deep"); v.write("store/sub/deep/c.json", "1") }, "store/sub/deep/c.json"},
		{"a folder renamed into place", func(v *watching) {
			v.mkdir("made/deep")
			v.write("made/deep/c.json", "1")
			v.rename("made", "store/sub")
		}, "store/sub/deep/c.json"},
		{"the folder itself goes", func(v *watching) { v.remove("store") }, ""},
		{"the folder itself is moved away", func(v *watching) { v.rename("store", "away") }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := watchIn(t, func(w *Watcher) {
				require.NoError(t, os.WriteFile(filepath.Join(w.Root, "a.json"), []byte("1"), 0o644))
			})
			test.do(v)
			v.await(test.want)
		})
	}
}

// A folder that is moved takes its watch along; what comes in its place must be
// watched anew, however often.
func TestFoldersThatComeAndGo(t *testing.T) {
	for _, folder := range []string{"store", "store/sub"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			v := watchIn(t, func(w *Watcher) { require.NoError(t, os.MkdirAll(filepath.Join(w.Root, "sub"), 0o755)) })
			for i := range 3 {
				v.rename(folder, "away")
				v.await("")
				v.mkdir(folder)
				v.write(folder+"/new.json", fmt.Sprint(i))
				v.await(folder + "/new.json")
				v.write(folder+"/newer.json", fmt.Sprint(i))
				v.await(folder + "/newer.json")
				v.remove(folder)
				v.await("")
				v.rename("away", folder)
				v.write(folder+"/old.json", fmt.Sprint(i))
				v.await(folder + "/old.json")
			}
		})
	}
}

func TestOnlyWhatWasAskedForIsReported(t *testing.T) {
	v := watchIn(t, nil)
	v.mkdir("store/other")
	v.write("store/other/a.json", "1")
	v.write("store/a.txt", "1")
	v.write("store/.tmp-1", "1")
	v.write("a.json", "1")
	v.write("store/last.json", "1")
	timeout := time.After(patience)
	select {
	case got := <-v.reports:
		assert.Equal(t, v.path("store/last.json"), got)
	case <-timeout:
		t.Fatal("no report")
	}
}

func TestSingleFiles(t *testing.T) {
	v := watchIn(t, nil)
	v.w.Add(v.path("src/deep/main.go"))
	v.await("src/deep/main.go")
	v.w.Add(v.path("src/deep/main.go")) // again: nothing
	v.mkdir("src/deep")
	v.write("src/deep/other.go", "1")
	v.write("src/deep/main.go", "1")
	v.await("src/deep/main.go")
	v.write("src/deep/t", "2")
	v.rename("src/deep/t", "src/deep/main.go")
	v.await("src/deep/main.go")
	v.remove("src")
	v.await("src/deep/main.go")
	v.mkdir("src/deep")
	v.write("src/deep/main.go", "3")
	v.await("src/deep/main.go")
}

// The one goroutine that drains the system never waits: a consumer that takes its
// time misses nothing.
func TestASlowConsumerMissesNothing(t *testing.T) {
	const files, rounds = 200, 60 // more events than the kernel's queue holds
	v := watchIn(t, nil)
	entered, release := make(chan bool, 1), make(chan bool)
	seen := map[string]bool{}
	slow := &Watcher{Root: v.w.Root, File: v.w.File}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	reports := make(chan string, 100_000)
	first := true
	go func() {
		done <- slow.Run(ctx, func(path string) {
			if first {
				first = false
				entered <- true
				<-release
			}
			reports <- path
		})
	}()
	<-entered
	for range rounds {
		for i := range files {
			v.write(fmt.Sprintf("store/f%d.json", i), "x")
		}
	}
	close(release)
	timeout := time.After(patience)
	for len(seen) < files {
		select {
		case path := <-reports:
			if path != "" {
				seen[path] = true
			}
		case <-timeout:
			t.Fatalf("%d of %d files reported", len(seen), files)
		}
	}
	stop()
	require.NoError(t, <-done)
}

func TestPolling(t *testing.T) {
	v := watchIn(t, func(w *Watcher) { w.Poll = 20 * time.Millisecond })
	v.write("store/a.json", "1")
	v.await("store/a.json")
	v.mkdir("store/sub/deep")
	v.write("store/sub/deep/b.json", "1")
	v.await("store/sub/deep/b.json")
	v.remove("store/a.json")
	v.await("store/a.json")
	v.w.Add(v.path("main.go"))
	v.await("main.go")
	v.write("main.go", "1")
	v.await("main.go")
	v.rename("store", "away")
	v.await("store/sub/deep/b.json")
	v.rename("away", "store")
	v.await("store/sub/deep/b.json")
}

// Whether everything is watched is looked at now and then: here a watch is lost without a word.
func TestALostWatchIsFound(t *testing.T) {
	v := watchIn(t, func(w *Watcher) { w.Rescan = 20 * time.Millisecond })
	v.w.mu.Lock()
	system := v.w.system
	v.w.mu.Unlock()
	v.write("main.go", "1")
	v.w.Add(v.path("main.go"))
	v.await("main.go")
	require.NoError(t, system.Remove(filepath.Dir(v.w.Root)))
	v.write("main.go", "2")
	v.await("main.go")
	require.NoError(t, system.Remove(v.w.Root))
	v.write("store/a.json", "1")
	v.await("store/a.json")
}

// The folder in which Root stands may go as well. Then there is nothing to watch,
// only to look.
func TestEvenTheParentMayGo(t *testing.T) {
	v := watchIn(t, func(w *Watcher) {
		w.Rescan = 50 * time.Millisecond
		top := filepath.Join(filepath.Dir(w.Root), "repository", "store")
		require.NoError(t, os.MkdirAll(top, 0o755))
		w.Root = top
	})
	v.rename("repository", "away")
	v.await("")
	v.rename("away", "repository")
	v.write("repository/store/a.json", "1")
	v.await("repository/store/a.json")
}

package layout

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
)

// folderOf makes a folder with n files, and returns their names.
func folderOf(t *testing.T, root Root, n int) []string {
	t.Helper()
	require.NoError(t, os.MkdirAll(root.Abs(Dir+"/tasks"), 0o755))
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("task-%04d.json", i)
		require.NoError(t, os.WriteFile(root.Abs(Dir+"/tasks/"+names[i]), []byte("{}"), 0o600))
	}
	return names
}

func TestNames(t *testing.T) {
	root := Root(t.TempDir())
	want := folderOf(t, root, 3000) // more than one call tells
	for range 2 {
		names, err := root.Names(Dir + "/tasks")
		require.NoError(t, err)
		assert.Equal(t, want, names)
	}
	for _, missing := range []string{"/nowhere", "/nowhere/deeper"} {
		names, err := root.Names(Dir + missing)
		require.NoError(t, err)
		assert.Empty(t, names)
	}
	_, err := root.Names(Dir + "/tasks/task-0000.json")
	require.ErrorIs(t, err, store.ErrUnreadable)
	_, err = Root(t.TempDir()).Names(Dir + "/tasks")
	require.ErrorIs(t, err, store.ErrGone)
}

// A folder that is a link leads out of the repository, and is not listed.
func TestNamesOfALink(t *testing.T) {
	root := Root(t.TempDir())
	folderOf(t, root, 1)
	if err := os.Symlink(root.Abs(Dir+"/tasks"), root.Abs(Dir+"/roles")); err != nil {
		t.Skip("no links here")
	}
	_, err := root.Names(Dir + "/roles")
	require.ErrorIs(t, err, store.ErrUnreadable)
}

// churn saves the files of a folder again and again, as editors do, until it is told to stop.
func churn(t *testing.T, dir string, names []string, writer int, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		temp := filepath.Join(dir, fmt.Sprintf("%s%d", TempPrefix, writer))
		if !assert.NoError(t, os.WriteFile(temp, []byte("{}"), 0o600)) || !assert.NoError(t, os.Rename(temp, filepath.Join(dir, names[(i*7+writer)%len(names)]))) {
			return
		}
	}
}

// inMemory is a folder on a file system whose lists leave names out under churn (tmpfs), or
// any folder where there is none.
func inMemory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "idumb-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Whoever saves meanwhile, no list leaves out a file that is there all the time.
func TestNamesAreCompleteUnderChurn(t *testing.T) {
	root := Root(inMemory(t))
	want := folderOf(t, root, 3000)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for writer := range 3 {
		writers.Go(func() { churn(t, root.Abs(Dir+"/tasks"), want, writer, stop) })
	}
	lists, missed := 0, 0
	for end := time.Now().Add(time.Second); time.Now().Before(end); lists++ {
		names, err := root.Names(Dir + "/tasks")
		require.NoError(t, err)
		if slices.ContainsFunc(want, func(name string) bool { _, found := slices.BinarySearch(names, name); return !found }) {
			missed++
		}
		assert.True(t, slices.IsSorted(names))
	}
	close(stop)
	writers.Wait()
	assert.Zero(t, missed, "of %d lists", lists)
}

// What is named once is there once, and what is gone when a list begins is not named.
func TestNamesAfterARemoval(t *testing.T) {
	root := Root(t.TempDir())
	want := folderOf(t, root, 5)
	require.NoError(t, os.Remove(root.Abs(Dir+"/tasks/"+want[0])))
	names, err := root.Names(Dir + "/tasks")
	require.NoError(t, err)
	assert.Equal(t, want[1:], names)
}

func TestSettled(t *testing.T) {
	at := time.Unix(1000, 0)
	fine := int64(123456789)
	for _, test := range []struct {
		name           string
		mtime, changed int64 // nanoseconds before
		want           bool
	}{
		{"long ago, whole seconds", 100e9, 100e9, true},
		{"just now", 0, 0, false},
		{"a second ago, whole seconds", 1e9, 1e9, false},
		{"three seconds ago, whole seconds", 3e9, 3e9, true},
		{"the time was set back", 100e9, 1e9, false},
		{"in the future", -100e9, 100e9, false},
		{"a second ago, with fractions", 1e9, 1e9 + fine, true},
		{"within a tick, with fractions", 1e6, 1e6 + 1, false},
		{"set ahead, with fractions", -3600e9, 1e9 + fine, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			info := Info{ModTime: at.Add(-time.Duration(test.mtime)), Changed: at.UnixNano() - test.changed}
			assert.Equal(t, test.want, info.IsSettled(at))
		})
	}
}

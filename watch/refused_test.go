//go:build linux

package watch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where the system refuses to watch, files are compared, and that is said once.
func TestWhereTheSystemRefusesFilesAreCompared(t *testing.T) {
	var said []string
	w := &Watcher{Root: t.TempDir(), Log: func(m string) { said = append(said, m) }}
	w.init()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	system := w.start()
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	assert.Nil(t, system)
	w.giveUp(syscall.ENOSPC)
	if assert.Len(t, said, 1) {
		assert.Contains(t, said[0], "comparing all files every 2s")
	}
	assert.Equal(t, DefaultPoll, w.interval())
}

func TestWhatCountsAsRefusal(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{syscall.ENOSPC, true}, // max_user_watches
		{syscall.EMFILE, true}, // max_user_instances
		{&os.PathError{Err: syscall.ENOSPC}, true},
		{syscall.ENOENT, false},
		{syscall.EACCES, false},
		{fsnotify.ErrEventOverflow, false},
	} {
		assert.Equal(t, test.want, isRefused(test.err), "%v", test.err)
	}
}

// An overflow of the kernel's queue is a loss of history.
func TestOverflow(t *testing.T) {
	v := watchIn(t, nil)
	v.w.failed(fsnotify.ErrEventOverflow)
	v.await("")
	v.write("store/a.json", "1")
	v.await("store/a.json")
}

func TestComparisonByIdentity(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	old := time.Now().Add(-time.Hour)
	identityOf := func() identity {
		require.NoError(t, os.Chtimes(path, old, old))
		id, modified, err := identify(path)
		require.NoError(t, err)
		assert.WithinDuration(t, old, modified, time.Microsecond)
		return id
	}
	require.NoError(t, os.WriteFile(path, []byte("1"), 0o644))
	before := identityOf()
	require.NoError(t, os.WriteFile(path, []byte("2"), 0o644))
	assert.NotEqual(t, before, identityOf(), "the same size and time, but the inode was changed")
	require.NoError(t, os.WriteFile(path+"2", []byte("2"), 0o644))
	before = identityOf()
	require.NoError(t, os.Rename(path+"2", path))
	assert.NotEqual(t, before, identityOf(), "another inode")
}

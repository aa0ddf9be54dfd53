//go:build linux

package filestore

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// mounted opens a store on a file system of its own, of 256 KiB. Where one may not
// mount, the test is skipped and says so: nothing was checked.
func mounted(t *testing.T) *Store {
	t.Helper()
	root := t.TempDir()
	if err := syscall.Mount("none", root, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("NOT CHECKED: mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(root, syscall.MNT_DETACH) })
	require.NoError(t, os.Mkdir(root+"/.idumb", 0o755))
	s, err := Open(root)
	require.NoError(t, err)
	return s
}

func TestDiskFull(t *testing.T) {
	s := mounted(t)
	rev := put(t, s, task("a"), "old", "")
	big := []byte(strings.Repeat("x", 300<<10))
	for _, call := range []func() error{
		func() error { _, err := s.Put(t.Context(), task("a"), big, rev); return err },
		func() error { _, err := s.Put(t.Context(), task("b"), big, ""); return err },
	} {
		err := call()
		require.ErrorIs(t, err, syscall.ENOSPC)
		assert.ErrorContains(t, err, "free some disk space")
		assert.ErrorContains(t, err, ".idumb/tasks/")
	}
	require.ErrorIs(t, s.PutStatus(t.Context(), task("a"), big), syscall.ENOSPC)
	assert.Equal(t, "old", read(t, s, task("a")))
	assert.Equal(t, []string{"a.json"}, filesIn(t, s, ".idumb/tasks"))
	assert.Empty(t, filesIn(t, s, ".idumb/status/tasks"))
}

func TestReadOnlyDisk(t *testing.T) {
	s := mounted(t)
	rev := put(t, s, task("a"), string(taskFile(0)), "")
	require.NoError(t, syscall.Mount("none", string(s.root), "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	_, err := s.Put(t.Context(), task("a"), []byte("new"), rev)
	require.ErrorIs(t, err, syscall.EROFS)
	assert.ErrorContains(t, err, "mounted read-only")
	require.ErrorIs(t, s.PutStatus(t.Context(), task("a"), []byte("{}")), syscall.EROFS)
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err, "reading goes on")
	assert.Len(t, snapshot.List(resources.Tasks), 1)
}

func TestTooManyOpenFiles(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "old", "")
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	few := limit
	few.Cur = 0
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
	_, getErr := s.Get(t.Context(), task("a"))
	_, putErr := s.Put(t.Context(), task("a"), []byte("new"), rev)
	_, loadErr := s.Load(t.Context(), now)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	for _, err := range []error{getErr, putErr, loadErr} {
		require.ErrorIs(t, err, syscall.EMFILE)
		assert.ErrorContains(t, err, "ulimit")
	}
	put(t, s, task("a"), "new", rev)
}

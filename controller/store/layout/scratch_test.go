package layout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
)

// What people commit is no scratch.
func TestScratchIsLocal(t *testing.T) {
	root := Root(t.TempDir())
	require.ErrorIs(t, root.Scratch().Write("run/x", nil), store.ErrGone, "nothing makes .idumb")
	require.NoError(t, os.Mkdir(root.Abs(Dir), 0o755))
	for _, name := range []string{"config.json", "tasks/a.json", "archive/tasks/a.json", "x/y"} {
		assert.ErrorContains(t, root.Scratch().Write(name, []byte("x")), "not a private directory of this machine", name)
		assert.NoFileExists(t, root.Abs(Dir+"/"+name))
	}
	require.NoError(t, root.Scratch().Write("run/deep/down/x", []byte("x")))
	info, err := os.Stat(root.Abs(RunDir + "/deep"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// Each working tree, and each .idumb in one, has its own place for what sync remembers.
func TestSyncScratch(t *testing.T) {
	top := t.TempDir()
	require.ErrorIs(t, Root(top).SyncScratch().WriteDurably("base", nil), store.ErrNotFound, "there is no git")
	_, err := Root(top).SyncScratch().Read("base")
	require.ErrorIs(t, err, store.ErrNotFound)

	main, below, linked, named := filepath.Join(top, "main"), filepath.Join(top, "main", "sub"), filepath.Join(top, "linked"), filepath.Join(top, "named")
	for _, dir := range []string{below, linked, named, filepath.Join(main, ".git/worktrees/linked"), filepath.Join(main, ".git/worktrees/main")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for dir, name := range map[string]string{linked: "linked", named: "main"} {
		git := filepath.Join(main, ".git/worktrees", name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+git+"\n"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(git, "commondir"), []byte("../..\n"), 0o600))
	}
	trees := []string{main, below, linked, named}
	for _, dir := range trees {
		_, err := Root(dir).SyncScratch().Read("a/base")
		require.ErrorIs(t, err, store.ErrNotFound, dir)
		require.NoError(t, Root(dir).SyncScratch().WriteDurably("a/base", []byte(dir)))
	}
	for _, dir := range trees {
		data, err := Root(dir).SyncScratch().Read("a/base")
		require.NoError(t, err)
		assert.Equal(t, dir, string(data))
	}
	info, err := os.Stat(filepath.Join(main, ".git/idumb/sync"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

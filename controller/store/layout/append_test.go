//go:build unix

package layout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
)

func TestReadStaysBelow(t *testing.T) {
	root := Root(t.TempDir())
	outside := filepath.Join(t.TempDir(), "outside.json")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	require.NoError(t, os.Mkdir(root.Abs(Dir), 0o755))
	require.NoError(t, os.Symlink(filepath.Dir(outside), root.Abs(Dir+"/roles")))
	for file, want := range map[string]error{
		"roles/outside.json": store.ErrUnreadable, "config.json/a.json": store.ErrNotFound, "tasks/../../outside.json": store.ErrNotFound,
	} {
		_, _, err := root.Read(Dir+"/"+file, MaxSpec)
		assert.ErrorIs(t, err, want, file)
	}
}

func TestAppend(t *testing.T) {
	root := Root(t.TempDir())
	assert.ErrorIs(t, root.Append(Dir+"/a", []byte("x")), store.ErrGone)
	require.NoError(t, os.Mkdir(root.Abs(Dir), 0o755))
	require.NoError(t, root.Replace(Dir+"/run/old", []byte("a")))
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.WriteFile(outside, []byte("theirs"), 0o600))
	require.NoError(t, os.Symlink(outside, root.Abs(Dir+"/run/link")))
	assert.NoError(t, root.Append(Dir+"/run/old", []byte("b")))
	assert.NoError(t, root.Append(Dir+"/run/new", []byte("c")))
	assert.ErrorIs(t, root.Append(Dir+"/run/link", []byte("d")), store.ErrUnreadable)
	for file, want := range map[string]string{root.Abs(Dir + "/run/old"): "ab", root.Abs(Dir + "/run/new"): "c", outside: "theirs"} {
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
}

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

func TestReaderReadsAsRootDoes(t *testing.T) {
	root := Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(Dir), 0o755))
	outside := filepath.Join(t.TempDir(), "outside.json")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	for name, text := range map[string]string{"config.json": "config", "tasks/a.json": "a", "tasks/empty.json": "", "tasks/big.json": string(make([]byte, 3*readerBuffer))} {
		require.NoError(t, root.Replace(Dir+"/"+name, []byte(text)))
	}
	require.NoError(t, os.Symlink(outside, root.Abs(Dir+"/tasks/link.json")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), root.Abs(Dir+"/roles")))
	require.NoError(t, os.Mkdir(root.Abs(Dir+"/tasks/folder.json"), 0o755))
	r := NewReader(root)
	for _, name := range []string{
		"config.json", "tasks/a.json", "tasks/empty.json", "tasks/big.json", "tasks/a.json", "tasks/link.json", "tasks/folder.json",
		"tasks/missing.json", "roles/outside.json", "config.json/a.json", "tasks/../../outside.json",
	} {
		want, wantInfo, wantErr := root.Read(Dir+"/"+name, 2*readerBuffer)
		got, info, err := r.Read(Dir+"/"+name, 2*readerBuffer)
		assert.Equal(t, string(want), string(got), name)
		assert.Equal(t, wantErr, err, name)
		assert.Equal(t, wantInfo, info, name)
	}
}

func TestReaderWithoutARepository(t *testing.T) {
	r := NewReader(Root(t.TempDir()))
	_, _, err := r.Read(Dir+"/config.json", MaxSpec)
	assert.ErrorIs(t, err, store.ErrGone)
	assert.ErrorIs(t, r.Append(Dir+"/a", []byte("x")), store.ErrGone)
}

func TestReaderAppends(t *testing.T) {
	root := Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(Dir), 0o755))
	require.NoError(t, root.Replace(Dir+"/run/old", []byte("a")))
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.WriteFile(outside, []byte("theirs"), 0o600))
	require.NoError(t, os.Symlink(outside, root.Abs(Dir+"/run/link")))
	r := NewReader(root)
	assert.NoError(t, r.Append(Dir+"/run/old", []byte("b")))
	assert.NoError(t, r.Append(Dir+"/run/new", []byte("c")))
	assert.ErrorIs(t, r.Append(Dir+"/run/link", []byte("d")), store.ErrUnreadable)
	assert.ErrorIs(t, r.Append(Dir+"/nowhere/new", []byte("e")), store.ErrNotFound)
	for file, want := range map[string]string{root.Abs(Dir + "/run/old"): "ab", root.Abs(Dir + "/run/new"): "c", outside: "theirs"} {
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
}

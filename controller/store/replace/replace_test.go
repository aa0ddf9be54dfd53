package replace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// names are the files of a directory, temporary ones too.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// saves has an editor save right before the file changes, once by a rename, once in place.
func saves(t *testing.T, text string, run func(t *testing.T)) {
	for name, save := range map[string]func(path string) error{
		"rename": func(path string) error {
			if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
				return err
			}
			return os.Rename(path+"~", path)
		},
		"in place": func(path string) error { return os.WriteFile(path, []byte(text), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			beforeSwap = func(path string) {
				beforeSwap = nil
				require.NoError(t, save(path))
			}
			defer func() { beforeSwap = nil }()
			run(t)
		})
	}
}

func TestASaveInBetweenStays(t *testing.T) {
	saves(t, "the editor's", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "settings.json")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o640))
		require.ErrorIs(t, File(path, []byte("old"), []byte("ours"), 0o644), ErrChanged)
		assert.Equal(t, "the editor's", read(t, path))
		assert.Equal(t, []string{"settings.json"}, names(t, filepath.Dir(path)))
	})
	saves(t, "the editor's", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "settings.json")
		require.ErrorIs(t, File(path, nil, []byte("ours"), 0o644), ErrChanged, "the editor made the file")
		assert.Equal(t, "the editor's", read(t, path))
	})
	saves(t, "the editor's", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "settings.json")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o640))
		require.ErrorIs(t, Remove(path, []byte("old")), ErrChanged)
		assert.Equal(t, "the editor's", read(t, path))
		assert.Equal(t, []string{"settings.json"}, names(t, filepath.Dir(path)))
	})
}

func TestReplacing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, File(path, nil, []byte("one"), 0o600))
	require.NoError(t, os.Chmod(path, 0o664))
	require.NoError(t, File(path, []byte("one"), []byte("two"), 0o600))
	assert.Equal(t, "two", read(t, path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o664), info.Mode().Perm(), "the mode stays")
	require.ErrorIs(t, File(path, []byte("one"), []byte("three"), 0o600), ErrChanged)
	require.ErrorIs(t, File(path, nil, []byte("three"), 0o600), ErrChanged)
	require.ErrorIs(t, Remove(path, []byte("one")), ErrChanged)
	assert.Equal(t, "two", read(t, path))
	require.NoError(t, Remove(path, []byte("two")))
	require.NoError(t, Remove(path, []byte("two")), "what is gone is removed")
	assert.Empty(t, names(t, dir))
	require.ErrorIs(t, File(path, []byte("two"), []byte("three"), 0o600), ErrChanged, "it was removed")
	assert.Empty(t, names(t, dir))
}

// A link in the place of a folder of .idumb leads nowhere.
func TestBelowFollowsNoLinks(t *testing.T) {
	root, outside := layout.Root(t.TempDir()), t.TempDir()
	require.NoError(t, os.Mkdir(root.Abs(".idumb"), 0o755))
	require.NoError(t, os.Symlink(outside, root.Abs(".idumb/derived")))
	require.Error(t, Derived(root, ".idumb/derived/m.json", nil, []byte("x")))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "m.json"), []byte("x"), 0o600))
	require.Error(t, RemoveBelow(root, ".idumb/derived/m.json", []byte("x")))
	assert.Equal(t, []string{"m.json"}, names(t, outside))
}

// Where files cannot be exchanged, one that was saved meanwhile stays as well.
func TestSwappingByRename(t *testing.T) {
	dir := t.TempDir()
	d, err := layout.OpenFolder(dir)
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("saved"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "temp"), []byte("ours"), 0o644))
	require.ErrorIs(t, swapByRename(d, "a", "temp", []byte("old")), ErrChanged)
	assert.Equal(t, "saved", read(t, filepath.Join(dir, "a")))
	require.NoError(t, swapByRename(d, "a", "temp", []byte("saved")))
	assert.Equal(t, "ours", read(t, filepath.Join(dir, "a")))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

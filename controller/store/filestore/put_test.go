package filestore

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
)

func task(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

// edit saves a file as sed -i does: a new file, renamed over the old one.
func edit(t *testing.T, s *Store, key resources.Key, text string) {
	t.Helper()
	path := s.root.Abs(layout.Path(key))
	require.NoError(t, os.WriteFile(path+".sed", []byte(text), 0o644))
	require.NoError(t, os.Rename(path+".sed", path))
}

// overwrite saves a file as vim and node do: truncated, then written.
func overwrite(t *testing.T, s *Store, key resources.Key, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(s.root.Abs(layout.Path(key)), []byte(text), 0o644))
}

func read(t *testing.T, s *Store, key resources.Key) string {
	t.Helper()
	data, err := os.ReadFile(s.root.Abs(layout.Path(key)))
	require.NoError(t, err)
	return string(data)
}

// filesIn returns the names in a folder, hidden ones too.
func filesIn(t *testing.T, s *Store, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(s.root.Abs(folder))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func put(t *testing.T, s *Store, key resources.Key, spec, rev string) string {
	t.Helper()
	written, err := s.Put(t.Context(), key, []byte(spec), rev)
	require.NoError(t, err)
	return written
}

// An editor takes no lock. Whatever moment it saves in, what it saved is there in
// the end, and the writer that it ran into is told.
func TestPutNeverLosesAnEditorsSave(t *testing.T) {
	type save func(t *testing.T, s *Store, key resources.Key, text string)
	for _, test := range []struct {
		name string
		save save
		call func(ctx context.Context, s *Store, rev string) error
	}{
		{"rename, put", edit, putOver},
		{"in place, put", overwrite, putOver},
		{"rename, delete", edit, func(ctx context.Context, s *Store, rev string) error { return s.Delete(ctx, task("a"), rev) }},
		{"in place, delete", overwrite, func(ctx context.Context, s *Store, rev string) error { return s.Delete(ctx, task("a"), rev) }},
		{"rename, archive", edit, func(ctx context.Context, s *Store, rev string) error { return s.Archive(ctx, task("a"), rev) }},
		{"in place, archive", overwrite, func(ctx context.Context, s *Store, rev string) error { return s.Archive(ctx, task("a"), rev) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := empty(t)
			rev := put(t, s, task("a"), "old", "")
			s.beforeSwap = func(string) { test.save(t, s, task("a"), "the editor's") }
			require.ErrorIs(t, test.call(t.Context(), s, rev), store.ErrConflict)
			assert.Equal(t, "the editor's", read(t, s, task("a")))
			assert.Equal(t, []string{"a.json"}, filesIn(t, s, ".idumb/tasks"), "nothing is left behind")
			assert.Empty(t, filesIn(t, s, ".idumb/archive/tasks"))
		})
	}
}

func putOver(ctx context.Context, s *Store, rev string) error {
	_, err := s.Put(ctx, task("a"), []byte("ours"), rev)
	return err
}

// The editor saves once more while its first save is being put back: the newest
// one stays.
func TestTheNewestOfTwoSavesStays(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), "old", "")
	d, err := s.root.Open(".idumb/tasks")
	require.NoError(t, err)
	defer d.Close()
	target := target{folder: ".idumb/tasks", name: "a.json", d: d}
	overwrite(t, s, task("a"), "second save") // over ours, which was swapped in
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/.tmp-x"), []byte("first save"), 0o644))
	require.NoError(t, replace.SwapBack(target.d, target.name, ".tmp-x", []byte("ours")))
	assert.Equal(t, "second save", read(t, s, task("a")))
}

func TestAnEditorThatRemovesTheFile(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "old", "")
	s.beforeSwap = func(string) { os.Remove(s.root.Abs(".idumb/tasks/a.json")) }
	_, err := s.Put(t.Context(), task("a"), []byte("ours"), rev)
	require.ErrorIs(t, err, store.ErrConflict)
	assert.Empty(t, filesIn(t, s, ".idumb/tasks"), "it stays removed")
}

func TestPutKeepsTheMode(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "old", "")
	path := s.root.Abs(".idumb/tasks/a.json")
	require.NoError(t, os.Chmod(path, 0o660))
	put(t, s, task("a"), "new", rev)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o660), info.Mode().Perm())
}

func TestPutRefusesWhatIsNoFile(t *testing.T) {
	s := empty(t)
	outside := t.TempDir() + "/secret"
	require.NoError(t, os.WriteFile(outside, []byte("1"), 0o644))
	require.NoError(t, os.Mkdir(s.root.Abs(".idumb/tasks"), 0o755))
	require.NoError(t, os.Symlink(outside, s.root.Abs(".idumb/tasks/a.json")))
	_, err := s.Put(t.Context(), task("a"), []byte("2"), resources.Revision([]byte("1")))
	require.ErrorIs(t, err, store.ErrUnreadable)
	_, err = s.Put(t.Context(), task("a"), []byte("2"), "")
	require.ErrorIs(t, err, store.ErrExists)
	data, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "1", string(data))
}

func TestPutTellsWhatIsTooMuch(t *testing.T) {
	s := empty(t)
	_, err := s.Put(t.Context(), task("a"), make([]byte, layout.MaxSpec+1), "")
	assert.ErrorContains(t, err, ".idumb/tasks/a.json")
	_, err = s.Put(t.Context(), task(strings.Repeat("a", resources.MaxNameLength)), []byte("1"), "")
	assert.ErrorContains(t, err, "at most 250 characters")
}

// Each change is one that nobody else made in between, also between processes that
// share nothing but the files: here two stores.
func TestTwoStoresShareTheFiles(t *testing.T) {
	one := empty(t)
	two, err := Open(string(one.root))
	require.NoError(t, err)
	rev := put(t, one, task("a"), "1", "")
	got, err := two.Get(t.Context(), task("a"))
	require.NoError(t, err)
	assert.Equal(t, rev, got.Rev)
	put(t, two, task("a"), "2", rev)
	_, err = one.Put(t.Context(), task("a"), []byte("3"), rev)
	require.ErrorIs(t, err, store.ErrConflict)
}

func TestAStoreThatIsGone(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "1", "")
	away := string(s.root) + "/away"
	require.NoError(t, os.Rename(s.root.Abs(".idumb"), away))
	_, err := s.Get(t.Context(), task("a"))
	require.ErrorIs(t, err, store.ErrGone)
	_, err = s.Put(t.Context(), task("b"), []byte("1"), "")
	require.ErrorIs(t, err, store.ErrGone)
	_, err = s.Load(t.Context(), now)
	require.ErrorIs(t, err, store.ErrGone)
	for _, err := range s.List(t.Context(), resources.Tasks) {
		require.ErrorIs(t, err, store.ErrGone)
	}
	require.NoDirExists(t, s.root.Abs(".idumb"))
	_, err = Open(string(s.root))
	require.ErrorIs(t, err, store.ErrGone)
	require.NoError(t, os.Rename(away, s.root.Abs(".idumb")))
	put(t, s, task("a"), "2", rev)
}

func TestListGoesOnAfterWhatIsNoObject(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), "1", "")
	put(t, s, task("z"), "1", "")
	for i, name := range []string{"link.json", "Upper.json", "with space.json", "folder.json", ".hidden.json", "a.json.swp", "4913"} {
		path := s.root.Abs(".idumb/tasks/" + name)
		switch name {
		case "link.json":
			require.NoError(t, os.Symlink(path, path))
		case "folder.json":
			require.NoError(t, os.Mkdir(path, 0o755))
		default:
			require.NoError(t, os.WriteFile(path, fmt.Append(nil, i), 0o644))
		}
	}
	unreadable := map[string]bool{}
	for record, err := range s.List(t.Context(), resources.Tasks) {
		if err != nil {
			require.ErrorIs(t, err, store.ErrUnreadable)
		}
		unreadable[record.Key.Name] = err != nil
	}
	assert.Equal(t, map[string]bool{"a": false, "z": false, "link": true, "Upper": true, "with space": true, "folder": true}, unreadable)
}

package filestore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// A link in the place of one folder must not keep everything else from being read,
// and must not be followed.
func TestFoldersThatAreLinks(t *testing.T) {
	lists := func(s *Store) map[string]func() ([]resources.Key, error) {
		return map[string]func() ([]resources.Key, error){
			".idumb/archive":          func() ([]resources.Key, error) { return s.ListArchived(t.Context()) },
			".idumb/archive/tasks":    func() ([]resources.Key, error) { return s.ListArchived(t.Context()) },
			".idumb/quarantine":       func() ([]resources.Key, error) { return s.root.Marks().Keys() },
			".idumb/quarantine/tasks": func() ([]resources.Key, error) { return s.root.Marks().Keys() },
			".idumb/status":           func() ([]resources.Key, error) { return s.ListStatus(t.Context(), resources.Tasks) },
			".idumb/status/tasks":     func() ([]resources.Key, error) { return s.ListStatus(t.Context(), resources.Tasks) },
		}
	}
	for folder := range lists(nil) {
		t.Run(folder, func(t *testing.T) {
			s := empty(t)
			put(t, s, task("a"), string(taskFile(0)), "")
			elsewhere := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(elsewhere, "tasks"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "tasks", "b.json"), taskFile(1), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "b.json"), taskFile(1), 0o644))
			require.NoError(t, os.MkdirAll(filepath.Dir(s.root.Abs(folder)), 0o755))
			require.NoError(t, os.RemoveAll(s.root.Abs(folder)))
			require.NoError(t, os.Symlink(elsewhere, s.root.Abs(folder)))

			keys, err := lists(s)[folder]()
			require.NoError(t, err)
			assert.Empty(t, keys)
			snapshot, err := s.Load(t.Context(), now)
			require.NoError(t, err)
			assert.Equal(t, []resources.Key{task("a")}, snapshot.List(resources.Tasks))
		})
	}
	t.Run(".idumb", func(t *testing.T) {
		s := empty(t)
		require.NoError(t, os.Rename(s.root.Abs(".idumb"), s.root.Abs("real")))
		require.NoError(t, os.Symlink("real", s.root.Abs(".idumb")))
		_, err := s.ListArchived(t.Context())
		require.ErrorIs(t, err, store.ErrUnreadable)
	})
}

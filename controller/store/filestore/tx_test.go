package filestore

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

func TestUpdateSeesItsOwnWrites(t *testing.T) {
	s := empty(t)
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Get(task("a"))
		require.ErrorIs(t, err, store.ErrNotFound)
		rev, err := tx.Put(task("a"), []byte("1"), "")
		require.NoError(t, err)
		rev, err = tx.Put(task("a"), []byte("2"), rev)
		require.NoError(t, err)
		require.NoError(t, tx.Archive(task("a"), rev))
		require.NoError(t, tx.Restore(task("a")))
		require.NoError(t, tx.Delete(task("a"), rev))
		_, err = tx.Put(task("a"), []byte("3"), "")
		return err
	}))
	assert.Equal(t, "3", read(t, s, task("a")))
	assert.Equal(t, []string{"a.json"}, filesIn(t, s, ".idumb/tasks"))
	assert.Empty(t, filesIn(t, s, ".idumb/archive/tasks"))
}

var errRule = errors.New("a rule is broken")

// What fails in the middle leaves everything as it was.
func TestUpdateTakesBack(t *testing.T) {
	s := empty(t)
	changed, removed, aside := put(t, s, task("changed"), "1", ""), put(t, s, task("removed"), "1", ""), put(t, s, task("aside"), "1", "")
	older := put(t, s, task("old"), "older", "")
	require.NoError(t, s.Archive(t.Context(), task("old"), older))
	newer := put(t, s, task("old"), "newer", "")
	back := put(t, s, task("back"), "1", "")
	require.NoError(t, s.Archive(t.Context(), task("back"), back))

	err := s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Put(task("new"), []byte("1"), "")
		require.NoError(t, err)
		rev, err := tx.Put(task("changed"), []byte("2"), changed)
		require.NoError(t, err)
		_, err = tx.Put(task("changed"), []byte("3"), rev)
		require.NoError(t, err)
		require.NoError(t, tx.Delete(task("removed"), removed))
		require.NoError(t, tx.Archive(task("aside"), aside))
		require.NoError(t, tx.Archive(task("old"), newer))
		require.NoError(t, tx.Restore(task("back")))
		return errRule
	})
	require.ErrorIs(t, err, errRule)
	assert.Equal(t, []string{"aside.json", "changed.json", "old.json", "removed.json"}, filesIn(t, s, ".idumb/tasks"))
	assert.Equal(t, []string{"back.json", "old.json"}, filesIn(t, s, ".idumb/archive/tasks"))
	for name, want := range map[string]string{"aside": "1", "changed": "1", "old": "newer", "removed": "1"} {
		assert.Equal(t, want, read(t, s, task(name)), name)
	}
	data, err := os.ReadFile(s.root.Abs(".idumb/archive/tasks/old.json"))
	require.NoError(t, err)
	assert.Equal(t, "older", string(data))
}

// An editor that saved over what is being taken back keeps its save.
func TestTakingBackNeverLosesAnEditorsSave(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "1", "")
	err := s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Put(task("a"), []byte("2"), rev)
		require.NoError(t, err)
		_, err = tx.Put(task("b"), []byte("2"), "")
		require.NoError(t, err)
		edit(t, s, task("a"), "the editor's")
		edit(t, s, task("b"), "the editor's")
		return errRule
	})
	require.ErrorIs(t, err, errRule)
	assert.Equal(t, "the editor's", read(t, s, task("a")))
	assert.Equal(t, "the editor's", read(t, s, task("b")))
	assert.Equal(t, []string{"a.json", "b.json"}, filesIn(t, s, ".idumb/tasks"))
}

func TestUpdateOfMany(t *testing.T) {
	s := empty(t)
	const many = 600
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		for i := range many {
			if _, err := tx.Put(task(fmt.Sprintf("t%d", i)), taskFile(i), ""); err != nil {
				return err
			}
		}
		return nil
	}))
	assert.Len(t, filesIn(t, s, ".idumb/tasks"), many)
}

func TestSingleKindsStayWhereTheyAre(t *testing.T) {
	s := empty(t)
	config := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	rev := put(t, s, config, "{}", "")
	assert.Error(t, s.Archive(t.Context(), config, rev))
	assert.Error(t, s.Restore(t.Context(), config))
}

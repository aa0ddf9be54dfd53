package controller_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
)

// editor changes a store's objects as people do, without asking the store.
type editor interface {
	Save(key resources.Key, data []byte)
	Lose(key resources.Key)
}

// onDisk is a store of files that an editor saves and rm removes.
type onDisk struct{ *filestore.Store }

// Save writes a new file over an object's, as most editors do.
func (d onDisk) Save(key resources.Key, data []byte) {
	file := d.Root().Abs(d.Locate(key))
	written := filepath.Join(filepath.Dir(file), ".saved")
	if err := errors.Join(os.WriteFile(written, data, 0o644), os.Rename(written, file)); err != nil {
		panic(err)
	}
}

// Lose removes an object's file.
func (d onDisk) Lose(key resources.Key) {
	if err := os.Remove(d.Root().Abs(d.Locate(key))); err != nil {
		panic(err)
	}
}

// An editor takes no lock and is never refused: a Put over a version that it has saved over is.
func editorWins(t *testing.T, s store.Store) {
	put(t, s, task("a"), "0\n", "")
	var puts, stop atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for stop.Load() == 0 {
			got, err := s.Get(t.Context(), task("a"))
			if err == nil {
				_, err = s.Put(t.Context(), task("a"), append(got.Spec, '+'), got.Rev)
			}
			switch {
			case err == nil:
				puts.Add(1)
			case !errors.Is(err, store.ErrConflict):
				t.Errorf("put: %v", err)
				return
			}
		}
	})
	for n := range 100 {
		saved := fmt.Appendf(nil, "save %d\n", n)
		as[editor](t, s).Save(task("a"), saved)
		at := puts.Load()
		require.Eventually(t, func() bool { return puts.Load() >= at+2 }, patience, 100*time.Microsecond)
		got, err := s.Get(t.Context(), task("a"))
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(got.Spec, saved), "%q was saved, and there is %.40q", saved, got.Spec)
	}
	stop.Store(1)
	wg.Wait()
}

// That something is missing is no wish: only who asked the store is known to have meant it.
func deletionIsToldFromAbsence(t *testing.T, s store.Store) {
	before, edited := time.Now().Add(-time.Second), as[editor](t, s)
	explained := func(name string, want bool) {
		t.Helper()
		_, err := s.Get(t.Context(), task(name))
		require.ErrorIs(t, err, store.ErrNotFound)
		assert.Equal(t, want, s.IsExplained(t.Context(), task(name), before), name)
	}
	for _, name := range []string{"deleted", "archived", "lost", "restored"} {
		put(t, s, task(name), name, "")
	}
	rev := func(name string) string { return resources.Revision([]byte(name)) }
	require.NoError(t, s.Delete(t.Context(), task("deleted"), rev("deleted")))
	require.NoError(t, s.Archive(t.Context(), task("archived"), rev("archived")))
	edited.Lose(task("lost"))
	explained("deleted", true)
	explained("archived", true)
	explained("lost", false)
	assert.False(t, s.IsExplained(t.Context(), task("deleted"), time.Now().Add(time.Minute)), "that was before")

	require.NoError(t, s.Archive(t.Context(), task("restored"), rev("restored")))
	require.NoError(t, s.Restore(t.Context(), task("restored")))
	edited.Lose(task("restored"))
	explained("restored", false)
}

var errChanged = errors.New("changed its mind")

// meanwhileRefuses: what runs while contents go to the disk finds none of them under its name, and its error is
// that of each that would have been written.
func meanwhileRefuses(t *testing.T, s store.Store) {
	rev := put(t, s, task("a"), "1", "")
	writes := []store.Write{{Key: task("a"), Spec: []byte("2"), Rev: rev}, {Key: task("new"), Spec: []byte("n")}}
	err := s.Update(t.Context(), func(tx store.Tx) error {
		errs := tx.PutAll(writes, func() error {
			assert.Equal(t, map[string]string{"a": "1"}, listResult(t, s, resources.Tasks))
			return errChanged
		})
		assert.Equal(t, []error{errChanged, errChanged}, errs)
		assert.Equal(t, map[string]string{"a": "1"}, listResult(t, s, resources.Tasks))
		return errors.Join(tx.PutAll(writes, func() error { return nil })...)
	})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "2", "new": "n"}, listResult(t, s, resources.Tasks))
}

// Readers see each write of a series at once; if it fails all is as before, but for what an editor
// has saved since.
func seriesIsTakenBack(t *testing.T, s store.Store) {
	one := put(t, s, task("a"), "1", "")
	gone, aside := put(t, s, task("gone"), "g", ""), put(t, s, task("aside"), "s", "")
	edited := put(t, s, task("edited"), "e", "")
	err := s.Update(t.Context(), func(tx store.Tx) error {
		two, err := tx.Put(task("a"), []byte("2"), one)
		require.NoError(t, err)
		_, err = tx.Put(task("a"), []byte("3"), one)
		require.ErrorIs(t, err, store.ErrConflict)
		_, err = tx.Put(task("a"), []byte("3"), two)
		require.NoError(t, err)
		errs := tx.PutAll([]store.Write{{Key: task("new"), Spec: []byte("n")}, {Key: task("edited"), Spec: []byte("f"), Rev: edited}, {Key: task("a"), Spec: []byte("4")}}, nil)
		require.NoError(t, errors.Join(errs[:2]...))
		require.ErrorIs(t, errs[2], store.ErrExists)
		require.NoError(t, tx.Delete(task("gone"), gone))
		require.NoError(t, tx.Archive(task("aside"), aside))
		got, err := tx.Get(task("a"))
		require.NoError(t, err)
		assert.Equal(t, "3", string(got.Spec))
		assert.Equal(t, map[string]string{"a": "3", "new": "n", "edited": "f"}, listResult(t, s, resources.Tasks))
		as[editor](t, s).Save(task("edited"), []byte("by hand"))
		return errChanged
	})
	require.ErrorIs(t, err, errChanged)
	assert.Equal(t, map[string]string{"a": "1", "gone": "g", "aside": "s", "edited": "by hand"}, listResult(t, s, resources.Tasks))
	archived, err := s.ListArchived(t.Context())
	require.NoError(t, err)
	assert.Empty(t, archived)
}

// What a series reads stays as it is until it ends, as far as those go who ask the store.
func seriesIsAlone(t *testing.T, s store.Store) {
	put(t, s, task("a"), "", "")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				assert.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
					got, err := tx.Get(task("a"))
					if err == nil {
						_, err = tx.Put(task("a"), append(got.Spec, '+'), got.Rev)
					}
					return err
				}))
			}
		})
	}
	wg.Wait()
	assert.Len(t, listResult(t, s, resources.Tasks)["a"], 40)
}

package controller

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// chainOfTwo is a manager at work on a plan in which b waits for a, which is active.
func chainOfTwo(t *testing.T) (*stage, *Manager) {
	s := newStage(t)
	s.plan()
	s.write(taskKey("a"), task("active"))
	s.write(taskKey("b"), task("planned", "a"))
	return s, s.run(s.table())
}

// git checkout removes a file and creates it again, half a millisecond later.
func TestAMissingFileIsBelievedOnlyAfterAQuietPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := chainOfTwo(t)
		s.reconciled()

		s.remove(taskKey("a"))
		s.hint(m, taskKey("a"))
		time.Sleep(50 * ms)
		s.write(taskKey("a"), task("active"))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Empty(t, s.reconciled(), "it was never gone")

		s.write(taskKey("a"), task("failed"))
		s.hint(m, taskKey("a"))
		synctest.Wait()
		s.remove(taskKey("a"))
		s.hint(m, taskKey("a"))
		time.Sleep(150 * ms)
		s.hint(m, taskKey("a"))
		assert.Equal(t, "failed", s.phase(taskKey("a")), "still in doubt")
		time.Sleep(51 * ms)
		synctest.Wait()
		assert.Empty(t, s.status(taskKey("a")), "its status was cleaned up")
		assert.Contains(t, s.status(taskKey("b")), resources.Orphaned)
		assert.NotContains(t, m.world.cache.entries, taskKey("a"), "nothing is kept about it")
	})
}

func TestADeletedStoreIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		m := s.run(s.table())
		dir, away := s.root.Abs(layout.Dir), s.root.Abs("away")
		require.NoError(t, os.Rename(dir, away))
		s.hint(m, taskKey("a"), resources.Key{Kind: resources.WorkPlans, Name: "p"}, resources.Key{})
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.NoFileExists(t, dir, "it is not made again")
		assert.True(t, m.world.Exists(taskKey("a")), "nothing is forgotten")
		assert.True(t, m.Heartbeat().StoreGone)

		require.NoError(t, os.Rename(away, dir))
		require.NoError(t, os.RemoveAll(s.root.Abs(layout.StatusDir)))
		s.write(taskKey("b"), task("planned", "a"))
		s.hint(m, resources.Key{})
		assert.True(t, m.Heartbeat().StoreGone, "a moment later only: somebody may be removing it")
		time.Sleep(relistDelay)
		synctest.Wait()
		assert.Equal(t, "active", s.phase(taskKey("a")))
		assert.Equal(t, "blocked", s.phase(taskKey("b")))
		assert.False(t, m.Heartbeat().StoreGone)
	})
}

// A checkout brings files back one after the other, and the listing that notices the
// return may come in the middle. All statuses went with the store, also those of files
// that this listing does not show and that come back as they were.
func TestStatusesAreWrittenAgainWhenFilesComeBackLater(t *testing.T) {
	for name, away := range map[string]func(*stage, *Manager){
		"the store was gone": func(s *stage, m *Manager) {
			require.NoError(t, os.Rename(s.root.Abs(layout.Dir), s.root.Abs("away")))
			s.hint(m, taskKey("a"))
			require.NoError(t, os.Mkdir(s.root.Abs(layout.Dir), 0o755))
		},
		"nobody noticed": func(s *stage, _ *Manager) {
			synctest.Wait() // a heartbeat that is being written would keep the folder
			require.NoError(t, os.RemoveAll(s.root.Abs(layout.Dir)))
			require.NoError(t, os.Mkdir(s.root.Abs(layout.Dir), 0o755))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, m := chainOfTwo(t)
				away(s, m)
				s.plan()
				s.write(taskKey("a"), task("active"))
				s.hint(m, resources.Key{})
				time.Sleep(relistDelay)
				synctest.Wait()
				s.write(taskKey("b"), task("planned", "a"))
				s.hint(m, taskKey("b"))
				time.Sleep(time.Second)
				synctest.Wait()
				assert.Equal(t, "active", s.phase(taskKey("a")))
				assert.Equal(t, "blocked", s.phase(taskKey("b")))
			})
		})
	}
}

func TestAnArchivedObjectIsKnownAsSuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("abandoned"))
		s.write(taskKey("b"), task("planned", "a"))
		m := s.run(s.table())
		record, err := s.Get(t.Context(), taskKey("a"))
		require.NoError(t, err)
		require.NoError(t, s.Archive(t.Context(), taskKey("a"), record.Rev)) // as a command does
		s.hint(m, taskKey("a"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.True(t, m.world.Archived(taskKey("a")))
		assert.Contains(t, s.status(taskKey("b")), "DependencyArchived")
		require.NoError(t, s.Restore(t.Context(), taskKey("a")))
		s.hint(m, taskKey("a"))
		assert.False(t, m.world.Archived(taskKey("a")))
		assert.NotContains(t, s.status(taskKey("b")), "DependencyArchived")
	})
}

// A checkout removes files long before it moves HEAD: nothing is said about them meanwhile.
func TestNothingIsMissedWhileGitIsAtWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := chainOfTwo(t)
		lock := s.root.Abs(".git/index.lock")
		require.NoError(t, os.Mkdir(s.root.Abs(".git"), 0o755))
		require.NoError(t, os.WriteFile(lock, nil, 0o600))
		s.remove(taskKey("a"))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.NotContains(t, s.status(taskKey("a")), "Valid")
		require.NoError(t, os.Remove(lock))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Contains(t, s.status(taskKey("a")), "idumb restore task/a")
	})
}

// A script removes what is yet to be done: it goes on to count, also for the next controller, until
// it is back, a command takes it away, or nobody missed it for the whole grace.
func TestARemovedOpenTaskCountsAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := chainOfTwo(t)
		s.remove(taskKey("a"))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.True(t, m.world.cache.get(taskKey("a")).exists())
		assert.Contains(t, s.status(taskKey("a")), "idumb restore task/a")
		assert.NotContains(t, s.status(taskKey("b")), resources.Orphaned)
		mark, err := store.MarksIn(s.Scratch()).Get(taskKey("a"))
		require.NoError(t, err)
		assert.Contains(t, string(mark.LastGood), "active")

		s.write(taskKey("a"), task("active"))
		s.hint(m, taskKey("a"))
		synctest.Wait()
		_, err = store.MarksIn(s.Scratch()).Get(taskKey("a"))
		require.ErrorIs(t, err, store.ErrNotFound, "it is back")

		renamed := strings.Replace(task("planned"), `"metadata": {`, `"metadata": {"uid": "u-1", `, 1)
		s.write(taskKey("old"), renamed)
		s.hint(m, taskKey("old"))
		synctest.Wait()
		s.remove(taskKey("old"))
		s.write(taskKey("new"), renamed)
		s.hint(m, taskKey("old"))
		s.hint(m, taskKey("new"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.False(t, m.world.cache.get(taskKey("old")).exists(), "it has another name")
		assert.True(t, m.world.cache.get(taskKey("new")).exists())

		rev := resources.Revision([]byte(task("active")))
		require.NoError(t, s.Store.Delete(t.Context(), taskKey("a"), rev))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.False(t, m.world.cache.get(taskKey("a")).exists(), "a command took it away")

		s.remove(taskKey("b"))
		s.hint(m, taskKey("b"))
		time.Sleep(24*time.Hour - 10*time.Second)
		synctest.Wait()
		assert.True(t, m.world.cache.get(taskKey("b")).exists())
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.False(t, m.world.cache.get(taskKey("b")).exists(), "nobody missed it")
	})
}

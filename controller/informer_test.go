package controller

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestStartListsAndReconcilesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("completed"))
		s.write(taskKey("b"), task("planned", "a"))
		s.write(taskKey("c"), task("planned", "b"))
		m := s.run(s.table())
		assert.Equal(t, "completed", s.phase(taskKey("a")))
		assert.Equal(t, "planned", s.phase(taskKey("b")))
		assert.Equal(t, "blocked", s.phase(taskKey("c")))
		assert.Equal(t, map[string]int{"completed": 1, "planned": 1, "blocked": 1}, m.world.PlanCounts("p"))
		ready := m.world.PlanReady("p", resources.PriorityRank(""))
		require.Len(t, ready, 1)
		assert.Equal(t, "b", ready[0].Task.Metadata.Name)
	})
}

func TestAnEditReachesTheDependent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		s.write(taskKey("b"), task("planned", "a"))
		s.write(taskKey("unrelated"), task("planned"))
		m := s.run(s.table())
		s.reconciled()
		s.write(taskKey("a"), task("completed"))
		s.hint(m, taskKey("a"))
		assert.Equal(t, "planned", s.phase(taskKey("b")))
		assert.NotContains(t, s.reconciled(), "unrelated x1")
		s.hint(m, taskKey("a"), taskKey("b"))
		assert.Empty(t, s.reconciled(), "the same bytes change nothing")
	})
}

// What editors do to a file while they save it must not show: vim and node truncate
// it first, others write it in pieces.
func TestATornFileKeepsItsLastGoodVersion(t *testing.T) {
	for _, test := range []struct{ name, torn string }{
		{"truncated to nothing", ""},
		{"half written", task("completed")[:60]},
		{"conflict markers", "<<<<<<< HEAD\n" + task("active")},
		{"does not validate", `{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "asleep"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				s.plan()
				s.write(taskKey("a"), task("active"))
				m := s.run(s.table())
				before := s.status(taskKey("a"))
				s.write(taskKey("a"), test.torn)
				s.hint(m, taskKey("a"))
				time.Sleep(80 * ms)
				s.hint(m, taskKey("a"))
				assert.Equal(t, before, s.status(taskKey("a")))
				s.write(taskKey("a"), task("completed"))
				time.Sleep(100 * ms) // nobody hints: it is looked at again by itself
				assert.Equal(t, "completed", s.phase(taskKey("a")))
				assert.Empty(t, s.reasons())
			})
		})
	}
}

func TestABrokenFileIsQuarantinedThenReportedThenRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("completed"))
		s.write(taskKey("b"), task("planned", "a"))
		m := s.run(s.table())
		s.write(taskKey("a"), "{\n  \"spec\": }\n")
		s.hint(m, taskKey("a"))
		_, err := s.Quarantined(t.Context(), taskKey("a"))
		require.ErrorIs(t, err, store.ErrNotFound)

		time.Sleep(150 * ms)
		synctest.Wait()
		mark, err := s.Quarantined(t.Context(), taskKey("a"))
		require.NoError(t, err)
		assert.Equal(t, 2, mark.Problem.Line)
		good, _, err := resources.Read(taskKey("a"), mark.LastGood)
		require.NoError(t, err)
		assert.Equal(t, "completed", good.(*resources.Task).Spec.State)
		assert.Equal(t, "completed", s.phase(taskKey("a")))

		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, resources.PhaseInvalid, s.phase(taskKey("a")))
		assert.Contains(t, s.status(taskKey("a")), ".idumb/tasks/a.json:2:")
		assert.Equal(t, []string{"Warning/InvalidFile task/a"}, s.reasons())
		assert.Equal(t, "planned", s.phase(taskKey("b")), "the last good version goes on counting")
		time.Sleep(time.Hour)
		assert.Len(t, s.reasons(), 1, "it is said once")

		s.write(taskKey("a"), task("active"))
		s.hint(m, taskKey("a"))
		assert.Equal(t, "active", s.phase(taskKey("a")))
		assert.Equal(t, "blocked", s.phase(taskKey("b")))
		assert.NotContains(t, s.status(taskKey("a")), `"Valid"`)
		assert.Equal(t, []string{"Warning/InvalidFile task/a", "Normal/Repaired task/a"}, s.reasons())
		_, err = s.Quarantined(t.Context(), taskKey("a"))
		assert.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestAMarkThatSomebodyRemovesOrChangesIsWrittenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("completed"))
		m := s.run(s.table())
		s.write(taskKey("a"), "{")
		s.hint(m, taskKey("a"))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		before, err := s.Quarantined(t.Context(), taskKey("a"))
		require.NoError(t, err)

		again := func() {
			s.hint(m, taskKey("a"))
			mark, err := s.Quarantined(t.Context(), taskKey("a"))
			require.NoError(t, err)
			assert.Equal(t, before, mark)
		}
		require.NoError(t, s.Release(t.Context(), taskKey("a")))
		again()
		loosened := before
		loosened.LastGood = []byte(task("active"))
		require.NoError(t, s.Quarantine(t.Context(), taskKey("a"), loosened))
		again()
		assert.Len(t, s.reasons(), 1, "it is said once")
	})
}

func TestALastGoodVersionSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("completed"))
		s.write(taskKey("b"), task("planned", "a"))
		m, stop := s.start(s.table())
		s.write(taskKey("a"), "{")
		s.hint(m, taskKey("a"))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		stop()
		before := s.status(taskKey("a"))

		_, stop = s.start(s.table())
		time.Sleep(2 * time.Second)
		synctest.Wait()
		stop()
		assert.Equal(t, "planned", s.phase(taskKey("b")))
		assert.Equal(t, before, s.status(taskKey("a")))

		s.write(taskKey("a"), task("active")) // while no controller runs
		s.run(s.table())
		_, err := s.Quarantined(t.Context(), taskKey("a"))
		assert.ErrorIs(t, err, store.ErrNotFound)
		assert.Equal(t, "blocked", s.phase(taskKey("b")))
	})
}

// git checkout removes a file and creates it again, half a millisecond later.
func TestAMissingFileIsBelievedOnlyAfterAQuietPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		s.write(taskKey("b"), task("planned", "a"))
		m := s.run(s.table())
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

func TestStatusesLeftBehindAreCleanedUpAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		require.NoError(t, s.PutStatus(t.Context(), taskKey("gone"), []byte("{}\n")))
		s.run(s.table())
		assert.Empty(t, s.status(taskKey("gone")))
	})
}

func TestUnchangedStatusesAreNotWrittenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		_, stop := s.start(s.table())
		stop()
		path := s.root.Abs(layout.StatusPath(taskKey("a")))
		before, err := os.Stat(path)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		s.run(s.table())
		after, err := os.Stat(path)
		require.NoError(t, err)
		assert.True(t, os.SameFile(before, after))
	})
}

func TestCheckpointsAreSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), `{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "active", "evidence": [{"file": "src/**"}]}}`)
		m := s.run(s.table())
		require.NoError(t, s.AppendCheckpoint(t.Context(), "a", resources.Checkpoint{Tool: "write", FilesModified: []string{"src/x.go"}}))
		s.hint(m, resources.Key{Kind: resources.CheckpointsKind, Name: "a"})
		assert.Equal(t, "review", s.phase(taskKey("a")))
		require.NoError(t, os.Remove(s.root.Abs(layout.CheckpointPath("a"))))
		s.hint(m, resources.Key{Kind: resources.CheckpointsKind, Name: "a"})
		assert.Equal(t, "active", s.phase(taskKey("a")))
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
		time.Sleep(relistAfter)
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
				s := newStage(t)
				s.plan()
				s.write(taskKey("a"), task("active"))
				s.write(taskKey("b"), task("planned", "a"))
				m := s.run(s.table())
				away(s, m)
				s.plan()
				s.write(taskKey("a"), task("active"))
				s.hint(m, resources.Key{})
				time.Sleep(relistAfter)
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

// git clean -x takes the lease's file: it is taken again, or another controller could
// start beside this one.
func TestALostLeaseIsTakenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		var held atomic.Bool
		held.Store(true)
		renewed := 0
		m := New(s, s.table(), Options{
			Log:      s.log,
			Held:     func() bool { return held.Load() },
			OnReturn: func() error { held.Store(true); renewed++; return nil },
		})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() { ended <- m.Run(ctx) }()
		require.NoError(t, m.WaitSettled(t.Context()))
		require.NoError(t, os.RemoveAll(s.root.Abs(layout.StatusDir)))
		held.Store(false)
		s.hint(m, resources.Key{})
		time.Sleep(relistAfter)
		synctest.Wait()
		assert.Empty(t, s.status(taskKey("a")), "somebody may be removing everything")
		time.Sleep(leftFor)
		synctest.Wait()
		assert.Equal(t, "active", s.phase(taskKey("a")))
		assert.Equal(t, 1, renewed)
		cancel()
		require.NoError(t, <-ended)
	})
}

func TestCirclesComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("planned", "b"))
		s.write(taskKey("b"), task("planned", "c"))
		s.write(taskKey("c"), task("planned"))
		m := s.run(s.table())
		assert.NotContains(t, s.status(taskKey("a")), "Circle")
		s.write(taskKey("c"), task("planned", "a"))
		s.hint(m, taskKey("c"))
		for _, name := range []string{"a", "b", "c"} {
			assert.Contains(t, s.status(taskKey(name)), "Circle", name)
		}
		assert.Equal(t, []string{"a", "b", "c"}, m.world.Circle(taskKey("b")))
		s.write(taskKey("b"), task("planned"))
		s.hint(m, taskKey("b"))
		assert.Nil(t, m.world.Circle(taskKey("b")))
		for _, name := range []string{"a", "b", "c"} {
			assert.NotContains(t, s.status(taskKey(name)), "Circle", name)
		}
	})
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

// A script removes what is yet to be done: it goes on to count, also for the next controller, until
// it is back, a command takes it away, or nobody missed it for the whole grace.
func TestARemovedOpenTaskCountsAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		s.write(taskKey("b"), task("planned", "a"))
		m := s.run(s.table())
		s.remove(taskKey("a"))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.True(t, m.world.cache.get(taskKey("a")).known())
		assert.Contains(t, s.status(taskKey("a")), "idumb restore task/a")
		assert.NotContains(t, s.status(taskKey("b")), resources.Orphaned)
		mark, err := s.Store.Quarantined(t.Context(), taskKey("a"))
		require.NoError(t, err)
		assert.Contains(t, string(mark.LastGood), "active")

		s.write(taskKey("a"), task("active"))
		s.hint(m, taskKey("a"))
		synctest.Wait()
		_, err = s.Store.Quarantined(t.Context(), taskKey("a"))
		require.ErrorIs(t, err, store.ErrNotFound, "it is back")

		rev := resources.Revision([]byte(task("active")))
		require.NoError(t, s.Store.Delete(t.Context(), taskKey("a"), rev))
		s.hint(m, taskKey("a"))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.False(t, m.world.cache.get(taskKey("a")).known(), "a command took it away")

		s.remove(taskKey("b"))
		s.hint(m, taskKey("b"))
		time.Sleep(24*time.Hour - 10*time.Second)
		synctest.Wait()
		assert.True(t, m.world.cache.get(taskKey("b")).known())
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.False(t, m.world.cache.get(taskKey("b")).known(), "nobody missed it")
	})
}

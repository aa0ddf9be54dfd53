package controller

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
			Log:        s.log,
			HoldsLease: func() bool { return held.Load() },
			OnReturn:   func() error { held.Store(true); renewed++; return nil },
		})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() { ended <- m.Run(ctx) }()
		require.NoError(t, m.WaitSettled(t.Context()))
		require.NoError(t, os.RemoveAll(s.root.Abs(layout.StatusDir)))
		held.Store(false)
		s.hint(m, resources.Key{})
		time.Sleep(relistDelay)
		synctest.Wait()
		assert.Empty(t, s.status(taskKey("a")), "somebody may be removing everything")
		time.Sleep(storeCheckInterval)
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
		assert.Equal(t, []resources.Key{taskKey("a"), taskKey("b"), taskKey("c")}, m.world.Circle(taskKey("b")))
		s.write(taskKey("b"), task("planned"))
		s.hint(m, taskKey("b"))
		assert.Nil(t, m.world.Circle(taskKey("b")))
		for _, name := range []string{"a", "b", "c"} {
			assert.NotContains(t, s.status(taskKey(name)), "Circle", name)
		}
		// over a parent, and what the state of a task has to do with it
		part := strings.Replace(task("planned"), `"workPlan"`, `"parent":"a","workPlan"`, 1)
		s.write(taskKey("b"), task("planned", "k"))
		s.write(taskKey("k"), part)
		s.hint(m, taskKey("k"))
		s.hint(m, taskKey("b"))
		assert.Equal(t, []resources.Key{taskKey("a"), taskKey("b"), taskKey("k")}, m.world.Circle(taskKey("k")))
		assert.Contains(t, s.status(taskKey("k")), "Circle")
		s.write(taskKey("k"), strings.Replace(part, "planned", "completed", 1))
		s.hint(m, taskKey("k"))
		assert.Nil(t, m.world.Circle(taskKey("b")))
		s.write(taskKey("k"), part)
		s.hint(m, taskKey("k"))
		assert.NotNil(t, m.world.Circle(taskKey("a")))
	})
}

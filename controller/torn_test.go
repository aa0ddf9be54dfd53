package controller

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

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
		_, err := store.MarksIn(s.Scratch()).Get(taskKey("a"))
		require.ErrorIs(t, err, store.ErrNotFound)

		time.Sleep(150 * ms)
		synctest.Wait()
		mark, err := store.MarksIn(s.Scratch()).Get(taskKey("a"))
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
		_, err = store.MarksIn(s.Scratch()).Get(taskKey("a"))
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
		before, err := store.MarksIn(s.Scratch()).Get(taskKey("a"))
		require.NoError(t, err)

		again := func() {
			s.hint(m, taskKey("a"))
			mark, err := store.MarksIn(s.Scratch()).Get(taskKey("a"))
			require.NoError(t, err)
			assert.Equal(t, before, mark)
		}
		require.NoError(t, store.MarksIn(s.Scratch()).Remove(taskKey("a")))
		again()
		loosened := before
		loosened.LastGood = []byte(task("active"))
		require.NoError(t, store.MarksIn(s.Scratch()).Put(taskKey("a"), loosened))
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
		_, err := store.MarksIn(s.Scratch()).Get(taskKey("a"))
		assert.ErrorIs(t, err, store.ErrNotFound)
		assert.Equal(t, "blocked", s.phase(taskKey("b")))
	})
}

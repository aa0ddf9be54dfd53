package controller

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// revised is a world of a cache that a test changes by hand.
func revised() *world { return &world{cache: newCache(), statusWork: &workCounter{}} }

// edit changes one of a few tasks at random: its file, its status or its problem, or removes it.
func edit(t *testing.T, c *cache, r *rand.Rand) {
	key := taskKey(fmt.Sprint("t", r.IntN(9)))
	switch r.IntN(5) {
	case 0:
		c.update(key, func(e *entry) { e.object, e.problem, e.rejected = nil, nil, false })
	case 1:
		c.update(key, func(e *entry) { e.observed = readStatus(fmt.Appendf(nil, "{\n  \"phase\": \"%d\"\n}\n", r.IntN(9))) })
	case 2:
		c.update(key, func(e *entry) { e.rejected = !e.rejected })
	case 3:
		c.update(key, func(e *entry) { e.problem = &resources.Problem{Reason: "torn"} })
	default:
		o := made(t, key, fmt.Sprintf(`{"workPlan": "p", "expectedOutput": "%d"}`, r.IntN(100)))
		c.update(key, func(e *entry) { e.object, e.problem = o, nil })
	}
}

func tasksOf(w *world) (map[resources.Key]Revision, uint64) {
	all, version := w.Revisions([]string{resources.Tasks}, nil)
	byKey := map[resources.Key]Revision{}
	for _, r := range all {
		byKey[r.Key] = r
	}
	return byKey, version
}

// Whoever applies the steps since a version to what there was then has what there is now, and
// each version is given once, in order.
func TestStepsLeadFromOneListToTheNext(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := revised()
		for range r.IntN(20) {
			edit(t, w.cache, r)
		}
		held, version := tasksOf(w)
		for range 40 {
			for range r.IntN(8) {
				edit(t, w.cache, r)
			}
			if r.IntN(3) == 0 {
				tasksOf(w) // somebody else asks
			}
			now, reached := tasksOf(w)
			steps, err := w.cache.revisions.since(version)
			require.NoError(t, err)
			for _, s := range steps {
				version++
				require.Equal(t, version, s.New.Version)
				require.Equal(t, s.Old.Key, s.New.Key)
				before, known := held[s.New.Key]
				require.Equal(t, known, s.Old.Exists())
				if known {
					require.Equal(t, before, s.Old)
				}
				if held[s.New.Key] = s.New; !s.New.Exists() {
					delete(held, s.New.Key)
				}
			}
			require.Equal(t, reached, version)
			require.Equal(t, now, held, "seed %d", seed)
		}
	}
}

func TestVersionsGrowFromOneControllerToTheNext(t *testing.T) {
	first, second := revised(), revised()
	_, before := first.Revisions(nil, nil)
	time.Sleep(2 * time.Millisecond)
	_, after := second.Revisions(nil, nil)
	assert.Less(t, before, after)
	assert.InDelta(t, time.Now().UnixMilli(), after, 60_000)
	_, err := second.Steps(t.Context(), before)
	require.ErrorIs(t, err, ErrExpired)
	_, err = second.Steps(t.Context(), after+1)
	require.ErrorIs(t, err, ErrExpired, "nobody gave that one")
}

// Only so many steps are kept: who is slower lists again.
func TestOldStepsExpire(t *testing.T) {
	w := revised()
	_, start := w.Revisions(nil, nil)
	r := rand.New(rand.NewPCG(7, 7))
	version := start
	for version < start+maxSteps+100 {
		edit(t, w.cache, r)
		_, version = w.Revisions(nil, nil)
	}
	_, err := w.cache.revisions.since(version - maxSteps - 1)
	require.ErrorIs(t, err, ErrExpired)
	steps, err := w.cache.revisions.since(version - maxSteps)
	require.NoError(t, err)
	require.Len(t, steps, maxSteps)
	for i, s := range steps {
		require.Equal(t, version-maxSteps+uint64(i)+1, s.New.Version)
	}
}

// Who follows sees a file and the status that follows from it change in one step.
func TestStepsWaitForTheStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := revised()
		_, version := w.Revisions(nil, nil)
		got := make(chan []Step)
		go func() {
			steps, err := w.Steps(t.Context(), version)
			assert.NoError(t, err)
			got <- steps
		}()
		synctest.Wait()
		w.statusWork.add(1)
		o := made(t, taskKey("a"), `{"workPlan": "p", "expectedOutput": "x"}`)
		w.cache.update(o.Key(), func(e *entry) { e.object = o })
		synctest.Wait()
		time.Sleep(settleTimeout / 2)
		w.cache.update(o.Key(), func(e *entry) { e.observed = readStatus([]byte("{}")) })
		w.statusWork.add(-1)
		steps := <-got
		require.Len(t, steps, 1)
		assert.Equal(t, "{}", string(steps[0].New.Status))
		assert.False(t, steps[0].Old.Exists())

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := w.Steps(ctx, steps[0].New.Version)
		assert.True(t, errors.Is(err, context.Canceled))
	})
}

// Nothing is remembered for nobody.
func TestNobodyAsksForVersions(t *testing.T) {
	w := revised()
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		edit(t, w.cache, r)
	}
	assert.Empty(t, w.cache.revisions.oldRevisions)
	assert.Nil(t, w.cache.revisions.steps)
}

func TestADecodedStatusIsKeptForAsLongAsItStands(t *testing.T) {
	w, key := revised(), taskKey("a")
	o := made(t, key, `{"workPlan": "p", "expectedOutput": "x"}`)
	write := func(phase string) {
		w.cache.update(key, func(e *entry) { e.object, e.observed = o, readStatus([]byte("{\n  \"phase\": \""+phase+"\"\n}\n")) })
	}
	assert.Equal(t, Revision{Key: key}, w.Revision(key))
	write("planned")
	old := w.Revision(key)
	require.Nil(t, old.Decoded)
	old.Decoded = &resources.TaskStatus{}
	w.KeepDecoded(&old)
	all, _ := w.Revisions([]string{resources.Tasks}, nil)
	require.Len(t, all, 1)
	assert.Same(t, old.Decoded, all[0].Decoded)
	w.cache.update(key, func(e *entry) { e.rejected = true })
	assert.Same(t, old.Decoded, w.Revision(key).Decoded)
	write("active")
	assert.Nil(t, w.Revision(key).Decoded)
	w.KeepDecoded(&old)
	assert.Nil(t, w.Revision(key).Decoded, "it is of another status")
}

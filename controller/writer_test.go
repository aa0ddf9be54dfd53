package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/hack/memstore"
	"github.com/idumb-dev/idumb/resources"
)

// slowDisk is a store whose statuses are written as a test lets them.
type slowDisk struct {
	*memstore.Store
	mu    sync.Mutex
	log   []string                  // "a active", "a -": what was asked for, in order
	write func(resources.Key) error // is called before each; an error keeps it from being done
}

func (d *slowDisk) note(key resources.Key, what string) error {
	d.mu.Lock()
	d.log = append(d.log, key.Name+" "+what)
	d.mu.Unlock()
	return d.write(key)
}

func (d *slowDisk) PutStatus(ctx context.Context, key resources.Key, status []byte) error {
	if err := d.note(key, readStatus(status).phase); err != nil {
		return err
	}
	return d.Store.PutStatus(ctx, key, status)
}

func (d *slowDisk) DeleteStatus(ctx context.Context, key resources.Key) error {
	if err := d.note(key, "-"); err != nil {
		return err
	}
	return d.Store.DeleteStatus(ctx, key)
}

// asked returns what was asked of the disk since it was last asked.
func (d *slowDisk) asked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	log := d.log
	d.log = nil
	return log
}

func (d *slowDisk) status(t *testing.T, name string) string {
	t.Helper()
	status, err := d.ReadStatus(t.Context(), taskKey(name))
	require.NoError(t, err)
	return readStatus(status).phase
}

// onSlowDisk runs a manager over one with these tasks, and returns what ends it.
func onSlowDisk(t *testing.T, table []Registration, tasks ...string) (d *slowDisk, m *Manager, end func()) {
	t.Helper()
	d = &slowDisk{Store: memstore.New(), write: func(resources.Key) error { return nil }}
	for _, name := range tasks {
		_, err := d.Put(t.Context(), taskKey(name), []byte(task("active")), "")
		require.NoError(t, err)
	}
	m = New(d, table, Options{})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	require.NoError(t, m.WaitSettled(t.Context()))
	return d, m, func() {
		stop()
		require.NoError(t, <-ended)
	}
}

func phased(phase string) *resources.TaskStatus {
	return &resources.TaskStatus{Common: resources.Common{Phase: phase}}
}

// Everybody sees a status at once; the disk gets the newest of each only, and a removal
// after what it removes.
func TestStatusesAreWrittenBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, m, end := onSlowDisk(t, nil, "a", "b")
		defer end()
		c, release := m.Client("test"), make(chan struct{})
		d.write = func(resources.Key) error { <-release; return nil }
		for n, phase := range []string{"one", "two", "three"} {
			require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), phased(phase)))
			assert.Equal(t, phase, readStatus(c.Status(taskKey("a"))).phase)
			assert.Equal(t, 1, c.PlanCounts("p")[phase])
			if n == 0 {
				synctest.Wait() // the disk is busy with it
			}
		}
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("b")), phased("one")))
		require.NoError(t, c.DeleteStatus(t.Context(), taskKey("b")))
		assert.Nil(t, c.Status(taskKey("b")))
		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, m.WaitSettled(soon), context.DeadlineExceeded, "not all is written")
		close(release)
		require.NoError(t, m.WaitSettled(t.Context()))
		assert.ElementsMatch(t, []string{"a one", "a three", "b -"}, d.asked())
		assert.Equal(t, "three", d.status(t, "a"))
	})
}

// Who sums up what others derive waits for those, and not for the disk.
func TestIdleReconcilersDoNotWaitForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		packed := 0
		pack := Registration{Name: "pack", Idle: true, Keys: onlyTasks, New: func(Client) Reconciler {
			return Func(func(context.Context, resources.Key) (Result, error) { packed++; return Result{}, nil })
		}}
		d, m, end := onSlowDisk(t, []Registration{pack}, "a")
		defer end()
		release := make(chan struct{})
		d.write = func(resources.Key) error { <-release; return nil }
		before := packed
		require.NoError(t, m.Client("test").WriteStatus(t.Context(), m.Client("test").Revision(taskKey("a")), phased("one")))
		synctest.Wait()
		assert.Greater(t, packed, before)
		close(release)
		require.NoError(t, m.WaitSettled(t.Context()))
	})
}

// A disk that fails is tried again, with backoff, and once more at the end.
func TestAStatusThatCannotBeWrittenIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, m, end := onSlowDisk(t, nil, "a", "b")
		var full atomic.Bool
		full.Store(true)
		d.write = func(key resources.Key) error {
			if key == taskKey("a") && full.Load() {
				return errors.New("the disk is full")
			}
			return nil
		}
		c := m.Client("test")
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), phased("one")))
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("b")), phased("one")))
		time.Sleep(time.Second)
		assert.Equal(t, "one", d.status(t, "b"), "nobody waits for what fails")
		assert.Positive(t, m.Heartbeat().Queues["writer"].Errors)
		assert.InDelta(t, 8, len(d.asked())-1, 1, "5 ms, doubled each time")
		full.Store(false)
		end()
		assert.Equal(t, "one", d.status(t, "a"))
	})
}

// What a listing finds in the store does not replace what is yet to be written there.
func TestAListingDoesNotTakeBackAStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, m, end := onSlowDisk(t, nil, "a", "b")
		defer end()
		c, release := m.Client("test"), make(chan struct{})
		d.write = func(resources.Key) error { <-release; return nil }
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("b")), phased("one")))
		synctest.Wait() // the disk is busy with it
		require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), phased("one")))
		m.hint(resources.Key{})
		time.Sleep(2 * relistDelay)
		assert.Equal(t, "one", readStatus(c.Status(taskKey("a"))).phase)
		close(release)
		require.NoError(t, m.WaitSettled(t.Context()))
		assert.Equal(t, "one", d.status(t, "a"))
	})
}

// While the store is gone nothing is written; the listing that follows its return brings
// everything back.
func TestNothingIsWrittenToAStoreThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, seen: map[resources.Key]int{}}
		d, m, end := onSlowDisk(t, s.table(), "a")
		defer end()
		d.asked()
		var gone atomic.Bool
		gone.Store(true)
		d.write = func(resources.Key) error {
			if gone.Load() {
				return fmt.Errorf("write: %w", store.ErrGone)
			}
			return nil
		}
		old, err := d.Get(t.Context(), taskKey("a"))
		require.NoError(t, err)
		_, err = d.Put(t.Context(), taskKey("a"), []byte(task("failed")), old.Rev)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		assert.Equal(t, []string{"a failed"}, d.asked(), "it is not tried again")
		gone.Store(false)
		m.hint(resources.Key{})
		time.Sleep(2 * relistDelay)
		require.NoError(t, m.WaitSettled(t.Context()))
		assert.Equal(t, "failed", d.status(t, "a"))
	})
}

// A controller that is killed leaves statuses behind that nobody wrote: the next one does.
func TestTheNextStartWritesWhatWasNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, seen: map[resources.Key]int{}}
		d, m, end := onSlowDisk(t, s.table(), "a")
		killed := errors.New("killed")
		d.write = func(resources.Key) error { return killed }
		_, err := d.Put(t.Context(), taskKey("b"), []byte(task("active")), "")
		require.NoError(t, err)
		time.Sleep(time.Second)
		assert.Equal(t, "blocked", readStatus(m.Client("test").Status(taskKey("b"))).phase)
		end()
		assert.Empty(t, d.status(t, "b"))

		d.write = func(resources.Key) error { return nil } // the former one has ended
		next := New(d, s.table(), Options{})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- next.Run(ctx) }()
		require.NoError(t, next.WaitSettled(t.Context()))
		assert.Equal(t, "blocked", d.status(t, "b"))
		stop()
		require.NoError(t, <-ended)
	})
}

// What changes with every call of an agent is seen at once and written now and then; what others
// wait for is written at once, and all of it when the controller ends.
func TestDetailsOfAStatusAreWrittenNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, m, end := onSlowDisk(t, nil, "a")
		c := m.Client("test")
		write := func(status *resources.TaskStatus, checkpoints int) {
			status.Checkpoints.Count = checkpoints
			require.NoError(t, c.WriteStatus(t.Context(), c.Revision(taskKey("a")), status))
			synctest.Wait()
			assert.Contains(t, string(c.Status(taskKey("a"))), fmt.Sprintf(`"count": %d`, checkpoints))
		}
		written := func() int {
			data, err := d.ReadStatus(t.Context(), taskKey("a"))
			require.NoError(t, err)
			var status resources.TaskStatus
			require.NoError(t, json.Unmarshal(data, &status))
			return status.Checkpoints.Count
		}
		write(phased("active"), 1)
		assert.Equal(t, 1, written(), "the first one")
		d.asked()
		for n := 2; n <= 5; n++ {
			write(phased("active"), n)
			time.Sleep(detailInterval / 8)
		}
		assert.Equal(t, 1, written())
		time.Sleep(detailInterval)
		assert.Equal(t, 5, written())
		assert.Len(t, d.asked(), 1)

		stale := phased("active")
		stale.Conditions = []resources.Condition{{Type: resources.Stale, Status: resources.True, Reason: "Silent", Message: "since long"}}
		write(phased("active"), 6)
		write(stale, 7)
		assert.Equal(t, 7, written(), "a condition")
		stale.Conditions[0].Message = "since very long"
		write(stale, 8)
		assert.Equal(t, 8, written(), "what a condition says")
		ready := phased("active")
		ready.Ready = true
		write(ready, 9)
		assert.Equal(t, 9, written(), "readiness")
		write(phased("review"), 10)
		assert.Equal(t, 10, written(), "the phase")
		old, err := d.Get(t.Context(), taskKey("a"))
		require.NoError(t, err)
		_, err = d.Put(t.Context(), taskKey("a"), []byte(task("failed")), old.Rev)
		require.NoError(t, err)
		synctest.Wait()
		write(phased("review"), 11)
		assert.Equal(t, 11, written(), "another version of the object")

		write(phased("review"), 12)
		assert.Equal(t, 11, written())
		end()
		assert.Equal(t, 12, written(), "the end")
	})
}

package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/hack/memstore"
	"github.com/idumb-dev/idumb/resources"
)

// onlyTasks maps a change of a task to that task.
func onlyTasks(change Change, _ Client) []resources.Key {
	if change.Key.Kind == resources.Tasks {
		return []resources.Key{change.Key}
	}
	return nil
}

// attempts is a reconciler that does what outcome says, and notes when it was called.
type attempts struct {
	mu      sync.Mutex
	at      []time.Duration
	began   time.Time
	outcome func(n int) (Result, error)
}

func (a *attempts) row(name string) Registration {
	return Registration{Name: name, Keys: onlyTasks, New: func(Client) Reconciler {
		a.began = time.Now()
		return Func(func(context.Context, resources.Key) (Result, error) {
			a.mu.Lock()
			a.at = append(a.at, time.Since(a.began))
			n := len(a.at)
			a.mu.Unlock()
			return a.outcome(n)
		})
	}}
}

func TestWhatAReconcileComesTo(t *testing.T) {
	for _, test := range []struct {
		name    string
		outcome func(n int) (Result, error)
		want    []time.Duration // when it runs
		errors  int64
		log     string
	}{
		{"success", func(int) (Result, error) { return Result{}, nil }, []time.Duration{0}, 0, ""},
		{"look again", func(n int) (Result, error) {
			if n > 2 {
				return Result{}, nil
			}
			return Result{RequeueAfter: time.Minute}, nil
		}, []time.Duration{0, time.Minute, 2 * time.Minute}, 0, ""},
		{"an error is retried with backoff", func(n int) (Result, error) {
			if n > 3 {
				return Result{}, nil
			}
			return Result{RequeueAfter: time.Hour}, errors.New("disk full")
		}, []time.Duration{0, 5 * ms, 15 * ms, 35 * ms}, 3, "disk full"},
		{"a terminal error is not", func(int) (Result, error) { return Result{}, Terminal(errors.New("no use")) }, []time.Duration{0}, 1, "no use"},
		{"a conflict is nobody's fault", func(n int) (Result, error) {
			if n > 1 {
				return Result{}, nil
			}
			return Result{}, store.ErrConflict
		}, []time.Duration{0, 5 * ms}, 0, ""},
		{"a panic is an error", func(n int) (Result, error) {
			if n > 1 {
				return Result{}, nil
			}
			panic("index out of range")
		}, []time.Duration{0, 5 * ms}, 1, "index out of range"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				s := newStage(t)
				s.log = slog.New(slog.NewTextHandler(&log, nil))
				s.write(taskKey("a"), task("active"))
				a := &attempts{outcome: test.outcome}
				m, stop := s.start([]Registration{a.row("test")})
				time.Sleep(time.Hour)
				h := m.Heartbeat()
				stop()
				assert.Equal(t, test.want, a.at)
				assert.Equal(t, test.errors, h.Queues["test"].Errors)
				if assert.Contains(t, log.String(), test.log); test.log != "" {
					assert.Contains(t, log.String(), "controller=test object=tasks/a err=")
				}
				assert.Equal(t, int(test.errors), strings.Count(log.String(), "reconcile failed"))
			})
		})
	}
}

func TestAPanicInKeysLeavesOthersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		bad := Registration{
			Name: "bad", Keys: func(Change, Client) []resources.Key { panic("no") },
			New: func(Client) Reconciler { return Func(nil) },
		}
		m := s.run(append([]Registration{bad}, s.table()...))
		assert.Equal(t, "active", s.phase(taskKey("a")))
		assert.NotZero(t, m.Heartbeat().Queues["bad"].Errors)
	})
}

// The packer reads what the others have settled: however many changes a burst has,
// it runs when they are done.
func TestIdleReconcilersRunWhenNothingElseDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		for _, name := range []string{"a", "b", "c"} {
			s.write(taskKey(name), task("active"))
		}
		var seen []map[string]int
		pack := Registration{
			Name: "pack", Idle: true,
			Keys: func(Change, Client) []resources.Key { return []resources.Key{{Kind: "pack", Name: "it"}} },
			New: func(c Client) Reconciler {
				return Func(func(context.Context, resources.Key) (Result, error) {
					seen = append(seen, c.PlanCounts("p"))
					return Result{}, nil
				})
			},
		}
		m := s.run(append([]Registration{pack}, s.table()...))
		assert.Equal(t, []map[string]int{{"active": 3}}, seen)
		for _, name := range []string{"a", "b", "c"} {
			s.write(taskKey(name), task("completed"))
		}
		s.hint(m, taskKey("a"), taskKey("b"), taskKey("c"))
		assert.Equal(t, map[string]int{"completed": 3}, seen[len(seen)-1])
	})
}

// A plan sums up its tasks: a burst of changes to them is summed up once.
func TestHigherRanksWaitForLowerOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		keys := []resources.Key{}
		for i := range 50 {
			key := taskKey(fmt.Sprint("t", i))
			keys = append(keys, key)
			s.write(key, task("active"))
		}
		sums := 0
		plan := Registration{Name: "plan", Rank: 1,
			Keys: func(Change, Client) []resources.Key { return []resources.Key{{Kind: resources.WorkPlans, Name: "p"}} },
			New: func(c Client) Reconciler {
				return Func(func(context.Context, resources.Key) (Result, error) {
					sums++
					return Result{}, nil
				})
			},
		}
		m := s.run(append(s.table(), plan))
		assert.Equal(t, 1, sums)
		for _, key := range keys {
			s.write(key, task("completed"))
		}
		m.informer.queue.Add(listKey, Low) // all at once, as for git checkout
		s.hint(m)
		assert.Equal(t, 2, sums)
	})
}

func TestStopFinishesTheReconcileAndPacksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.write(taskKey("a"), task("active"))
		var order []string
		note := func(name string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			order = append(order, name)
		}
		slow := Registration{Name: "slow", Keys: onlyTasks, New: func(Client) Reconciler {
			return Func(func(ctx context.Context, key resources.Key) (Result, error) {
				time.Sleep(time.Minute)
				note("slow")
				return Result{}, ctx.Err()
			})
		}}
		pack := Registration{Name: "pack", Idle: true, Keys: onlyTasks, New: func(Client) Reconciler {
			return Func(func(context.Context, resources.Key) (Result, error) {
				note("pack")
				return Result{}, nil
			})
		}}
		m, stop := s.start([]Registration{slow, pack})
		s.write(taskKey("a"), task("completed"))
		s.hints <- taskKey("a")
		time.Sleep(time.Second)
		s.mu.Lock()
		order = nil
		s.mu.Unlock()
		stop()
		assert.Equal(t, []string{"slow", "pack"}, order)
		assert.Zero(t, m.Heartbeat().Errors)
		assert.True(t, s.heartbeat().Ended)
	})
}

func TestRunEndsBeforeTheFirstListing(t *testing.T) {
	s := newStage(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, New(s, s.table(), Options{}).Run(ctx))
}

// signal.NotifyContext ends its context with the signal as the cause.
func TestTheCauseOfTheCallersContextIsNoError(t *testing.T) {
	s := newStage(t)
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("interrupt signal received"))
	require.NoError(t, New(s, s.table(), Options{}).Run(ctx))
}

func TestReturnedStoreThatBelongsToAnotherControllerEndsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		m := New(s, s.table(), Options{OnReturn: func() error { return &lease.RunningError{Holder: lease.Holder{PID: 42}} }})
		m.informer.unavailable.Store(true)
		err := m.Run(t.Context())
		var running *lease.RunningError
		require.ErrorAs(t, err, &running)
		assert.Equal(t, 42, running.PID)
	})
}

// An idle controller wakes nobody: the heartbeat is written once after the last
// thing that happened.
func TestHeartbeatIsWrittenOnlyWhenSomethingHappened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.plan()
		s.write(taskKey("a"), task("active"))
		m := s.run(s.table())
		synctest.Wait()
		start := s.heartbeat()
		assert.True(t, start.Idle)
		assert.Equal(t, map[string]int{"tasks": 1, "workplans": 1}, start.Objects)
		s.write(taskKey("a"), task("completed"))
		s.hint(m, taskKey("a"))
		assert.Equal(t, start.Reconciles, s.heartbeat().Reconciles, "not more often than HeartbeatEvery")
		time.Sleep(HeartbeatInterval + time.Second)
		synctest.Wait()
		assert.Greater(t, s.heartbeat().Reconciles, start.Reconciles)
		updated := s.heartbeat().Updated
		time.Sleep(24 * time.Hour)
		assert.Equal(t, updated, s.heartbeat().Updated)
	})
}

func TestWallClock(t *testing.T) {
	for _, test := range []struct {
		name string
		wall time.Duration // what the time of day did while timers saw a second pass
		want bool
	}{
		{"in step", time.Second, false},
		{"put right a little", 4 * time.Second, false},
		{"the machine slept", 8 * time.Hour, true},
		{"set back", -time.Hour, true},
	} {
		assert.Equal(t, test.want, drifted(test.wall, time.Second), test.name)
	}
	var clock wallClock
	assert.False(t, clock.jumped(time.Now()))
	assert.False(t, clock.jumped(time.Now()))
}

// signal.NotifyContext names the signal as the cause of its context; Ctrl-C is
// still a clean end.
func TestACallersCauseIsNoError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	m := New(memstore.New(), nil, Options{})
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	require.NoError(t, m.WaitSettled(ctx))
	cancel(errors.New("interrupt signal received"))
	assert.NoError(t, <-ended)
}

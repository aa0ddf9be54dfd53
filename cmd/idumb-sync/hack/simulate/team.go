package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdengine"
	"github.com/idumb-dev/idumb/cmd/idumb-sync/hack/oneetcd"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
)

// team is the set of machines with their notifications.
type team struct {
	size
	server  *oneetcd.Server
	clients []*clientv3.Client
	engines []*etcdengine.Engine // one per connection
	watched [][]int              // plans of each machine

	heard atomic.Int64
	mu    sync.Mutex
	late  []time.Duration // delays of one percent of the notifications
}

// newTeam connects the machines to an etcd and waits until it answers.
func newTeam(ctx context.Context, s size, at *oneetcd.Server) (*team, error) {
	t := &team{size: s, server: at}
	for range min(s.connections, s.machines) {
		client, err := etcdengine.Dial(progengine.Place{Endpoints: []string{at.URL}})
		if err != nil {
			return nil, err
		}
		e, err := etcdengine.New(client, "acme", "shop", nil)
		if err != nil {
			return nil, err
		}
		t.clients, t.engines = append(t.clients, client), append(t.engines, e)
	}
	for range s.machines {
		t.watched = append(t.watched, rand.Perm(s.plans)[:s.each])
	}
	for { // etcd is starting
		_, err := t.engines[0].List(ctx, "claims/")
		if err == nil || ctx.Err() != nil {
			return t, err
		}
	}
}

// close closes the connections.
func (t *team) close() {
	for _, c := range t.clients {
		_ = c.Close()
	}
}

// engine returns the engine whose connection a machine shares.
func (t *team) engine(machine int) *etcdengine.Engine { return t.engines[machine%len(t.engines)] }

// folder returns the prefix of the keys of a plan's tasks.
func folder(plan int) string { return fmt.Sprintf("o/tasks/plan-%04d/", plan) }

func (t *team) key(task int) string { return fmt.Sprintf("%stask-%07d", folder(task%t.plans), task) }

// value returns a task that contains the time of writing.
func (t *team) value() []byte {
	v := bytes.Repeat([]byte("x"), t.bytes)
	binary.BigEndian.PutUint64(v, uint64(time.Now().UnixNano()))
	return v
}

// load writes all tasks, in transactions of maximum size.
func (t *team) load(ctx context.Context) error {
	const writers = 8
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(writers)
	for from := 0; from < t.tasks && ctx.Err() == nil; from += etcdengine.MostOps {
		g.Go(func() error {
			var ops []engine.Op
			for n := from; n < min(from+etcdengine.MostOps, t.tasks); n++ {
				ops = append(ops, engine.Op{Key: t.key(n), Value: t.value()})
			}
			return t.engine(from).Txn(ctx, ops...)
		})
	}
	return g.Wait()
}

// listen gives each machine a lease, renews it, and starts watches of its
// plans.
func (t *team) listen(ctx context.Context) error {
	_, at, err := t.engines[0].ListAt(ctx, "claims/")
	if err != nil {
		return err
	}
	const makers = 32
	g := new(errgroup.Group)
	g.SetLimit(makers)
	for machine := range t.machines {
		g.Go(func() error {
			lease, err := t.engine(machine).Lease(ctx, "", ttl)
			if err != nil {
				return err
			}
			go t.keep(ctx, machine, lease.ID)
			for _, plan := range t.watched[machine] {
				go t.engine(machine).Watch(ctx, folder(plan), at, t.hear)
			}
			return nil
		})
	}
	return g.Wait()
}

const ttl = 10 * time.Minute

// keep renews the lease of a machine every third of its duration.
func (t *team) keep(ctx context.Context, machine int, lease string) {
	wait := rand.N(ttl / 3)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		_, _ = t.engine(machine).Lease(ctx, lease, ttl)
		wait = ttl / 3
	}
}

// hear counts the items that a watch reports, and records the delay of every hundredth.
func (t *team) hear(items []engine.Item, _ string) {
	now := time.Now().UnixNano()
	for _, item := range items {
		if n := t.heard.Add(1); n%100 == 0 && len(item.Value) >= 8 {
			t.mu.Lock()
			t.late = append(t.late, time.Duration(now-int64(binary.BigEndian.Uint64(item.Value))))
			t.mu.Unlock()
		}
	}
}

// join makes some machines list all of their plans at once, as after an outage.
func (t *team) join(ctx context.Context) error {
	joiners := min(t.joiners, t.machines)
	began := time.Now()
	var total atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for machine := range joiners {
		g.Go(func() error {
			for _, plan := range t.watched[machine] {
				items, err := t.engine(machine).List(ctx, folder(plan))
				if err != nil {
					return err
				}
				total.Add(int64(len(items)))
			}
			return nil
		})
	}
	err := g.Wait()
	took := time.Since(began)
	mb := float64(total.Load()) * float64(t.bytes) / 1e6
	fmt.Printf("%d machines list all they watch at once: %d tasks, %.0f MB in %v (%.0f MB/s); %d would take %v\n",
		joiners, total.Load(), mb, took.Round(time.Millisecond), mb/took.Seconds(), t.machines, (took * time.Duration(t.machines) / time.Duration(max(joiners, 1))).Round(time.Second))
	return err
}

// percentile returns a percentile of durations, which it sorts; 0 if none exists.
func percentile(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)*p/100, len(all)-1)].Round(100 * time.Microsecond)
}

var errLate = errors.New("the time is up")

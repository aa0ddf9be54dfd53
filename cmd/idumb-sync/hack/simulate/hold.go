package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/hack/oneetcd"
)

// Limits of overload: half of the writes or notifications take longer, or a
// smaller share of the writes is made. The slowest one percent mainly shows
// other load on the machine.
const (
	lateWrite = 250 * time.Millisecond
	lateHeard = time.Second
	madeLeast = 0.8
)

// hold writes at a rate for a while, one write in six being a claim that is
// released, and reports whether etcd is overloaded.
func (t *team) hold(ctx context.Context, rate int) (bent bool, err error) {
	t.mu.Lock()
	t.late = nil
	t.mu.Unlock()
	heard, server, own := t.heard.Load(), t.server.CPU(), oneetcd.CPU(os.Getpid())
	disk := t.server.Syncs(t.step)
	took, err := t.write(ctx, rate)
	synced := <-disk
	if err != nil {
		return false, err
	}
	heard = t.heard.Load() - heard
	server, own = t.server.CPU()-server, oneetcd.CPU(os.Getpid())-own
	t.mu.Lock()
	late := t.late
	t.late = nil
	t.mu.Unlock()
	seconds, share := t.step.Seconds(), func(d time.Duration) string { return fmt.Sprintf("%.0f %%", 100*d.Seconds()/t.step.Seconds()) }
	made := float64(len(took)) / seconds
	fmt.Printf("%14d %6.0f %11v %8v %11.0f %11v %8v %10s %10s %11v %8v\n", rate, made, percentile(took, 50), percentile(took, 99),
		float64(heard)/seconds, percentile(late, 50), percentile(late, 99), share(server), share(own), percentile(synced, 50), percentile(synced, 99))
	return made < madeLeast*float64(rate) || percentile(took, 50) > lateWrite || percentile(late, 50) > lateHeard, nil
}

// write makes writes at a rate, each at its time even if earlier ones are
// unfinished, and returns their durations.
func (t *team) write(ctx context.Context, rate int) (took []time.Duration, err error) {
	const most = 2000 // concurrent writes
	ctx, cancel := context.WithTimeoutCause(ctx, t.step, errLate)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, most)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for began, asked := time.Now(), 0; ; {
		if float64(asked) < time.Since(began).Seconds()*float64(rate) {
			select {
			case slots <- struct{}{}:
				asked++
				all.Go(func() {
					defer func() { <-slots }()
					began := time.Now()
					if t.one(ctx) == nil {
						mu.Lock()
						took = append(took, time.Since(began))
						mu.Unlock()
					}
				})
				continue
			default: // far behind
			}
		}
		select {
		case <-ctx.Done():
			all.Wait()
			if context.Cause(ctx) != errLate {
				return nil, ctx.Err()
			}
			return took, nil
		case <-tick.C:
		}
	}
}

// one makes one edit of a task, or a claim or its release.
func (t *team) one(ctx context.Context) error {
	machine, task := rand.IntN(t.machines), rand.IntN(t.tasks)
	client, key := t.clients[machine%len(t.clients)], "/idumb/acme/shop/"+t.key(task)
	const claims = 6
	if rand.IntN(claims) == 0 {
		key = fmt.Sprintf("/idumb/acme/shop/c/task-%07d", task)
		_, err := client.Put(ctx, key, "claimed")
		return err
	}
	_, err := client.Put(ctx, key, string(t.value()))
	return err
}

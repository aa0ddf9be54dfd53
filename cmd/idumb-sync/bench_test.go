package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// BenchmarkClaim is one claim: by the program that runs, and by one that is started for it, as a
// command does; beside a put alone.
func BenchmarkClaim(b *testing.B) {
	server := etcdtest.Members(b, 1)[0]
	m := newMachine(b, "shop", server.URL)
	etcdtest.Eventually(b, func() error { _, err := m.List(b.Context(), "claims/"); return err })
	client := etcdtest.Client(b, server.URL)
	lease, err := m.Lease(b.Context(), "", time.Minute)
	require.NoError(b, err)
	n := 0
	next := func() engine.Op {
		n++
		return engine.Op{Key: fmt.Sprintf("claims/t-%d", n), Value: []byte(`{"v":1}`), Lease: lease.ID}
	}
	b.Run("put", func(b *testing.B) {
		for b.Loop() {
			n++
			_, err := client.Put(b.Context(), fmt.Sprintf("/idumb/acme/shop/x/%d", n), `{"v":1}`)
			require.NoError(b, err)
		}
	})
	b.Run("running", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, m.Txn(b.Context(), next()))
		}
	})
	b.Run("started", func(b *testing.B) {
		for b.Loop() {
			once := newMachine(b, "shop", server.URL)
			require.NoError(b, once.Txn(b.Context(), next()))
			once.Engine.Close()
		}
	})
}

// BenchmarkEdits has clones that share 1,000 tasks edit them, each as fast as another one has what it wrote:
// what one edit takes until then, and how many all bear together; beside a put alone.
func BenchmarkEdits(b *testing.B) {
	const tasks = 1000
	server := etcdtest.Members(b, 1)[0]
	for _, n := range []int{2, 4} {
		b.Run(fmt.Sprintf("clones=%d", n), func(b *testing.B) {
			team := make([]*desk, n)
			for i := range team {
				team[i] = newDesk(b, server.URL, fmt.Sprintf("r%d-%d", n, b.N), fmt.Sprintf("c%d", i))
			}
			for task := range tasks {
				team[0].write(fmt.Sprintf("t%d", task), "T")
			}
			for i, d := range team {
				etcdtest.Eventually(b, func() error { _, err := d.Round(b.Context(), time.Now()); return err })
				require.True(b, d.has("t0", "T"), i)
				d.work(b)
			}
			puts := alone(b, server.URL, 200)
			b.ResetTimer()
			var all sync.WaitGroup
			took := make([][]time.Duration, n)
			for i, d := range team {
				all.Go(func() {
					for round := range b.N {
						task, title := fmt.Sprintf("t%d", (round*n+i)%tasks), fmt.Sprintf("%d-%d", i, round)
						began := time.Now()
						d.edit(task, title)
						for !team[(i+1)%n].has(task, title) {
							time.Sleep(100 * time.Microsecond)
						}
						took[i] = append(took[i], time.Since(began))
					}
				})
			}
			all.Wait()
			every := slices.Concat(took...)
			b.ReportMetric(float64(len(every))/b.Elapsed().Seconds(), "edits/s")
			b.ReportMetric(at(every, 50).Seconds()*1000, "p50-ms")
			b.ReportMetric(at(every, 99).Seconds()*1000, "p99-ms")
			b.ReportMetric(at(puts, 50).Seconds()*1000, "put-ms")
		})
	}
}

// desk is a clone whose rounds come as it hears of changes.
type desk struct {
	office
	poked   chan struct{}
	mu      sync.Mutex
	changed map[resources.Key]string
}

func newDesk(b *testing.B, url, repo, clone string) *desk {
	return &desk{office: newOffice(b, url, repo, clone), poked: make(chan struct{}, 1), changed: map[resources.Key]string{}}
}

func (d *desk) poke() {
	select {
	case d.poked <- struct{}{}:
	default:
	}
}

// edit is a person's editor, which puts a whole file in the place of another one, and which somebody watches.
func (d *desk) edit(task, title string) {
	d.write(task+"~", title)
	text, err := os.ReadFile(d.file(task + "~"))
	require.NoError(d.t, err)
	require.NoError(d.t, os.Rename(d.file(task+"~"), d.file(task)))
	d.mu.Lock()
	d.changed[resources.Key{Kind: resources.Tasks, Name: task}] = resources.Revision(text)
	d.mu.Unlock()
	d.poke()
}

// work does rounds until the benchmark ends.
func (d *desk) work(b *testing.B) {
	ctx, stop := context.WithCancel(b.Context())
	var ended sync.WaitGroup
	ended.Go(func() { _ = d.Follow(ctx, d.poke) })
	ended.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-d.poked:
			}
			d.mu.Lock()
			changed := d.changed
			d.changed = map[resources.Key]string{}
			d.mu.Unlock()
			d.Changed(changed)
			_, err := d.Round(ctx, time.Now())
			assert.True(b, err == nil || ctx.Err() != nil, "%v", err)
		}
	})
	b.Cleanup(func() { stop(); ended.Wait() })
}

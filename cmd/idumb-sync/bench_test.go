package main

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
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

// typing is how long one who edits alone waits before the next edit.
const typing = 20 * time.Millisecond

// BenchmarkEdits has clones that share 1,000 tasks edit them, each as fast as another one has what it wrote, one alone more slowly:
// what one edit takes until then, and how many all bear together; beside a put alone.
func BenchmarkEdits(b *testing.B) {
	const tasks = 1000
	server := etcdtest.Members(b, 1)[0]
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("editors=%d", n), func(b *testing.B) {
			team := make([]*desk, max(n, 2))
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
			pause := time.Duration(0)
			if n == 1 {
				pause = typing
			}
			puts := alone(b, server.URL, 200, pause)
			b.ResetTimer()
			var all sync.WaitGroup
			took := make([][]time.Duration, n)
			for i, d := range team[:n] {
				all.Go(func() {
					for round := range b.N {
						time.Sleep(pause)
						task, title := fmt.Sprintf("t%d", (round*n+i)%tasks), fmt.Sprintf("%d-%d", i, round)
						began := time.Now()
						d.edit(task, title)
						for !team[(i+1)%len(team)].has(task, title) {
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
			b.ReportMetric(at(puts, 50).Seconds()*1000, "put-p50-ms")
			b.ReportMetric(at(puts, 99).Seconds()*1000, "put-p99-ms")
		})
	}
}

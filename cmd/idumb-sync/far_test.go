package main

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
)

// An etcd at the other end of a country: 80 ms there and back. Four clones write at once, and nothing is
// lost; one who writes alone is heard of in a few round trips.
func TestFarAway(t *testing.T) {
	t.Parallel()
	const clones, edits, tasks, oneWay = 4, 10, 5, 40 * time.Millisecond
	url := etcdtest.Far(t, etcdtest.Members(t, 1)[0].URL, oneWay)
	team := make([]exchanging, clones)
	for i := range team {
		team[i] = newExchanging(t, url, fmt.Sprintf("m%d", i))
	}
	answers(t, team[0].machine)
	began := time.Now()
	var all sync.WaitGroup
	for i, c := range team {
		all.Go(func() {
			for n := range edits {
				c.write(fmt.Sprintf("t%d-%d", i, n%tasks), fmt.Sprintf("V%d", n))
				c.round()
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	for _, c := range team {
		c.round()
	}
	for _, c := range team {
		for i := range team {
			for n := range tasks {
				assert.True(t, c.has(fmt.Sprintf("t%d-%d", i, n), fmt.Sprintf("V%d", edits-tasks+n)), "t%d-%d", i, n)
			}
		}
		marks, err := exchange.Marks(c.root.SyncFolder())
		require.NoError(t, err)
		assert.Empty(t, marks, "nobody changed what another one did")
	}
	t.Logf("80 ms there and back: %d edits of %d clones at once in %v, none lost", clones*edits, clones, took.Round(time.Millisecond))
}

// What changes in one clone is a file in the other after a few round trips.
func TestHeardFromFarAway(t *testing.T) {
	t.Parallel()
	const edits, oneWay = 10, 40 * time.Millisecond
	url := etcdtest.Far(t, etcdtest.Members(t, 1)[0].URL, oneWay)
	a, b := newDesk(t, url, "shop", "a"), newDesk(t, url, "shop", "b")
	a.write("login", "T0")
	etcdtest.Eventually(t, func() error { _, err := a.Round(t.Context(), time.Now()); return err })
	b.round()
	a.work(t)
	b.work(t)
	a.edit("login", "T0") // both follow when what comes of an edit has come
	var took []time.Duration
	for n := range edits {
		title, began := fmt.Sprintf("T%d", n+1), time.Now()
		a.edit("login", title)
		for !b.has("login", title) {
			require.Less(t, time.Since(began), time.Minute)
			time.Sleep(100 * time.Microsecond)
		}
		took = append(took, time.Since(began))
	}
	puts := alone(t, url, edits, 0)
	t.Logf("80 ms there and back: an edit here is a file there: p50 %v p99 %v; a put alone: p50 %v p99 %v", at(took, 50), at(took, 99), at(puts, 50), at(puts, 99))
	assert.GreaterOrEqual(t, at(puts, 50), 2*oneWay, "it is far away")
}

package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdengine"
	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// desk is a clone whose rounds come as it hears of changes.
type desk struct {
	office
	poked   chan struct{}
	mu      sync.Mutex
	changed map[resources.Key]string
}

func newDesk(t testing.TB, url, repo, clone string) *desk {
	return &desk{office: newOffice(t, url, repo, clone), poked: make(chan struct{}, 1), changed: map[resources.Key]string{}}
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

// work does rounds until the test ends, also while the etcd is away.
func (d *desk) work(t testing.TB) {
	ctx, stop := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	again := func() {
		time.Sleep(20 * time.Millisecond)
		d.poke()
	}
	ended.Go(func() {
		for ; ctx.Err() == nil; again() {
			_ = d.Follow(ctx, d.poke)
		}
	})
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
			if _, err := d.Round(ctx, time.Now()); err != nil {
				again()
			}
		}
	})
	t.Cleanup(func() { stop(); ended.Wait() })
}

// Clones whose rounds are at what they are told of lose no edit, while what the etcd tells is forgotten and
// while it is started again; what each wrote last stands in all of them.
func TestToldRoundsLoseNothing(t *testing.T) {
	t.Parallel()
	const clones, tasks, edits = 3, 4, 60
	server := etcdtest.Start(t, nil)
	var team [clones]*desk
	for i := range team {
		team[i] = newDesk(t, server.URL, "shop", fmt.Sprintf("c%d", i))
		team[i].work(t)
	}
	engine, err := etcdengine.New(server.Client(t), "acme", "shop", nil)
	require.NoError(t, err)
	var all sync.WaitGroup
	for i, d := range team {
		all.Go(func() {
			for n := range edits {
				d.edit(fmt.Sprintf("t%d-%d", i, n%tasks), fmt.Sprintf("V%d", n))
				time.Sleep(time.Duration(n%7) * time.Millisecond)
				switch {
				case i == 0 && n == edits/3:
					assert.NoError(t, engine.Compact(t.Context()))
				case i == 0 && n == edits*2/3:
					server.Etcd.Close()
					server.Run(t)
				}
			}
		})
	}
	all.Wait()
	etcdtest.Eventually(t, func() error {
		for i := range clones * tasks {
			name, title := fmt.Sprintf("t%d-%d", i/tasks, i%tasks), fmt.Sprintf("V%d", edits-tasks+i%tasks)
			for _, d := range team {
				if !d.has(name, title) {
					return fmt.Errorf("%s is not %s in one of the clones", name, title)
				}
			}
		}
		return nil
	})
	for _, d := range team {
		marks, err := exchange.Marks(d.root.SyncFolder())
		require.NoError(t, err)
		assert.Empty(t, marks, "nobody changed what another one did")
	}
}

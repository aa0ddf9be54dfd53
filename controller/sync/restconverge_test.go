package sync

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// watched is an engine that tells of changes, and is never asked what changed.
type watched struct {
	engine.Watcher
	strict engine.Strict
	lists  int // of all that there is
}

func (e *watched) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	if prefix == "" {
		e.lists++
	}
	return e.Watcher.ListAt(ctx, prefix)
}

func (e *watched) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (string, error) {
	return e.strict.TxnAsOf(ctx, at, ops...)
}

// MostOps has changes that are sound by themselves made apart from others. See engine.Limited.
func (e *watched) MostOps() int { return 3 }

// asked is an engine that is asked what changed.
type asked struct {
	engine.Differ
	lists int
}

func (e *asked) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	e.lists++
	return e.Differ.ListAt(ctx, prefix)
}

// told is a clone whose rounds hear of each change of a file, as they do in a controller: some time after.
type told struct {
	*machine
	caught  func()            // waits until it heard of what the team changed
	lists   *int              // how often it listed all
	seen    map[string]string // the revisions of the files, as they were looked at last
	waiting map[resources.Key]string
}

func (c *told) path(name string) string {
	return c.Team.root.Abs(layout.Path(resources.Key{Kind: resources.Tasks, Name: name}))
}

// watch notes which files changed since it looked last.
func (c *told) watch() {
	now := map[string]string{}
	files, err := os.ReadDir(filepath.Dir(c.path("x")))
	require.NoError(c.t, err)
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".json")
		now[name] = resources.Revision([]byte(c.file(name)))
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(now)), slices.Collect(maps.Keys(c.seen))) {
		if now[name] != c.seen[name] {
			c.waiting[resources.Key{Kind: resources.Tasks, Name: name}] = now[name]
		}
	}
	c.seen = now
}

func (c *told) round() Report {
	c.Changed(c.waiting)
	c.waiting = map[resources.Key]string{}
	r, err := c.Round(c.t.Context(), time.Now())
	require.NoError(c.t, err)
	return r
}

// act has somebody do something here.
func (c *told) act(r *rand.Rand) {
	name, next := fmt.Sprintf("t%d", r.IntN(4)), fmt.Sprintf("%d", r.Uint32())
	_, err := os.Stat(c.path(name))
	switch n := r.IntN(8); {
	case n == 0 && err == nil:
		require.NoError(c.t, os.Remove(c.path(name)), "as git may")
	case n == 1 && err == nil:
		require.NoError(c.t, NewTombstones(c.Team.root.SyncScratch()).Add(Tombstone{Kind: resources.Tasks, Name: name}))
		require.NoError(c.t, os.Remove(c.path(name)))
	case err == nil:
		c.retitle(name, next)
	default: // not as it was before it went: who watches might not see that it did
		c.task(name, resources.TaskPlanned)
		c.retitle(name, next)
	}
}

func (c *told) retitle(name, title string) {
	require.NoError(c.t, os.WriteFile(c.path(name), []byte(strings.Replace(c.file(name), `"title":"`, `"title":"`+title, 1)), 0o600))
}

// joinTold adds a clone to a team, by an engine that is asked for what changed, or by one that tells.
func joinTold(t *testing.T, team *memengine.Engine, name string, tells bool) *told {
	m, _ := sharing(t, team, name)
	c := &told{machine: m, seen: map[string]string{}, waiting: map[resources.Key]string{}, caught: func() {}}
	if !tells {
		e := &asked{Differ: team}
		m.Team.engine, c.lists = e, &e.lists
		return c
	}
	e := &watched{Watcher: team, strict: team}
	m.Team.engine, c.lists = e, &e.lists
	c.follow(team)
	return c
}

// follow has a clone hear of what the team changes until the test ends.
func (c *told) follow(team *memengine.Engine) {
	begun := make(chan struct{}, 1)
	go func() {
		_ = c.Follow(c.t.Context(), func() {
			select {
			case begun <- struct{}{}:
			default:
			}
		})
	}()
	<-begun
	c.caught = func() {
		_, at, err := team.ListAt(c.t.Context(), "")
		require.NoError(c.t, err)
		require.Eventually(c.t, func() bool {
			c.follower.mu.Lock()
			defer c.follower.mu.Unlock()
			return !isLater(at, c.follower.revision)
		}, time.Minute, time.Millisecond)
	}
}

// Whatever several clones do, and however late a round is told of it: once all is told and exchanged, a look
// at all finds nothing to do, and all say the same.
func TestRestingRoundsMissNothing(t *testing.T) {
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			restAndConverge(t, rand.New(rand.NewPCG(seed, 5)), seed%2 == 0)
		})
	}
}

func restAndConverge(t *testing.T, r *rand.Rand, tells bool) {
	var team memengine.Engine
	var clones []*told
	for n := range 2 + r.IntN(2) {
		clones = append(clones, joinTold(t, &team, fmt.Sprint("c", n), tells))
	}
	for range 60 {
		c := clones[r.IntN(len(clones))]
		if r.IntN(3) == 0 {
			c.act(r)
		}
		if r.IntN(2) == 0 {
			c.watch()
		}
		c.SetDelayPushes(r.IntN(4) == 0)
		c.round()
	}
	for range 4 {
		for _, c := range clones {
			c.SetDelayPushes(false)
			c.watch()
			c.caught()
			c.round()
		}
	}
	for _, c := range clones {
		assert.LessOrEqual(t, *c.lists, 3, "it is told of almost all")
		c.keepOrClose(false) // the next round knows nothing
		p := c.round().Plans
		assert.Empty(t, slices.Concat(p.Pushed, p.ToSend, p.Pulled, p.PutBack, p.SetAside, p.Marked), "%s has come to rest", c.Team.clone)
		c.watch()
		assert.Equal(t, clones[0].seen, c.seen)
	}
}

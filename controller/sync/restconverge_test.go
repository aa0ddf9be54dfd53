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
	"github.com/idumb-dev/idumb/controller/sync/engine/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// inMemory is an engine in memory that knows whether the team's state is what it was, for one clone.
type inMemory struct {
	*memengine.Engine
	listed *string
	rested int // rounds that read nothing of the state
}

func (e *inMemory) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, err := e.Engine.List(ctx, prefix)
	if state, _ := apart(items); prefix == "" {
		e.listed = &state
	}
	return items, err
}

// apart names the state among items, and returns the others.
func apart(items []engine.Item) (state string, others []engine.Item) {
	for _, item := range items {
		if strings.HasPrefix(item.Key, "state/") {
			state += item.Key + " " + item.Rev + "\n"
		} else {
			others = append(others, item)
		}
	}
	return state, others
}

func (e *inMemory) Listed() (string, bool) {
	if e.listed == nil {
		return "", false
	}
	return *e.listed, true
}

func (e *inMemory) Beside(ctx context.Context, state string) ([]engine.Item, bool, error) {
	items, err := e.Engine.List(ctx, "")
	now, others := apart(items)
	if now == state {
		e.rested++
	}
	return others, now == state, err
}

// told is a clone whose rounds hear of each change of a file, as they do in a controller: some time after.
type told struct {
	*machine
	way     *inMemory
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
		text := c.file(name)
		require.NoError(c.t, os.WriteFile(c.path(name), []byte(strings.Replace(text, `"title":"`, `"title":"`+next, 1)), 0o600))
	default:
		c.task(name, resources.TaskPlanned)
	}
}

// Whatever several clones do, and however late a round is told of it: once all is told and exchanged, a look
// at all finds nothing to do, and all say the same.
func TestRestingRoundsMissNothing(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			restAndConverge(t, rand.New(rand.NewPCG(seed, 5)))
		})
	}
}

func restAndConverge(t *testing.T, r *rand.Rand) {
	var team memengine.Engine
	var clones []*told
	rested := 0
	for n := range 2 + r.IntN(2) {
		e := &inMemory{Engine: &team}
		m, _ := sharing(t, e, fmt.Sprint("c", n))
		m.Team.engine = e
		clones = append(clones, &told{m, e, map[string]string{}, map[resources.Key]string{}})
	}
	for range 60 {
		c := clones[r.IntN(len(clones))]
		if r.IntN(3) == 0 {
			c.act(r)
		}
		if r.IntN(2) == 0 {
			c.watch()
		}
		c.Later(r.IntN(4) == 0)
		c.round()
	}
	for range 4 {
		for _, c := range clones {
			c.Later(false)
			c.watch()
			c.round()
		}
	}
	for _, c := range clones {
		rested += c.way.rested
		c.Changed(map[resources.Key]string{{Kind: resources.Tasks, Name: "any"}: "1"})
		p := c.round().Plans
		assert.Empty(t, slices.Concat(p.Sent, p.ToSend, p.Taken, p.PutBack, p.SetAside, p.Marked), "%s has come to rest", c.Team.clone)
		c.watch()
		assert.Equal(t, clones[0].seen, c.seen)
	}
	assert.NotZero(t, rested)
}

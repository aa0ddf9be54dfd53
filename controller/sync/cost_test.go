package sync

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/gitengine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// cost is what a round reads.
type cost struct {
	files, items, gits int
}

// meter is a git engine that counts what it hands out.
type meter struct {
	*gitengine.Engine
	items int
}

func (m *meter) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	items, at, err := m.Engine.ListAt(ctx, prefix)
	m.items += len(items)
	return items, at, err
}

func (m *meter) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := m.ListAt(ctx, prefix)
	return items, err
}

func (m *meter) Since(ctx context.Context, at string) (beside, changed []engine.Item, now string, err error) {
	beside, changed, now, err = m.Engine.Since(ctx, at)
	m.items += len(beside) + len(changed)
	return beside, changed, now, err
}

// costs are those of a round that looks at all, of one after a change here, of one after the team's ref moved,
// and of one after nothing, in a clone with so many objects.
func costs(t *testing.T, objects int) (all, here, there, none cost) {
	trace := filepath.Join(t.TempDir(), "trace")
	t.Setenv("GIT_TRACE2", trace)
	hub := bare(t)
	a, files := sharingByGit(t, hub, "a")
	b, _ := sharingByGit(t, hub, "b")
	way := &meter{Engine: a.Team.engine.(*gitengine.Engine)}
	a.Team.engine = way
	for n := range objects {
		a.task(fmt.Sprint("t", n), resources.TaskPlanned)
	}
	a.round()
	b.round()
	round := func(changed map[resources.Key]string) cost {
		files.reads, way.items = 0, 0
		require.NoError(t, os.WriteFile(trace, nil, 0o600))
		a.Changed(changed)
		_, err := a.Round(t.Context(), noon)
		require.NoError(t, err)
		text, err := os.ReadFile(trace)
		require.NoError(t, err)
		return cost{files.reads, way.items, strings.Count(string(text), " start ")}
	}
	all = round(nil)
	a.task("t1", resources.TaskFailed)
	here = round(map[resources.Key]string{{Kind: resources.Tasks, Name: "t1"}: "1"})
	b.round()
	b.task("t2", resources.TaskFailed)
	b.round()
	there = round(nil)
	assert.Equal(t, b.file("t2"), a.file("t2"))
	none = round(nil)
	return all, here, there, none
}

// A round costs what changed, however many objects there are. What is counted is the same on every machine.
func TestARoundCostsWhatChanged(t *testing.T) {
	_, fewHere, fewThere, fewNone := costs(t, 10)
	all, here, there, none := costs(t, 500)
	t.Logf("files, items, runs of git: of all %v, a change here %v, a moved ref %v, nothing %v", all, here, there, none)
	assert.GreaterOrEqual(t, all.items, 1000, "each has its name beside it")
	assert.Equal(t, []cost{fewHere, fewThere, fewNone}, []cost{here, there, none})
	assert.LessOrEqual(t, here.files, 3, "it is noted, sent and agreed on")
	assert.Equal(t, 1, here.items, "the team has what was sent")
	assert.LessOrEqual(t, there.files, 1)
	assert.Equal(t, 1, there.items)
	assert.Zero(t, none.files+none.items)
	assert.Equal(t, 2, none.gits, "the remote is asked where it stands: ls-remote and upload-pack")
}

// Where an engine tells of changes, a round asks it for nothing, and each change is made by itself.
func TestARoundOfWhatIsTold(t *testing.T) {
	t.Parallel()
	var team memengine.Engine
	a, b := joinTold(t, &team, "a", true), joinTold(t, &team, "b", true)
	const objects = 100
	for n := range objects {
		a.task(fmt.Sprint("t", n), resources.TaskPlanned)
	}
	exchange := func(c *told) *Report {
		c.watch()
		c.caught()
		r := c.round()
		return &r
	}
	assert.Len(t, exchange(a).Plans.Pushed, objects)
	assert.Len(t, exchange(b).Plans.Pulled, objects)
	for range 3 {
		exchange(a)
		exchange(b)
	}
	lists := *a.lists + *b.lists
	for n := range objects {
		a.task(fmt.Sprint("t", n), resources.TaskFailed)
		assert.Len(t, exchange(a).Plans.Pushed, 1)
		assert.Len(t, exchange(b).Plans.Pulled, 1)
	}
	assert.Equal(t, lists, *a.lists+*b.lists)
	assert.Equal(t, objects, exchange(b).Plans.Team)
}

// Who listed all and follows then need not list again: what changed since is told.
func TestWhoFollowsKnowsWhatWasListed(t *testing.T) {
	t.Parallel()
	var team memengine.Engine
	m, _ := sharing(t, &team, "a")
	way := &watched{Watcher: &team, strict: &team}
	m.Team.engine = way
	m.Changed(nil)
	round := func() Report {
		r, err := m.Round(t.Context(), noon)
		require.NoError(t, err)
		return r
	}
	m.task("login", resources.TaskPlanned)
	assert.Len(t, round().Plans.Pushed, 1)
	lists := way.lists
	b, _ := sharing(t, &team, "b")
	b.round()
	b.task("login", resources.TaskFailed)
	b.round()
	c := &told{machine: m}
	c.follow(&team)
	c.caught()
	assert.Len(t, round().Plans.Pulled, 1)
	assert.Equal(t, lists, way.lists)
}

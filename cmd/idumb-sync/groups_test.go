package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdengine"
	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// metered is an etcd, and how many keys were read of it.
type metered struct {
	*etcdengine.Engine
	keys *atomic.Int64
}

type meteredPart struct {
	engine.Part
	keys *atomic.Int64
}

func (c metered) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, err := c.Engine.List(ctx, prefix)
	c.keys.Add(int64(len(items)))
	return items, err
}

func (c metered) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	items, at, err := c.Engine.ListAt(ctx, prefix)
	c.keys.Add(int64(len(items)))
	return items, at, err
}

func (c metered) Part(prefixes ...string) engine.Part {
	return meteredPart{c.Engine.Part(prefixes...), c.keys}
}

func (c meteredPart) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	items, at, err := c.Part.ListAt(ctx, prefix)
	c.keys.Add(int64(len(items)))
	return items, at, err
}

type noClaims struct{}

func (noClaims) Ops([]engine.Item) (map[string][]engine.Op, error) { return nil, nil }
func (noClaims) RecordClaims(resources.Key)                        {}

func packed(text string) []byte { return []byte("{\"v\":1,\"by\":\"x\"}\n" + text) }

const taskText = `{"spec": {"workPlan": %q, "title": "T", "expectedOutput": "x"}}`

// manyPlans has a team with plans, of which some are active, and tasks in each.
func manyPlans(t *testing.T, e engine.Engine, plans, active, tasks int) {
	for p := range plans {
		plan, state := fmt.Sprintf("p%d", p), "completed"
		if p < active {
			state = "active"
		}
		ops := []engine.Op{{Key: "state/o/workplans/_/" + plan, Value: packed(`{"spec": {"title": "P", "state": "` + state + `"}}`)}}
		for n := range tasks {
			name := fmt.Sprintf("t%d-%d", p, n)
			ops = append(ops, engine.Op{Key: "state/o/tasks/" + plan + "/" + name, Value: packed(fmt.Sprintf(taskText, plan))}, engine.Op{Key: "state/n/tasks/" + name, Value: []byte(plan)})
		}
		require.NoError(t, e.Txn(t.Context(), ops...))
	}
}

// A clone that follows ten plans of a thousand reads the plans, and the tasks of ten.
func TestTenPlansOfAThousand(t *testing.T) {
	const all, active, tasks = 1000, 10, 20
	server := etcdtest.Start(t, nil)
	e, err := etcdengine.New(server.Client(t), "acme", "shop", nil)
	require.NoError(t, err)
	manyPlans(t, e, all, active, tasks)
	f, keys := newFolder(t), new(atomic.Int64)
	x, err := exchange.Open(t.TempDir(), f.store, "me")
	require.NoError(t, err)
	defer x.Close()
	x.Follows = &exchange.Subscription{Active: true}
	r, err := x.Round(t.Context(), metered{e, keys}, noClaims{})
	require.NoError(t, err)
	assert.Len(t, r.Pulled, all+active*tasks)
	assert.EqualValues(t, all+active*tasks, keys.Load(), "keys read of %d", all*(1+2*tasks))

	require.NoError(t, os.WriteFile(f.file("new"), fmt.Appendf(nil, taskText, "p999"), 0o600))
	keys.Store(0)
	r, err = x.Round(t.Context(), metered{e, keys}, noClaims{})
	require.NoError(t, err)
	assert.Len(t, r.Pushed, 1, "what is typed here is sent")
	assert.LessOrEqual(t, keys.Load(), int64(2*(all+active*tasks)+8), "it is asked for by name")
}

// plan is a person who writes a plan.
func (o office) plan(name, state string) {
	file := o.root.Abs(layout.Path(resources.Key{Kind: resources.WorkPlans, Name: name}))
	require.NoError(o.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(o.t, os.WriteFile(file, []byte(`{"spec": {"title": "`+name+`", "state": "`+state+`"}}`), 0o600))
}

func (o office) in(plan, name, title string) {
	text := fmt.Sprintf(`{"spec": {"workPlan": %q, "title": %q, "expectedOutput": "x"}}`, plan, title)
	require.NoError(o.t, os.WriteFile(o.file(name), []byte(text), 0o600))
}

// One of two clones unsubscribes: what the other one does stays there, until it is followed again, also while it
// is told of changes.
func TestOneUnsubscribes(t *testing.T) {
	server := etcdtest.Start(t, nil)
	a, b := newOffice(t, server.URL, "shop", "a"), newOffice(t, server.URL, "shop", "b")
	a.plan("q", "active")
	a.in("q", "login", "T0")
	a.in("p", "other", "T0")
	etcdtest.Eventually(t, func() error { _, err := a.Round(t.Context(), time.Now()); return err })
	b.round()
	require.False(t, b.has("login", "T0"), "the config says p")
	require.NoError(t, b.Choose("q", true))
	b.round()
	require.True(t, b.has("login", "T0"))

	follows(t, b)
	until := func(task, title string) {
		for began := time.Now(); !b.has(task, title); time.Sleep(time.Millisecond) {
			require.Less(t, time.Since(began), time.Minute, "%s is not %s", task, title)
		}
	}
	a.in("q", "login", "T1")
	a.round()
	until("login", "T1")
	require.NoError(t, b.Choose("q", false))
	a.in("q", "login", "T2")
	a.in("p", "other", "T2")
	a.round()
	until("other", "T2")
	b.round()
	assert.True(t, b.has("login", "T1"), "it rests")

	require.NoError(t, b.Choose("q", true))
	b.round()
	until("login", "T2")
	for n := range 20 {
		a.in("q", "login", fmt.Sprintf("again %d", n))
		a.round()
		until("login", fmt.Sprintf("again %d", n))
	}
	a.in("q", "new", "T")
	a.round()
	until("new", "T")
}

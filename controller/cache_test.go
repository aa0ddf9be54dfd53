package controller

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// made decodes a spec into the cache.
func made(t testing.TB, key resources.Key, spec string) resources.Object {
	t.Helper()
	o, _, err := resources.Read(key, []byte(`{"spec": `+spec+`}`))
	require.NoError(t, err)
	return o
}

func TestIndexes(t *testing.T) {
	mem := func(name string) resources.Key { return resources.Key{Kind: resources.Mems, Name: name} }
	plan := func(name string) resources.Key { return resources.Key{Kind: resources.WorkPlans, Name: name} }
	anchor := resources.Key{Kind: resources.Anchors, Name: "an"}
	c := newCache()
	for _, o := range []resources.Object{
		made(t, plan("p"), `{"title": "P", "acceptance": ["x"], "dependsOn": ["q"]}`),
		made(t, taskKey("a"), `{"workPlan": "p", "expectedOutput": "x", "state": "active", "parent": "root"}`),
		made(t, taskKey("b"), `{"workPlan": "p", "expectedOutput": "x", "dependsOn": ["a", "c"], "temporalGate": {"after": "d"}}`),
		made(t, mem("m"), `{"content": "x", "supersedes": "old", "parent": "base", "originTask": "a"}`),
		made(t, anchor, `{"content": "x", "source": {"file": "src/x.go", "task": "a"}}`),
	} {
		c.update(o.Key(), func(e *entry) { e.object = o })
	}
	for _, test := range []struct {
		index, value string
		want         []resources.Key
	}{
		{graph.IndexDependsOn, "tasks/a", []resources.Key{taskKey("b")}},
		{graph.IndexDependsOn, "tasks/d", []resources.Key{taskKey("b")}},
		{graph.IndexDependsOn, "workplans/q", []resources.Key{plan("p")}},
		{graph.IndexPlan, "p", []resources.Key{taskKey("a"), taskKey("b")}},
		{graph.IndexState, "active", []resources.Key{taskKey("a")}},
		{graph.IndexState, "planned", []resources.Key{taskKey("b")}},
		{graph.IndexState, "draft", []resources.Key{plan("p")}},
		{graph.IndexParent, "tasks/root", []resources.Key{taskKey("a")}},
		{graph.IndexParent, "mems/base", []resources.Key{mem("m")}},
		{graph.IndexSupersedes, "old", []resources.Key{mem("m")}},
		{graph.IndexSource, "src/x.go", []resources.Key{anchor}},
		{graph.IndexRefers, "tasks/a", []resources.Key{anchor, mem("m"), taskKey("b")}},
		{graph.IndexRefers, "tasks/d", []resources.Key{taskKey("b")}},
		{graph.IndexRefers, "workplans/p", []resources.Key{taskKey("a"), taskKey("b")}},
		{indexKind, resources.Tasks, []resources.Key{taskKey("a"), taskKey("b")}},
		{indexReady, readyValue("p", 3), nil},
		{"no such index", "p", nil},
	} {
		assert.Equal(t, test.want, c.lookup(test.index, test.value), "%s %q", test.index, test.value)
		assert.Equal(t, len(test.want), c.size(test.index, test.value), "%s %q", test.index, test.value)
	}
	for _, key := range c.keys() {
		c.update(key, func(e *entry) { *e = entry{} })
	}
	assert.Empty(t, c.entries)
	for name, values := range c.indexes {
		assert.Empty(t, values, name)
	}
	assert.Empty(t, c.phases)
}

// TestIndexesAreAsIfBuiltAfresh changes a cache at random and compares it with one
// that is filled with the same entries once.
func TestIndexesAreAsIfBuiltAfresh(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := newCache()
		for range 300 {
			n := r.IntN(12)
			key := taskKey(fmt.Sprint("t", n))
			switch r.IntN(5) {
			case 0:
				c.update(key, func(e *entry) { e.object, e.rejected = nil, false })
			case 1:
				phase := []string{"", "planned", "blocked", "completed"}[r.IntN(4)]
				c.update(key, func(e *entry) { e.observed = observed{[]byte("{}"), phase, phase == "planned"} })
			case 2:
				c.update(key, func(e *entry) { e.rejected = r.IntN(2) == 0 })
			case 3:
				c.update(key, func(e *entry) { e.observed = observed{} })
			default:
				o := made(t, key, fmt.Sprintf(`{"workPlan": "p%d", "expectedOutput": "x", "state": %q, "dependsOn": ["t%d", "t%d"]}`,
					r.IntN(3), []string{"planned", "active", "completed"}[r.IntN(3)], (n+1+r.IntN(11))%12, 12+r.IntN(3)))
				c.update(key, func(e *entry) { e.object = o })
			}
			live := reader{cache: c}
			for _, ready := range live.PlanReady("p1", resources.PriorityRank("")) {
				require.Equal(t, status.CountUnblocked(ready.Task.Metadata.Name, graph.Wide{Graph: graph.New(live, nil, time.Time{})}), ready.Unblocks, "seed %d", seed)
			}
		}
		fresh := newCache()
		for key, e := range c.entries {
			fresh.update(key, func(f *entry) { *f = *e })
		}
		require.Equal(t, flat(fresh), flat(c), "seed %d", seed)
		require.Equal(t, fresh.phases, c.phases, "seed %d", seed)
	}
}

// A task unblocks only tasks that still wait for it.
func TestUnblocksFollowsEndedTasks(t *testing.T) {
	c := newCache()
	put := func(name, spec string) {
		o := made(t, taskKey(name), `{"workPlan": "p", "expectedOutput": "x", `+spec+`}`)
		c.update(o.Key(), func(e *entry) { e.object, e.observed = o, observed{[]byte("{}"), "planned", name == "first"} })
	}
	put("first", `"state": "planned"`)
	for _, step := range []struct {
		state    string
		unblocks int
	}{{"planned", 1}, {"completed", 0}, {"planned", 1}, {"abandoned", 0}} {
		put("second", `"dependsOn": ["first"], "state": "`+step.state+`"`)
		ready := reader{cache: c}.PlanReady("p", resources.PriorityRank(""))
		require.Len(t, ready, 1)
		assert.Equal(t, step.unblocks, ready[0].Unblocks, step.state)
	}
}

// flat lists every set of every index.
func flat(c *cache) map[string][]resources.Key {
	sets := map[string][]resources.Key{}
	for index, values := range c.indexes {
		for value, set := range values {
			sets[index+" "+value] = set.keys()
		}
	}
	return sets
}

func TestSortedSetIsASortedSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var set sortedSet
	want := map[resources.Key]bool{}
	for round := range 20_000 {
		key := taskKey(fmt.Sprintf("t%04d", r.IntN(2000)))
		e := &entry{key: key}
		if growing := round < 10_000; r.IntN(3) > 0 == growing {
			set = set.add(e)
			want[key] = true
		} else {
			set = set.remove(e)
			delete(want, key)
		}
		require.Equal(t, len(want), len(set))
	}
	keys := set.keys()
	assert.True(t, slices.IsSortedFunc(keys, resources.Key.Compare))
	assert.Len(t, keys, len(want))
	for _, key := range keys {
		assert.True(t, want[key])
		set = set.remove(&entry{key: key})
	}
	assert.Empty(t, set)
}

// What a view returned stays as it was.
func TestPlanCountsAreASnapshot(t *testing.T) {
	c := newCache()
	o := made(t, taskKey("a"), `{"workPlan": "p", "expectedOutput": "x"}`)
	c.update(taskKey("a"), func(e *entry) { e.object = o })
	before := c.planCounts("p")
	c.update(taskKey("a"), func(e *entry) { e.observed = readStatus([]byte("{\n  \"phase\": \"planned\"\n}\n")) })
	assert.Equal(t, map[string]int{"": 1}, before)
	assert.Equal(t, map[string]int{"planned": 1}, c.planCounts("p"))
}

func TestSettingsFollowTheConfig(t *testing.T) {
	c := newCache()
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	assert.Equal(t, "enforce", c.config().Mode)
	o := made(t, key, `{"mode": "log"}`)
	c.update(key, func(e *entry) { e.object = o })
	assert.Equal(t, "log", c.config().Mode)
	assert.Equal(t, "48h", c.config().AnchorStaleAfter)
	c.update(key, func(e *entry) { e.object = nil })
	assert.Equal(t, "enforce", c.config().Mode)
}

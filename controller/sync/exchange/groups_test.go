package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// parted is a way to an engine that lists by groups, and counts what it hands out.
type parted struct {
	*way
	whole *memengine.Engine
	read  *int
}

// partOf is a part of it: changes are cut off as those of the whole are.
type partOf struct {
	engine.Part
	way  *way
	read *int
}

func (p parted) count(items []engine.Item) []engine.Item {
	*p.read += len(items)
	return items
}

func (p parted) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, err := p.whole.List(ctx, prefix)
	return p.count(items), err
}

func (p parted) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	items, at, err := p.whole.ListAt(ctx, prefix)
	return p.count(items), at, err
}

func (p parted) Watch(ctx context.Context, prefix, after string, f func([]engine.Item, string)) error {
	return p.whole.Watch(ctx, prefix, after, f)
}

func (p parted) Part(prefixes ...string) engine.Part {
	return partOf{p.whole.Part(prefixes...), p.way, p.read}
}

func (p partOf) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	items, at, err := p.Part.ListAt(ctx, prefix)
	*p.read += len(items)
	return items, at, err
}

func (p partOf) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := p.way.cut(func() (string, error) { return "", p.Part.Txn(ctx, ops...) })
	return err
}

func (p partOf) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (string, error) {
	return p.way.cut(func() (string, error) { return p.Part.TxnAsOf(ctx, at, ops...) })
}

func (p partOf) MostOps() int { return p.way.MostOps() }

// follower is a clone that follows a part: by is its engine, which lists by groups or as a whole.
type follower struct {
	*clone
	sub      *Subscription
	byGroups bool
	read     int
}

func follow(t *testing.T, team *memengine.Engine, name string, byGroups bool, sub Subscription) *follower {
	f := &follower{clone: join(t, team, name), sub: &sub, byGroups: byGroups}
	f.begin()
	return f
}

// begin is open, with what is followed.
func (f *follower) begin() {
	f.open()
	f.x.Follows = f.sub
}

func (f *follower) round() (Report, error) {
	f.x.Changed(f.touched)
	f.touched = map[resources.Key]string{}
	if f.byGroups {
		return f.x.Round(f.t.Context(), parted{f.way, f.team, &f.read}, nothing{})
	}
	return f.x.Round(f.t.Context(), f.way, nothing{})
}

func (f *follower) must() Report {
	r, err := f.round()
	require.NoError(f.t, err)
	return r
}

func (f *follower) plan(name, state string) {
	f.write(resources.Key{Kind: resources.WorkPlans, Name: name}, `{"spec": {"title": "P", "state": "`+state+`"}}`)
}

func (f *follower) task(name, plan string, after ...string) {
	waits, _ := json.Marshal(after)
	f.write(task(name), fmt.Sprintf(`{"spec": {"workPlan": %q, "title": "T", "expectedOutput": "x", "dependsOn": %s}}`, plan, waits))
}

func eachWay(t *testing.T, f func(t *testing.T, byGroups bool)) {
	for name, byGroups := range map[string]bool{"whole": false, "groups": true} {
		t.Run(name, func(t *testing.T) { f(t, byGroups) })
	}
}

// Of a plan that is not followed nothing comes, nothing is taken for removed, and what is typed here goes up.
func TestWhatIsNotFollowedIsUnknown(t *testing.T) {
	eachWay(t, func(t *testing.T, byGroups bool) {
		var team memengine.Engine
		a := follow(t, &team, "a", byGroups, Subscription{All: true})
		a.plan("open", "active")
		a.plan("done", "completed")
		a.task("t", "open", "old")
		a.task("old", "done", "older")
		a.task("older", "done")
		a.must()

		b := follow(t, &team, "b", byGroups, Subscription{Active: true})
		r := b.must()
		assert.NotEmpty(t, b.text(task("t")))
		assert.NotEmpty(t, b.text(task("old")), "what t waits for comes by name")
		assert.Empty(t, b.text(task("older")), "its plan is over")
		assert.Equal(t, 1, r.Plans)
		assert.Zero(t, r.NotFollowed)

		b.task("older", "done", "x") // somebody made one of that name here
		b.begin()
		r = b.must()
		assert.Equal(t, []resources.Key{task("older")}, r.Marked, "both are kept")
		b.task("new", "done")
		b.begin()
		r = b.must()
		assert.Equal(t, []resources.Key{task("new")}, r.Pushed, "what is typed here is sent")
		a.begin()
		a.must()
		assert.NotEmpty(t, a.text(task("new")))

		b.edit(task("t"), `"T"`, `"from b"`)
		b.sub.Not = []string{"open"}
		b.begin()
		assert.Len(t, b.must().Pushed, 1, "also of a plan that is followed no more")
		b.begin()
		r = b.must()
		assert.Empty(t, r.Pushed)
		assert.Positive(t, r.NotFollowed, "the file stays")
		b.remove(task("t"))
		b.begin()
		r = b.must()
		assert.Empty(t, r.Pushed, "absence is no deletion")
		assert.Empty(t, r.PutBack)
		a.begin()
		a.must()
		assert.Contains(t, a.text(task("t")), "from b")

		b.sub.Not = nil
		b.begin()
		b.must()
		assert.Contains(t, b.text(task("t")), "from b", "it is followed again")
	})
}

func (f *follower) text(key resources.Key) string { return f.clone.read(key) }

// Of a plan that becomes followed while an exchange goes on, all there is comes.
func TestAPlanThatBecomesActive(t *testing.T) {
	eachWay(t, func(t *testing.T, byGroups bool) {
		var team memengine.Engine
		a := follow(t, &team, "a", byGroups, Subscription{All: true})
		a.plan("p", "completed")
		a.task("t", "p")
		a.must()
		b := follow(t, &team, "b", byGroups, Subscription{Active: true})
		b.tells = true
		b.begin()
		b.must()
		assert.Empty(t, b.text(task("t")))
		a.plan("p", "active")
		a.begin()
		a.must()
		b.must()
		assert.NotEmpty(t, b.text(task("t")))
		a.edit(task("t"), `"T"`, `"changed"`)
		a.plan("p", "abandoned")
		a.begin()
		a.must()
		b.must()
		a.edit(task("t"), `"changed"`, `"again"`)
		a.begin()
		a.must()
		r := b.must()
		assert.NotContains(t, b.text(task("t")), "again")
		assert.Zero(t, len(r.Pulled))
	})
}

// A task may be archived, or go to another plan, by somebody who does not follow where it goes.
func TestWhatLeavesAFollowedPlan(t *testing.T) {
	eachWay(t, func(t *testing.T, byGroups bool) {
		var team memengine.Engine
		a := follow(t, &team, "a", byGroups, Subscription{All: true})
		a.plan("p", "active")
		a.plan("q", "active")
		for _, name := range []string{"moves", "goes"} {
			a.task(name, "p")
		}
		a.must()
		b := follow(t, &team, "b", byGroups, Subscription{Plans: []string{"p"}})
		b.must()
		a.edit(task("moves"), `"p"`, `"q"`)
		require.NoError(t, a.store.Archive(t.Context(), task("goes"), hashOf(a.text(task("goes")))))
		a.begin()
		a.must()
		a.must()
		b.begin()
		b.must()
		assert.Empty(t, b.text(task("goes")))
		assert.NotContains(t, b.text(task("moves")), `"old"`)
		b.edit(task("moves"), `"T"`, `"from b"`)
		b.begin()
		b.must()
		a.begin()
		a.must()
		assert.Contains(t, a.text(task("moves")), "from b")
		assert.Contains(t, a.text(task("moves")), `"q"`)
		items, err := team.List(t.Context(), names)
		require.NoError(t, err)
		assert.Len(t, items, 1, "the name of what was set aside is free")
	})
}

// Ten plans of a thousand cost ten plans.
func TestOnlyFollowedPlansAreRead(t *testing.T) {
	const many, each = 1000, 3
	var team memengine.Engine
	var ops []engine.Op
	for p := range many {
		plan := fmt.Sprintf("p%d", p)
		state := "completed"
		if p < 10 {
			state = "active"
		}
		ops = append(ops, engine.Op{Key: engineKey(objects, resources.Key{Kind: resources.WorkPlans, Name: plan}, ungrouped), Value: pack("x", time.Unix(0, 0), []byte(`{"spec": {"title": "P", "state": "`+state+`"}}`))})
		for n := range each {
			key := task(fmt.Sprintf("t%d-%d", p, n))
			ops = append(ops, engine.Op{Key: engineKey(objects, key, plan), Value: pack("x", time.Unix(0, 0), []byte(strings.Replace(plain, `"p"`, `"`+plan+`"`, 1)))},
				engine.Op{Key: nameKey(key), Value: []byte(plan)})
		}
	}
	require.NoError(t, team.Txn(t.Context(), ops...))
	b := follow(t, &team, "b", true, Subscription{Active: true})
	r := b.must()
	assert.Equal(t, many+10*each, r.Team)
	assert.Equal(t, many+10*each, b.read, "each plan, and the tasks of ten")
	assert.Len(t, r.Pulled, many+10*each)
}

// Whatever is followed when, and edited meanwhile, nothing is lost, nothing is taken for removed, and in the end,
// when all follow all, they and the team say the same.
func TestTheyConvergeWithGroups(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 8
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			convergeWithGroups(t, seed)
		})
	}
}

// A grouped history has its tasks in three plans; it is history's but for where tasks are, and who follows them.
type grouping struct {
	history
	clones []*follower
}

func (g *grouping) act() {
	f := g.clones[g.r.IntN(len(g.clones))]
	n := g.r.IntN(6)
	key := task(fmt.Sprintf("t%d", n))
	switch text := f.text(key); {
	case text == "" && g.r.IntN(2) == 0 && f.x.base.entries[key] == nil:
		f.write(key, fmt.Sprintf(`{"spec": {"workPlan": "p%d", "expectedOutput": "x", "title": %q}}`, g.r.IntN(3), g.value()))
		require.NoError(f.t, f.x.Remember(f.t.Context()))
	case text == "":
	case g.r.IntN(12) == 0:
		f.remove(key)
	case g.r.IntN(8) == 0: // it goes to another plan
		object := g.parse(f.clone, text)
		object["spec"].(map[string]any)["workPlan"] = fmt.Sprintf("p%d", g.r.IntN(3))
		g.save(f.clone, key, object)
	case g.r.IntN(3) == 0: // it waits for another one
		object := g.parse(f.clone, text)
		object["spec"].(map[string]any)["dependsOn"] = []string{fmt.Sprintf("t%d", (n+1+g.r.IntN(5))%6)} // not for itself
		g.save(f.clone, key, object)
	default:
		g.setField(f.clone, key, text)
	}
}

func convergeWithGroups(t *testing.T, seed uint64) {
	var team memengine.Engine
	g := &grouping{history: history{r: rand.New(rand.NewPCG(seed, 23)), written: map[string]bool{}}}
	for n := range 3 {
		f := follow(t, &team, fmt.Sprintf("c%d", n), seed%3 != 0, Subscription{})
		f.tells = seed%2 == 1
		f.begin()
		f.way.before = func() bool { return g.r.IntN(10) == 0 }
		f.way.after = func() bool { return g.r.IntN(10) == 0 }
		g.clones = append(g.clones, f)
	}
	for p := range 3 {
		g.clones[0].plan(fmt.Sprintf("p%d", p), "active")
	}
	for range 80 {
		for range g.r.IntN(4) {
			g.act()
		}
		f := g.clones[g.r.IntN(len(g.clones))]
		if g.r.IntN(4) == 0 {
			*f.sub = Subscription{Active: g.r.IntN(3) == 0, Plans: []string{fmt.Sprintf("p%d", g.r.IntN(3))}, Not: []string{fmt.Sprintf("p%d", g.r.IntN(5))}}
		}
		if g.r.IntN(5) == 0 {
			f.begin()
		}
		if _, err := f.round(); err != nil {
			require.ErrorIs(t, err, errCut)
		}
	}
	for _, f := range g.clones {
		f.way.before, f.way.after, *f.sub = never, never, Subscription{All: true}
		f.begin()
	}
	for range 3 {
		for _, f := range g.clones {
			f.must()
		}
	}
	aside, err := team.List(t.Context(), archived)
	require.NoError(t, err)
	assert.Empty(t, aside, "nobody asked for anything to go")
	found := ""
	state := map[resources.Key]string{}
	items, err := team.List(t.Context(), objects)
	require.NoError(t, err)
	for _, item := range items {
		_, text, err := unpack(item.Value)
		require.NoError(t, err)
		_, key, _ := placeOf(item.Key)
		require.Empty(t, state[key], "%s stands twice", key)
		state[key] = string(text)
		found += string(text)
	}
	for _, f := range g.clones {
		f.begin()
		r := f.must()
		assert.Empty(t, slices.Concat(r.Pushed, r.Pulled, r.PutBack, r.Marked), "%s has come to rest", f.name)
		for n := range 6 {
			key := task(fmt.Sprintf("t%d", n))
			if !slices.ContainsFunc(r.NotPushed, func(h NotPushed) bool { return h.Key == key }) {
				assert.Equal(t, state[key], f.text(key), "%s: %s", f.name, key)
			}
		}
		for n := range 6 {
			found += f.text(task(fmt.Sprintf("t%d", n)))
		}
		for _, m := range f.marks() {
			found += m.Ours
		}
	}
	for value := range g.written {
		assert.True(t, strings.Contains(found, `"`+value+`"`), "%s was lost", value)
	}
}

// A plan that a followed one waits for is followed as well: whether it is done is up to all of its tasks. One that is
// not followed is not called completed by a part of them.
func TestPlansThatAreWaitedFor(t *testing.T) {
	eachWay(t, func(t *testing.T, byGroups bool) {
		var team memengine.Engine
		a := follow(t, &team, "a", byGroups, Subscription{All: true})
		a.plan("first", "active")
		a.plan("apart", "active")
		a.task("f", "first")
		a.task("x", "apart")
		a.write(resources.Key{Kind: resources.WorkPlans, Name: "second"}, `{"spec": {"title": "P", "state": "active", "dependsOn": ["first"]}}`)
		a.must()
		b := follow(t, &team, "b", byGroups, Subscription{Plans: []string{"second"}})
		r := b.must()
		assert.NotEmpty(t, b.text(task("f")))
		assert.Empty(t, b.text(task("x")))
		assert.Equal(t, 2, r.Plans)
		b.plan("apart", "completed")
		b.begin()
		r = b.must()
		require.Len(t, r.NotPushed, 1)
		assert.Contains(t, r.NotPushed[0].Reason, "idumb sync subscribe")
		b.sub.Plans = append(b.sub.Plans, "apart")
		b.begin()
		assert.Len(t, b.must().Pushed, 1)
	})
}

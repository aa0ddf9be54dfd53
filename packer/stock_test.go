package packer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// churned is a repository whose objects come, go and change.
type churned struct {
	t        *testing.T
	r        *rand.Rand
	objects  map[resources.Key]resources.Object
	input    graph.SnapshotInput
	statuses map[resources.Key]string // of the last snapshot
}

// change does something to a few objects.
func (c *churned) change() {
	for range c.r.IntN(4) {
		n := c.r.IntN(40)
		key := resources.Key{Kind: resources.Mems, Name: fmt.Sprintf("m-%04d", n)}
		switch c.r.IntN(5) {
		case 0:
			delete(c.objects, key)
		default:
			o := decoded(c.t, key.Kind, key.Name, randomSpec(c.r, n, 40))
			o.Source().Revision = fmt.Sprint(c.r.Uint64())
			c.objects[key] = o
		}
	}
	if c.r.IntN(3) == 0 {
		key := resources.Key{Kind: resources.Tasks, Name: []string{"login", "docs", "schema"}[c.r.IntN(3)]}
		if task, ok := c.objects[key].(*resources.Task); ok {
			other := resources.Clone(task).(*resources.Task)
			other.Spec.State = []string{resources.TaskActive, resources.TaskPlanned, resources.TaskFailed}[c.r.IntN(3)]
			other.Spec.PlanAhead = c.r.IntN(2) == 0
			c.objects[key] = other
		}
	}
	if c.r.IntN(6) == 0 {
		c.input.Now = c.input.Now.AddDate(0, 0, 20)
	}
}

// snapshot is what there is now. The stock is told, as a controller's reconciler is, of every
// object that is another one or has another status.
func (c *churned) snapshot(stock *Stock) *graph.Snapshot {
	c.input.Objects = nil
	for _, key := range slices.SortedFunc(maps.Keys(c.objects), resources.Key.Compare) {
		c.input.Objects = append(c.input.Objects, c.objects[key])
	}
	s := graph.NewSnapshot(c.input)
	before := c.statuses
	c.statuses = map[resources.Key]string{}
	for key, o := range c.objects {
		status, err := resources.EncodeStatus(s.Derived(key))
		require.NoError(c.t, err)
		if c.statuses[key] = fmt.Sprintf("%p %s", o, status); c.statuses[key] != before[key] {
			stock.Invalidate(key)
		}
		delete(before, key)
	}
	for key := range before {
		stock.Invalidate(key)
	}
	return s
}

// What is at hand changes nothing of a pack, whatever happens between one and the next.
func TestAStockChangesNothing(t *testing.T) {
	t.Parallel()
	recalled, shared, ahead := 0, 0, 0
	for seed := range uint64(30) {
		c := &churned{t: t, r: rand.New(rand.NewPCG(seed, 3)), objects: map[resources.Key]resources.Object{}, input: gathered(t)}
		for _, o := range c.input.Objects {
			c.objects[o.Key()] = o
		}
		sessions := map[string]*resources.Session{"": nil, "claude-1": decoded(t, resources.Sessions, "claude-1", `{"host": "claude", "activeTask": "docs"}`).(*resources.Session)}
		stock, previous := &Stock{}, map[string][]byte{}
		for range 30 {
			s := c.snapshot(stock)
			session, other := "", "claude-1"
			if c.r.IntN(2) == 0 {
				session, other = other, session
			}
			reader := Reader{Limit: 6000, Session: sessions[session], Previous: previous[session], Terse: true}
			want := Make(s, reader)
			reader.Stock = stock
			in := gather(s, reader)
			judge := stock.selections[in.sessionName()].judge
			for _, key := range s.List(resources.WorkPlans) {
				names := (&Stock{tasks: map[string]resources.TaskStatus{}, planTasks: map[sizedPlan][]string{}}).notablePlanTasks(key.Name, s)
				require.Equal(t, strings.Join(names, " "), strings.Join(stock.notablePlanTasks(key.Name, s), " "))
				ahead += len(names)
			}
			got := Build(in)
			require.Equal(t, string(want.Bytes), string(got.Bytes))
			require.Equal(t, want.Tokens, got.Tokens)
			previous[session] = got.Bytes
			switch now := stock.selections[in.sessionName()].judge; {
			case judge == now:
				recalled++
			case stock.selections[other].judge == now:
				shared++
			}
			if c.r.IntN(2) == 0 {
				c.change()
			}
		}
	}
	require.Positive(t, recalled)
	require.Positive(t, shared)
	require.Positive(t, ahead)
}

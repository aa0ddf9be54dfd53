package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// plainGraph is a Graph that has worked nothing out.
type plainGraph struct{ memory.Graph }

// What a snapshot has worked out about chains is what following each of them finds.
func TestChainsThatAreWorkedOutOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	circles, chains := 0, 0
	for range 3000 {
		s := graphtest.SnapshotOf(graphtest.RandomMems(r, 9)...)
		once := memory.Chained(plainGraph{s})
		for _, key := range s.List(resources.Mems) {
			m := s.Mem(key.Name)
			require.Equal(t, memory.InCycle(m, plainGraph{s}), memory.InCycle(m, s), key)
			require.Same(t, memory.Head(m, plainGraph{s}), memory.Head(m, s), key)
			require.Equal(t, memory.InCycle(m, plainGraph{s}), memory.InCycle(m, once), key)
			require.Same(t, memory.Head(m, plainGraph{s}), memory.Head(m, once), key)
			require.Equal(t, memory.Live(m, plainGraph{s}, s.Now()), memory.Live(m, once, s.Now()), key)
			if memory.InCycle(m, s) {
				circles++
			}
			if memory.Head(m, s) != m {
				chains++
			}
		}
	}
	assert.Positive(t, circles)
	assert.Positive(t, chains)
}

// A long chain is followed to its end without a walk for each mem: that one would take minutes.
func TestALongChainIsAssessed(t *testing.T) {
	const long = 20_000
	objects := make([]resources.Object, long)
	for i := range objects {
		spec := resources.MemSpec{Content: "c"}
		if i > 0 {
			spec.Supersedes = fmt.Sprintf("m-%05d", i-1)
		}
		objects[i] = graphtest.DaysOld(1, fmt.Sprintf("m-%05d", i), spec)
	}
	superseded := 0
	s := graphtest.SnapshotOf(objects...)
	for _, key := range s.List(resources.Mems) {
		if assessed, _ := memory.Assess(s.Mem(key.Name), s); assessed.Phase == resources.Superseded {
			superseded++
		}
	}
	assert.Equal(t, long-1, superseded)
}

// countingGraph is a Graph that counts what it is asked.
type countingGraph struct {
	memory.Graph
	asked *int
}

func (g countingGraph) Mem(name string) *resources.Mem {
	*g.asked++
	return g.Graph.Mem(name)
}

func (g countingGraph) Superseders(name string) []*resources.Mem {
	*g.asked++
	return g.Graph.Superseders(name)
}

// chainOfLength is a store with one chain of mems, and all of them.
func chainOfLength(n int) (*graph.Snapshot, []*resources.Mem) {
	objects, mems := make([]resources.Object, n), make([]*resources.Mem, n)
	for i := range objects {
		m := graphtest.DaysOld(1, fmt.Sprintf("m-%05d", i), resources.MemSpec{Content: "c"})
		if i > 0 {
			m.Spec.Supersedes = mems[i-1].Metadata.Name
		}
		objects[i], mems[i] = m, m
	}
	return graphtest.SnapshotOf(objects...), mems
}

// Twice the chain takes twice the steps, whoever is asked about all of its mems.
func TestStepsGrowAsTheChainDoes(t *testing.T) {
	steps := func(n int, of func(memory.Graph) memory.Graph) (asked int) {
		s, mems := chainOfLength(n)
		g := of(countingGraph{plainGraph{s}, &asked})
		for _, m := range mems {
			require.Equal(t, m == mems[n-1], memory.Live(m, g, s.Now()))
			require.Same(t, mems[n-1], memory.Head(m, g))
		}
		return asked
	}
	chained := func(g memory.Graph) memory.Graph { return memory.Chained(g) }
	once := float64(steps(800, chained)) / float64(steps(400, chained))
	assert.InDelta(t, 2, once, 0.1)
	plain := func(g memory.Graph) memory.Graph { return g }
	assert.Greater(t, float64(steps(800, plain))/float64(steps(400, plain)), 3.5, "the count must tell a walk for each from one for all")
}

func BenchmarkAssessChain(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, mems := chainOfLength(n)
			objects := make([]resources.Object, n)
			for i, m := range mems {
				objects[i] = m
			}
			for b.Loop() {
				s := graphtest.SnapshotOf(objects...)
				for _, m := range mems {
					memory.Assess(m, s)
				}
			}
		})
	}
}

package resources

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plainGraph is a MemGraph that has worked nothing out.
type plainGraph struct{ MemGraph }

// What a snapshot has worked out about chains is what following each of them finds.
func TestChainsThatAreWorkedOutOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	circles, chains := 0, 0
	for range 3000 {
		s := snapshotOf(randomMems(r, 9)...)
		once := Chained(plainGraph{s})
		for _, key := range s.List(Mems) {
			m := s.Mem(key.Name)
			require.Equal(t, inCircle(m, plainGraph{s}), inCircle(m, s), key)
			require.Same(t, MemHead(m, plainGraph{s}), MemHead(m, s), key)
			require.Equal(t, inCircle(m, plainGraph{s}), inCircle(m, once), key)
			require.Same(t, MemHead(m, plainGraph{s}), MemHead(m, once), key)
			require.Equal(t, MemLive(m, plainGraph{s}, s.Now()), MemLive(m, once, s.Now()), key)
			if inCircle(m, s) {
				circles++
			}
			if MemHead(m, s) != m {
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
	objects := make([]Object, long)
	for i := range objects {
		spec := MemSpec{Content: "c"}
		if i > 0 {
			spec.Supersedes = fmt.Sprintf("m-%05d", i-1)
		}
		objects[i] = daysOld(1, fmt.Sprintf("m-%05d", i), spec)
	}
	superseded := 0
	s := snapshotOf(objects...)
	for _, key := range s.List(Mems) {
		if AssessMem(s.Mem(key.Name), s).Phase == Superseded {
			superseded++
		}
	}
	assert.Equal(t, long-1, superseded)
}

// countingGraph is a MemGraph that counts what it is asked.
type countingGraph struct {
	MemGraph
	asked *int
}

func (g countingGraph) Mem(name string) *Mem {
	*g.asked++
	return g.MemGraph.Mem(name)
}

func (g countingGraph) Superseders(name string) []*Mem {
	*g.asked++
	return g.MemGraph.Superseders(name)
}

// chainOfLength is a store with one chain of mems, and all of them.
func chainOfLength(n int) (*Snapshot, []*Mem) {
	objects, mems := make([]Object, n), make([]*Mem, n)
	for i := range objects {
		m := daysOld(1, fmt.Sprintf("m-%05d", i), MemSpec{Content: "c"})
		if i > 0 {
			m.Spec.Supersedes = mems[i-1].Metadata.Name
		}
		objects[i], mems[i] = m, m
	}
	return snapshotOf(objects...), mems
}

// Twice the chain takes twice the steps, whoever is asked about all of its mems.
func TestStepsGrowAsTheChainDoes(t *testing.T) {
	steps := func(n int, of func(MemGraph) MemGraph) (asked int) {
		s, mems := chainOfLength(n)
		g := of(countingGraph{plainGraph{s}, &asked})
		for _, m := range mems {
			require.Equal(t, m == mems[n-1], MemLive(m, g, s.Now()))
			require.Same(t, mems[n-1], MemHead(m, g))
		}
		return asked
	}
	once := float64(steps(800, Chained)) / float64(steps(400, Chained))
	assert.InDelta(t, 2, once, 0.1)
	plain := func(g MemGraph) MemGraph { return g }
	assert.Greater(t, float64(steps(800, plain))/float64(steps(400, plain)), 3.5, "the count must tell a walk for each from one for all")
}

func BenchmarkAssessChain(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, mems := chainOfLength(n)
			objects := make([]Object, n)
			for i, m := range mems {
				objects[i] = m
			}
			for b.Loop() {
				s := snapshotOf(objects...)
				for _, m := range mems {
					AssessMem(m, s)
				}
			}
		})
	}
}

package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestCircles(t *testing.T) {
	for _, test := range []struct {
		name  string
		edges map[string][]string
		want  map[string][]string
	}{
		{"none", map[string][]string{"a": {"b"}, "b": {"c", "missing"}}, map[string][]string{}},
		{"itself", map[string][]string{"a": {"a", "a"}}, map[string][]string{"a": {"a"}}},
		{"two", map[string][]string{"b": {"a"}, "a": {"b"}}, map[string][]string{"a": {"a", "b"}, "b": {"a", "b"}}},
		{
			"in the order of the walk", map[string][]string{"a": {"c"}, "c": {"b"}, "b": {"a"}, "d": {"a"}},
			map[string][]string{"a": {"a", "c", "b"}, "b": {"a", "c", "b"}, "c": {"a", "c", "b"}},
		},
		{
			"two apart", map[string][]string{"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}},
			map[string][]string{"a": {"a", "b"}, "b": {"a", "b"}, "c": {"c", "d"}, "d": {"c", "d"}},
		},
		{
			"entangled", map[string][]string{"a": {"b", "c"}, "b": {"a"}, "c": {"a"}},
			map[string][]string{"a": {"a", "b", "c"}, "b": {"a", "b", "c"}, "c": {"a", "b", "c"}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, graph.CyclesOf(test.edges))
			before := func(s status.Step) (steps []status.Step) {
				for _, name := range test.edges[s.Key.Name] {
					steps = append(steps, status.Step{Key: resources.Key{Kind: resources.Tasks, Name: name}})
				}
				return steps
			}
			var finder graph.CircleFinder
			for name := range test.edges {
				assert.Equal(t, test.want[name], namesOf(new(graph.CircleFinder).Find(resources.Key{Kind: resources.Tasks, Name: name}, before)), name)
				assert.Equal(t, test.want[name], namesOf(finder.Find(resources.Key{Kind: resources.Tasks, Name: name}, before)), "%s, of one finder", name)
			}
		})
	}
}

func namesOf(keys []resources.Key) (names []string) {
	for _, key := range keys {
		names = append(names, key.Name)
	}
	return names
}

// Size must neither overflow the stack nor cost more than its share.
func TestCirclesLarge(t *testing.T) {
	ring, line := map[string][]string{}, map[string][]string{}
	for i := range 10_000 {
		ring[fmt.Sprintf("t%06d", i)] = []string{fmt.Sprintf("t%06d", (i+1)%10_000)}
	}
	for i := range 100_000 {
		line[fmt.Sprintf("t%06d", i)] = []string{fmt.Sprintf("t%06d", i+1)}
	}
	circles := graph.CyclesOf(ring)
	assert.Len(t, circles, 10_000)
	assert.Equal(t, "t000000", circles["t005000"][0])
	assert.Same(t, &circles["t000000"][0], &circles["t009999"][0], "one slice for all of them")
	assert.Empty(t, graph.CyclesOf(line))
}

// Whoever asks about every object of a long chain or circle looks at each once.
func TestCircleFinderLooksOnce(t *testing.T) {
	const size = 1000
	var finder graph.CircleFinder
	looks := map[status.Step]int{}
	before := func(s status.Step) []status.Step {
		looks[s]++
		n, _ := strconv.Atoi(s.Key.Name)
		if n++; n < size {
			return []status.Step{{Key: resources.Key{Kind: s.Key.Kind, Name: strconv.Itoa(n)}}}
		}
		if s.Key.Kind == resources.WorkPlans {
			return []status.Step{{Key: resources.Key{Kind: s.Key.Kind, Name: "0"}}}
		}
		return nil
	}
	for i := range size {
		assert.Empty(t, finder.Find(resources.Key{Kind: resources.Tasks, Name: strconv.Itoa(i)}, before))
		assert.Len(t, finder.Find(resources.Key{Kind: resources.WorkPlans, Name: strconv.Itoa(i)}, before), size)
	}
	for key, times := range looks {
		assert.Equal(t, 1, times, key)
	}
	assert.Len(t, looks, 4*size, "to start and to be done")
}

// A name is in a circle exactly if a walk from it comes back, and with those names
// that lie on such walks.
func TestCirclesAgainstWalking(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		edges := map[string][]string{}
		for i := range 8 {
			for range r.IntN(3) {
				name := string(rune('a' + i))
				edges[name] = append(edges[name], string(rune('a'+r.IntN(8))))
			}
		}
		circles := graph.CyclesOf(edges)
		for name := range edges {
			var want []string
			for other := range edges {
				if reaches(edges, name, other) && reaches(edges, other, name) {
					want = append(want, other)
				}
			}
			slices.Sort(want)
			assert.Equal(t, want, slices.Sorted(slices.Values(circles[name])), "seed %d, %s of %v", seed, name, edges)
		}
	}
}

// reaches reports whether a walk of one step or more leads from one name to another.
func reaches(edges map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	todo := slices.Clone(edges[from])
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if name == to {
			return true
		}
		if !seen[name] {
			seen[name] = true
			todo = append(todo, edges[name]...)
		}
	}
	return false
}

func BenchmarkCircles(b *testing.B) {
	edges := map[string][]string{}
	for i := range 10_000 {
		edges[fmt.Sprintf("t%06d", i)] = []string{fmt.Sprintf("t%06d", (i+1)%10_000), fmt.Sprintf("t%06d", i/2)}
	}
	for b.Loop() {
		graph.CyclesOf(edges)
	}
}

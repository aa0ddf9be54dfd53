package graph_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Mems that are looked up by what they say are those that are found by looking at all.
func TestMemsAreFoundByWhatTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	texts := []string{"Use  PNPM!", "use pnpm", "use npm", "ß", "", "使用"}
	found := 0
	for range 300 {
		objects := graphtest.RandomMems(r, 9)
		for _, o := range objects {
			o.(*resources.Mem).Spec.Content = texts[r.IntN(len(texts))]
		}
		s := graph.NewSnapshot(graph.SnapshotInput{Objects: objects})
		for _, text := range texts {
			text = memory.NormalText(text)
			var want []string
			for _, key := range s.List(resources.Mems) {
				if memory.NormalText(s.Mem(key.Name).Spec.Content) == text {
					want = append(want, key.Name)
				}
			}
			require.Equal(t, want, memNames(s.MemsSaying(text)), text)
			found += len(want)
		}
	}
	assert.Positive(t, found)
	assert.Empty(t, graph.NewSnapshot(graph.SnapshotInput{}).MemsSaying("use npm"))
}

func memNames(mems []*resources.Mem) []string {
	var names []string
	for _, m := range mems {
		names = append(names, m.Metadata.Name)
	}
	return names
}

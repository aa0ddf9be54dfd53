package controller

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// Circles are looked for again whenever they may be others, and seldom else.
func TestCirclesAreLookedForWhenTheyMayTurn(t *testing.T) {
	skipped := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := newCache()
		for range 150 {
			for range 1 + r.IntN(2) {
				key := taskKey(fmt.Sprint(r.IntN(15)))
				c.update(key, func(e *entry) { e.object = randomEdges(r, key) })
			}
			before := c.cycles
			if may := c.mayChangeCycles(c.takeChangedDependencies()); !may {
				skipped++
				require.Empty(t, c.refreshCycles())
				require.Len(t, c.cycles, len(before))
			} else {
				c.refreshCycles()
			}
		}
	}
	require.Greater(t, skipped, 1000)
}

// randomEdges is a task that waits for some others, or none at all.
func randomEdges(r *rand.Rand, key resources.Key) resources.Object {
	if r.IntN(4) == 0 {
		return nil
	}
	kind, _ := resources.KindOf(resources.Tasks)
	o := kind.New().(*resources.Task)
	o.Metadata.Name = key.Name
	for range r.IntN(3) {
		o.Spec.DependsOn = append(o.Spec.DependsOn, fmt.Sprint(r.IntN(15)))
	}
	if r.IntN(5) == 0 {
		o.Spec.TemporalGate = &resources.TemporalGate{After: fmt.Sprint(r.IntN(15))}
	}
	return o
}

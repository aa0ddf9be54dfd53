package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph/graphtest"
	"github.com/idumb-dev/idumb/resources/status"
)

// A Snapshot proposes by number what any other view proposes by name.
func TestNextByNumber(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	states := []string{"", "", "", resources.TaskActive, resources.TaskCompleted, resources.TaskAbandoned, resources.TaskFailed}
	objects := []resources.Object{graphtest.ActivePlan(), graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanDraft})}
	for i := range 400 {
		spec := resources.TaskSpec{WorkPlan: [...]string{"p", "q", "gone"}[random.IntN(3)], State: states[random.IntN(len(states))], Priority: [...]string{"", "high", "low"}[random.IntN(3)]}
		for range random.IntN(3) {
			spec.DependsOn = append(spec.DependsOn, fmt.Sprintf("t%03d", random.IntN(420))) // circles, and some that are not there
		}
		objects = append(objects, graphtest.Task(fmt.Sprintf("t%03d", i), spec))
	}
	s := graphtest.SnapshotOf(objects...)
	byName := struct{ status.WideView }{s}
	for _, limit := range []int{0, 1, 7} {
		assert.Equal(t, status.NextTasks(byName, limit), status.NextTasks(s, limit))
		assert.Equal(t, status.NextInPlanOf("p", byName, limit), status.NextInPlanOf("p", s, limit))
	}
	count := s.Unblocker()
	for _, key := range s.List(resources.Tasks) {
		assert.Equal(t, status.Unblocks(key.Name, byName), count(key.Name), key)
	}
	assert.Empty(t, status.NextTasks(graphtest.SnapshotOf(graphtest.ActivePlan()), 0))
}

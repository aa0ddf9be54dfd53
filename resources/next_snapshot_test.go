package resources

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A Snapshot proposes by number what any other view proposes by name.
func TestNextByNumber(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	states := []string{"", "", "", TaskActive, TaskCompleted, TaskAbandoned, TaskFailed}
	objects := []Object{activePlan(), newPlan("q", WorkPlanSpec{State: PlanDraft})}
	for i := range 400 {
		spec := TaskSpec{WorkPlan: [...]string{"p", "q", "gone"}[random.IntN(3)], State: states[random.IntN(len(states))], Priority: [...]string{"", "high", "low"}[random.IntN(3)]}
		for range random.IntN(3) {
			spec.DependsOn = append(spec.DependsOn, fmt.Sprintf("t%03d", random.IntN(420))) // circles, and some that are not there
		}
		objects = append(objects, newTask(fmt.Sprintf("t%03d", i), spec))
	}
	s := snapshotOf(objects...)
	byName := struct{ WideView }{s}
	for _, limit := range []int{0, 1, 7} {
		assert.Equal(t, NextTasks(byName, limit), NextTasks(s, limit))
		assert.Equal(t, NextInPlanOf("p", byName, limit), NextInPlanOf("p", s, limit))
	}
	count := unblocker(s)
	for _, key := range s.List(Tasks) {
		assert.Equal(t, Unblocks(key.Name, byName), count(key.Name), key)
	}
	assert.Empty(t, NextTasks(snapshotOf(activePlan()), 0))
}

package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An outline is what Derived says, without what only Derived says.
func TestOutlines(t *testing.T) {
	problem := Problem{File: ".idumb/tasks/kept.json", Line: 3, Column: 1, Reason: "bad", Remedy: "mend it"}
	in := SnapshotInput{
		Objects: []Object{
			activePlan(), newPlan("gone", WorkPlanSpec{State: PlanAbandoned}),
			newTask("a", done()), newTask("b", TaskSpec{WorkPlan: "p", DependsOn: []string{"a"}}),
			newTask("c", TaskSpec{WorkPlan: "p", DependsOn: []string{"b", "nobody"}}), newTask("d", TaskSpec{WorkPlan: "gone"}),
			newTask("e", TaskSpec{WorkPlan: "p", State: TaskCompleted}), newTask("f", TaskSpec{WorkPlan: "p", State: TaskActive}),
			newTask("kept", TaskSpec{WorkPlan: "p"}), newTask("self", TaskSpec{WorkPlan: "p", DependsOn: []string{"self"}}),
		},
		Problems:  map[Key]Problem{{Tasks, "lost"}: problem, {Tasks, "kept"}: problem},
		Sightings: map[string]*Sightings{"f": {Count: 2, Files: []string{"x"}}},
		Now:       noon,
	}
	outlined, whole := NewSnapshot(in), NewSnapshot(in)
	for _, kind := range []string{Tasks, WorkPlans, Mems} {
		var keys []Key
		for o := range outlined.Outlines(kind) {
			keys = append(keys, o.Key)
			object, _ := whole.Get(o.Key)
			assert.Equal(t, object, o.Object, o.Key)
			_, broken := whole.Problem(o.Key)
			assert.Equal(t, broken, o.Problem != nil, o.Key)
			want := whole.Derived(o.Key)
			if status, isTask := want.(*TaskStatus); isTask {
				short := *status
				short.Conditions, short.UID, short.ObservedRevision = nil, "", ""
				want = &short
			}
			require.Equal(t, want, o.Status, o.Key)
		}
		assert.ElementsMatch(t, whole.List(kind), keys)
	}
	assert.Equal(t, whole.PlanCounts("p"), outlined.PlanCounts("p"))
}

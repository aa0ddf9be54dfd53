package status_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Each cycle over any kinds of edges is refused at the object that closes it, is found in what is
// there, and its members are blocked.
func TestCyclesOverAllEdges(t *testing.T) {
	task := func(name string, spec resources.TaskSpec) resources.Object {
		if spec.WorkPlan == "" {
			spec.WorkPlan = "p"
		}
		return graphtest.Task(name, spec)
	}
	plan := func(name string, dependsOn ...string) resources.Object {
		return graphtest.Plan(name, resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: dependsOn})
	}
	gate := func(after string) *resources.TemporalGate { return &resources.TemporalGate{After: after} }
	for name, test := range map[string]struct {
		objects []resources.Object
		refused map[string]string // by the object that is written last
		circle  []string
	}{
		"a part and what its parent waits for": {
			[]resources.Object{plan("p"), task("e", resources.TaskSpec{DependsOn: []string{"z"}}), task("z", resources.TaskSpec{DependsOn: []string{"k"}}), task("k", resources.TaskSpec{Parent: "e"})},
			map[string]string{
				"tasks/k": `spec.parent: Invalid value: "e": would make a circle: k -> e (its parent) -> z -> k`,
				"tasks/z": `spec.dependsOn: Invalid value: "k": would make a circle: z -> k -> e (its parent) -> z`,
				"tasks/e": `spec.dependsOn: Invalid value: "z": would make a circle: e -> z -> k -> e (its parent)`,
			}, []string{"tasks/e", "tasks/z", "tasks/k"},
		},
		"a gate and two parents above": {
			[]resources.Object{plan("p"), task("g", resources.TaskSpec{TemporalGate: gate("z")}), task("e", resources.TaskSpec{Parent: "g"}), task("k", resources.TaskSpec{Parent: "e"}), task("z", resources.TaskSpec{DependsOn: []string{"k"}})},
			map[string]string{
				"tasks/k": `spec.parent: Invalid value: "e": would make a circle: k -> e (its parent) -> g (its parent) -> z -> k`,
				"tasks/g": `spec.temporalGate.after: Invalid value: "z": would make a circle: g -> z -> k -> e (its parent) -> g (its parent)`,
				"tasks/e": `spec.parent: Invalid value: "g": would make a circle: e -> g (its parent) -> z -> k -> e (its parent)`,
			}, []string{"tasks/e", "tasks/g", "tasks/z", "tasks/k"},
		},
		"parents": {
			[]resources.Object{plan("p"), task("a", resources.TaskSpec{Parent: "b"}), task("b", resources.TaskSpec{Parent: "a"})},
			map[string]string{"tasks/a": `spec.parent: Invalid value: "b": would make a circle: a -> b -> a`}, []string{"tasks/a", "tasks/b"},
		},
		"plans by way of their tasks": {
			[]resources.Object{plan("p", "q"), plan("q"), task("bravo", resources.TaskSpec{}), task("ember", resources.TaskSpec{WorkPlan: "q", DependsOn: []string{"bravo"}})},
			map[string]string{
				"workplans/p": `spec.dependsOn: Invalid value: "q": would make a circle: p -> q -> task/ember -> task/bravo -> p (its plan)`,
				"tasks/ember": `spec.dependsOn: Invalid value: "bravo": would make a circle: ember -> bravo -> workplan/p (its plan) -> workplan/q -> ember`,
			}, []string{"tasks/bravo", "workplans/p", "workplans/q", "tasks/ember"},
		},
		"a parent in another plan": {
			[]resources.Object{plan("p"), plan("q", "p"), task("e", resources.TaskSpec{WorkPlan: "q"}), task("k", resources.TaskSpec{Parent: "e"})},
			map[string]string{"tasks/k": `spec.parent: Invalid value: "e": would make a circle: k -> e (its parent) -> workplan/q (its plan) -> workplan/p -> k`},
			[]string{"tasks/e", "workplans/q", "workplans/p", "tasks/k"},
		},
		"none: a parent after its part, and a part of that after another part": {
			[]resources.Object{plan("p"), task("e", resources.TaskSpec{DependsOn: []string{"k", "m"}}), task("k", resources.TaskSpec{Parent: "e"}), task("m", resources.TaskSpec{Parent: "k", DependsOn: []string{"l"}}), task("l", resources.TaskSpec{Parent: "e"})},
			nil, nil,
		},
		"none: one of them is completed": {
			[]resources.Object{plan("p"), task("a", resources.TaskSpec{DependsOn: []string{"b"}}), task("b", resources.TaskSpec{State: resources.TaskCompleted, DependsOn: []string{"a"}})},
			nil, nil,
		},
		"none: the plan that came first is completed": {
			[]resources.Object{plan("p", "q"), graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanCompleted}), task("bravo", resources.TaskSpec{}), task("ember", resources.TaskSpec{WorkPlan: "q", DependsOn: []string{"bravo"}})},
			nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			snap := graphtest.SnapshotOf(test.objects...)
			for _, o := range test.objects {
				errs := status.CheckCycle(o, snap)
				if want, refused := test.refused[o.Key().String()]; refused {
					if assert.Len(t, errs, 1, o.Key()) {
						assert.EqualError(t, errs[0], want)
					}
				} else if test.circle == nil {
					assert.Empty(t, errs, o.Key())
				}
				var circle []string
				for _, key := range snap.Circle(o.Key()) {
					circle = append(circle, key.String())
				}
				in := slices.Contains(test.circle, o.Key().String())
				if in {
					assert.ElementsMatch(t, test.circle, circle, o.Key())
					assertBlocked(t, o, snap, test.circle)
				} else {
					assert.Empty(t, circle, o.Key())
				}
				if common := resources.CommonOf(snap.Derived(o.Key())); in {
					c := resources.FindCondition(common.Conditions, resources.ChainBroken)
					if assert.NotNil(t, c, o.Key()) {
						assert.Equal(t, "Circle", c.Reason)
					}
				} else {
					assert.Nil(t, resources.FindCondition(common.Conditions, resources.ChainBroken), o.Key())
				}
			}
		})
	}
}

// assertBlocked checks that each edge of a task in the cycle is one of its blockers.
func assertBlocked(t *testing.T, o resources.Object, snap *graph.Snapshot, circle []string) {
	task, ok := o.(*resources.Task)
	if !ok || task.Spec.Parent != "" && len(task.Spec.DependsOn) == 0 && len(circle) == 2 {
		return // parents alone do not block each other
	}
	var blockers []string
	derived, _ := status.DeriveTask(task, snap)
	for _, entry := range derived.BlockedBy {
		blockers = append(blockers, status.BlockerKey(entry).String())
		assert.NotEmpty(t, status.BlockerField(task, entry, snap), "%s %s", o.Key(), entry)
	}
	for _, edge := range status.Precedence(status.Step{Key: o.Key()}, snap) {
		if edge.Field != "spec.workPlan" && slices.Contains(circle, edge.To.Key.String()) {
			assert.Contains(t, blockers, edge.To.Key.String(), o.Key())
		}
	}
}

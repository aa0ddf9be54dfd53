package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeriveTrajectory(t *testing.T) {
	active := func(plan, phase string) TaskSpec { return TaskSpec{WorkPlan: plan, State: TaskActive, Phase: phase} }
	objects := []Object{
		newPlan("alpha", WorkPlanSpec{State: PlanActive}),
		newPlan("beta", WorkPlanSpec{State: PlanActive, Phases: []PlanPhase{{Name: "build"}, {Name: "ship"}}}),
		newPlan("sketch", WorkPlanSpec{}), newPlan("over", WorkPlanSpec{State: PlanAbandoned}), newPlan("done", WorkPlanSpec{State: PlanCompleted}),
		newTask("z", active("beta", "build")), newTask("y", active("beta", "ship")),
		newTask("held", TaskSpec{WorkPlan: "alpha", State: TaskActive, DependsOn: []string{"z"}}),
	}
	for _, test := range []struct {
		name  string
		spec  *TrajectorySpec
		plan  string
		stage string
		tasks []string
	}{
		{"no file", nil, "beta", "ship", []string{"y", "z"}},
		{"says nothing", &TrajectorySpec{}, "beta", "ship", []string{"y", "z"}},
		{"says what holds", &TrajectorySpec{ActivePlan: "alpha", ActiveTasks: []string{"z"}}, "alpha", "", []string{"z", "y"}},
		{"a draft", &TrajectorySpec{ActivePlan: "sketch"}, "sketch", "", []string{"y", "z"}},
		{"a stage", &TrajectorySpec{ActivePlan: "beta", ActivePhase: "build"}, "beta", "build", []string{"y", "z"}},
		{"a stage that is none", &TrajectorySpec{ActivePlan: "beta", ActivePhase: "rest"}, "beta", "ship", []string{"y", "z"}},
		{"abandoned plan", &TrajectorySpec{ActivePlan: "over"}, "beta", "ship", []string{"y", "z"}},
		{"completed plan", &TrajectorySpec{ActivePlan: "done"}, "beta", "ship", []string{"y", "z"}},
		{"missing plan", &TrajectorySpec{ActivePlan: "nowhere", ActiveTasks: []string{"nobody", "z", "z"}}, "beta", "build", []string{"z", "y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var trajectory *Trajectory
			if test.spec != nil {
				trajectory = made[TrajectorySpec, TrajectoryStatus](Trajectories, TrajectoryName, *test.spec)
			}
			status, _ := DeriveTrajectory(trajectory, snapshotOf(objects...))
			assert.Equal(t, test.plan, status.ActivePlan)
			assert.Equal(t, test.stage, status.ActivePhase)
			assert.Equal(t, test.tasks, status.ActiveTasks)
			assert.Equal(t, []string{"alpha", "beta"}, status.ActivePlans)
		})
	}
	status, _ := DeriveTrajectory(nil, snapshotOf(newPlan("only", WorkPlanSpec{State: PlanActive})))
	assert.Equal(t, "only", status.ActivePlan)
	status, _ = DeriveTrajectory(nil, snapshotOf())
	assert.Empty(t, status.ActivePlan)
}

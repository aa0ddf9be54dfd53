package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestDeriveTrajectory(t *testing.T) {
	active := func(plan, phase string) resources.TaskSpec {
		return resources.TaskSpec{WorkPlan: plan, State: resources.TaskActive, Phase: phase}
	}
	objects := []resources.Object{
		graphtest.Plan("alpha", resources.WorkPlanSpec{State: resources.PlanActive}),
		graphtest.Plan("beta", resources.WorkPlanSpec{State: resources.PlanActive, Phases: []resources.PlanPhase{{Name: "build"}, {Name: "ship"}}}),
		graphtest.Plan("sketch", resources.WorkPlanSpec{}), graphtest.Plan("over", resources.WorkPlanSpec{State: resources.PlanAbandoned}), graphtest.Plan("done", resources.WorkPlanSpec{State: resources.PlanCompleted}),
		graphtest.Task("z", active("beta", "build")), graphtest.Task("y", active("beta", "ship")),
		graphtest.Task("held", resources.TaskSpec{WorkPlan: "alpha", State: resources.TaskActive, DependsOn: []string{"z"}}),
	}
	for _, test := range []struct {
		name  string
		spec  *resources.TrajectorySpec
		plan  string
		stage string
		tasks []string
	}{
		{"no file", nil, "beta", "ship", []string{"y", "z"}},
		{"says nothing", &resources.TrajectorySpec{}, "beta", "ship", []string{"y", "z"}},
		{"says what holds", &resources.TrajectorySpec{ActivePlan: "alpha", ActiveTasks: []string{"z"}}, "alpha", "", []string{"z"}},
		{"turns to another plan", &resources.TrajectorySpec{ActivePlan: "alpha"}, "alpha", "", nil},
		{"a draft", &resources.TrajectorySpec{ActivePlan: "sketch"}, "sketch", "", []string{"y", "z"}},
		{"a stage", &resources.TrajectorySpec{ActivePlan: "beta", ActivePhase: "build"}, "beta", "build", []string{"y", "z"}},
		{"a stage that is none", &resources.TrajectorySpec{ActivePlan: "beta", ActivePhase: "rest"}, "beta", "ship", []string{"y", "z"}},
		{"abandoned plan", &resources.TrajectorySpec{ActivePlan: "over"}, "beta", "ship", []string{"y", "z"}},
		{"completed plan", &resources.TrajectorySpec{ActivePlan: "done"}, "beta", "ship", []string{"y", "z"}},
		{"missing plan", &resources.TrajectorySpec{ActivePlan: "nowhere", ActiveTasks: []string{"nobody", "z", "z"}}, "beta", "build", []string{"z", "y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var trajectory *resources.Trajectory
			if test.spec != nil {
				trajectory = graphtest.NewObject[resources.TrajectorySpec, resources.TrajectoryStatus](resources.Trajectories, resources.TrajectoryName, *test.spec)
			}
			status, _ := status.DeriveTrajectory(trajectory, graphtest.SnapshotOf(objects...))
			assert.Equal(t, test.plan, status.ActivePlan)
			assert.Equal(t, test.stage, status.ActivePhase)
			assert.Equal(t, test.tasks, status.ActiveTasks)
			assert.Equal(t, []string{"alpha", "beta"}, status.ActivePlans)
		})
	}
	missing := graphtest.NewObject[resources.TrajectorySpec, resources.TrajectoryStatus](resources.Trajectories, resources.TrajectoryName, resources.TrajectorySpec{ActivePlan: "nowhere", ActiveTasks: []string{"z"}})
	st, _ := status.DeriveTrajectory(missing, graphtest.SnapshotOf(objects...))
	orphaned := resources.FindCondition(st.Conditions, resources.Orphaned)
	if assert.NotNil(t, orphaned, "spec.activePlan names no plan") {
		assert.Contains(t, orphaned.Message, "nowhere")
	}
	st, _ = status.DeriveTrajectory(nil, graphtest.SnapshotOf(graphtest.Plan("only", resources.WorkPlanSpec{State: resources.PlanActive})))
	assert.Equal(t, "only", st.ActivePlan)
	st, _ = status.DeriveTrajectory(nil, graphtest.SnapshotOf())
	assert.Empty(t, st.ActivePlan)
}

package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestDerivePlan(t *testing.T) {
	open, abandoned := resources.TaskSpec{WorkPlan: "p"}, resources.TaskSpec{WorkPlan: "p", State: resources.TaskAbandoned}
	for _, test := range []struct {
		name       string
		plan       resources.WorkPlanSpec
		others     []resources.Object
		archived   []resources.Key
		phase      string
		total      int
		next       []string
		blockedBy  []string
		conditions []string
	}{
		{name: "draft", others: []resources.Object{graphtest.Task("a", open)}, phase: resources.PlanDraft, total: 1, next: []string{"a"}, conditions: []string{"Ready=False:Draft"}},
		{name: "active, empty", plan: resources.WorkPlanSpec{State: resources.PlanActive}, phase: resources.PlanActive, conditions: []string{"Ready=True:Active"}},
		{
			name: "active", plan: resources.WorkPlanSpec{State: resources.PlanActive}, others: []resources.Object{graphtest.Task("a", open), graphtest.Task("b", graphtest.Done()), graphtest.Task("c", abandoned)},
			phase: resources.PlanActive, total: 2, next: []string{"a"}, conditions: []string{"Ready=True:Active"},
		},
		{
			name: "active, all done", plan: resources.WorkPlanSpec{State: resources.PlanActive}, others: []resources.Object{graphtest.Task("b", graphtest.Done()), graphtest.Task("c", abandoned)},
			phase: resources.PlanCompleted, total: 1, conditions: []string{"Ready=False:Completed"},
		},
		{
			name: "active, only abandoned tasks", plan: resources.WorkPlanSpec{State: resources.PlanActive}, others: []resources.Object{graphtest.Task("c", abandoned)},
			phase: resources.PlanActive, conditions: []string{"Ready=True:Active"},
		},
		{
			name: "done before what it waits for", plan: resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"q"}},
			others: []resources.Object{graphtest.Task("b", graphtest.Done()), graphtest.Plan("q", resources.WorkPlanSpec{})},
			phase:  resources.PlanCompleted, total: 1, conditions: []string{"Ready=False:Completed"},
		},
		{
			name: "active, blocked", plan: resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"q"}}, others: []resources.Object{graphtest.Task("a", open), graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive})},
			phase: resources.PlanBlocked, total: 1, blockedBy: []string{"q"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "active, waited for a claim", plan: resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"q"}}, others: []resources.Object{graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanCompleted})},
			phase: resources.PlanActive, conditions: []string{"Ready=True:Active"},
		},
		{
			name: "dependency missing", plan: resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"q"}},
			phase: resources.PlanBlocked, blockedBy: []string{"q"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "Orphaned=True:ReferenceMissing", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency archived", plan: resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"q"}}, archived: []resources.Key{{Kind: resources.WorkPlans, Name: "q"}},
			phase: resources.PlanBlocked, blockedBy: []string{"q"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:DependencyArchived", "Ready=False:DependencyNotCompleted"},
		},
		{name: "completed", plan: resources.WorkPlanSpec{State: resources.PlanCompleted}, others: []resources.Object{graphtest.Task("a", open)}, phase: resources.PlanCompleted, total: 1, conditions: []string{"Ready=False:Completed"}},
		{name: "archived", plan: resources.WorkPlanSpec{State: resources.PlanArchived}, phase: resources.PlanArchived, conditions: []string{"Ready=False:Archived"}},
		{name: "abandoned", plan: resources.WorkPlanSpec{State: resources.PlanAbandoned}, phase: resources.PlanAbandoned, conditions: []string{"Ready=False:Abandoned"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := graphtest.Plan("p", test.plan)
			view := graph.NewSnapshot(graph.SnapshotInput{Objects: append(test.others, plan), Archived: test.archived, Now: graphtest.Noon})
			status, next := status.DerivePlan(plan, view)
			assert.Zero(t, next)
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.total, status.Progress.Total)
			assert.Equal(t, test.next, status.Next)
			assert.Equal(t, test.blockedBy, status.BlockedBy)
			assert.Equal(t, test.conditions, graphtest.ConditionsOf(status.Conditions))
		})
	}
}

func TestPlanProgress(t *testing.T) {
	plan := graphtest.ActivePlan()
	status, _ := status.DerivePlan(plan, graphtest.SnapshotOf(plan, graphtest.Task("a", graphtest.Done()), graphtest.Task("b", graphtest.Done()), graphtest.Task("c", resources.TaskSpec{WorkPlan: "p", State: resources.TaskAbandoned}), graphtest.Task("d", resources.TaskSpec{WorkPlan: "p"})))
	assert.Equal(t, resources.PlanProgress{Total: 3, ByPhase: map[string]int{resources.TaskCompleted: 2, resources.TaskAbandoned: 1, resources.TaskPlanned: 1}}, status.Progress)
}

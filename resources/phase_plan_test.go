package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDerivePlan(t *testing.T) {
	open, abandoned := TaskSpec{WorkPlan: "p"}, TaskSpec{WorkPlan: "p", State: TaskAbandoned}
	for _, test := range []struct {
		name       string
		plan       WorkPlanSpec
		others     []Object
		archived   []Key
		phase      string
		total      int
		next       []string
		blockedBy  []string
		conditions []string
	}{
		{name: "draft", others: []Object{newTask("a", open)}, phase: PlanDraft, total: 1, next: []string{"a"}, conditions: []string{"Ready=False:Draft"}},
		{name: "active, empty", plan: WorkPlanSpec{State: PlanActive}, phase: PlanActive, conditions: []string{"Ready=True:Active"}},
		{
			name: "active", plan: WorkPlanSpec{State: PlanActive}, others: []Object{newTask("a", open), newTask("b", done()), newTask("c", abandoned)},
			phase: PlanActive, total: 2, next: []string{"a"}, conditions: []string{"Ready=True:Active"},
		},
		{
			name: "active, all done", plan: WorkPlanSpec{State: PlanActive}, others: []Object{newTask("b", done()), newTask("c", abandoned)},
			phase: PlanCompleted, total: 1, conditions: []string{"Ready=False:Completed"},
		},
		{
			name: "active, only abandoned tasks", plan: WorkPlanSpec{State: PlanActive}, others: []Object{newTask("c", abandoned)},
			phase: PlanActive, conditions: []string{"Ready=True:Active"},
		},
		{
			name: "done before what it waits for", plan: WorkPlanSpec{State: PlanActive, DependsOn: []string{"q"}},
			others: []Object{newTask("b", done()), newPlan("q", WorkPlanSpec{})},
			phase:  PlanCompleted, total: 1, conditions: []string{"Ready=False:Completed"},
		},
		{
			name: "active, blocked", plan: WorkPlanSpec{State: PlanActive, DependsOn: []string{"q"}}, others: []Object{newTask("a", open), newPlan("q", WorkPlanSpec{State: PlanActive})},
			phase: PlanBlocked, total: 1, blockedBy: []string{"q"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "active, waited for a claim", plan: WorkPlanSpec{State: PlanActive, DependsOn: []string{"q"}}, others: []Object{newPlan("q", WorkPlanSpec{State: PlanCompleted})},
			phase: PlanActive, conditions: []string{"Ready=True:Active"},
		},
		{
			name: "dependency missing", plan: WorkPlanSpec{State: PlanActive, DependsOn: []string{"q"}},
			phase: PlanBlocked, blockedBy: []string{"q"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "Orphaned=True:ReferenceMissing", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency archived", plan: WorkPlanSpec{State: PlanActive, DependsOn: []string{"q"}}, archived: []Key{{WorkPlans, "q"}},
			phase: PlanBlocked, blockedBy: []string{"q"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:DependencyArchived", "Ready=False:DependencyNotCompleted"},
		},
		{name: "completed", plan: WorkPlanSpec{State: PlanCompleted}, others: []Object{newTask("a", open)}, phase: PlanCompleted, total: 1, conditions: []string{"Ready=False:Completed"}},
		{name: "archived", plan: WorkPlanSpec{State: PlanArchived}, phase: PlanArchived, conditions: []string{"Ready=False:Archived"}},
		{name: "abandoned", plan: WorkPlanSpec{State: PlanAbandoned}, phase: PlanAbandoned, conditions: []string{"Ready=False:Abandoned"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := newPlan("p", test.plan)
			view := NewSnapshot(SnapshotInput{Objects: append(test.others, plan), Archived: test.archived, Now: noon})
			status, next := DerivePlan(plan, view)
			assert.Zero(t, next)
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.total, status.Progress.Total)
			assert.Equal(t, test.next, status.Next)
			assert.Equal(t, test.blockedBy, status.BlockedBy)
			assert.Equal(t, test.conditions, conditionsOf(status.Conditions))
		})
	}
}

func TestPlanProgress(t *testing.T) {
	plan := activePlan()
	status, _ := DerivePlan(plan, snapshotOf(plan, newTask("a", done()), newTask("b", done()), newTask("c", TaskSpec{WorkPlan: "p", State: TaskAbandoned}), newTask("d", TaskSpec{WorkPlan: "p"})))
	assert.Equal(t, PlanProgress{Total: 3, ByPhase: map[string]int{TaskCompleted: 2, TaskAbandoned: 1, TaskPlanned: 1}}, status.Progress)
}

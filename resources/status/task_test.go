package status_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestDeriveTaskPhases(t *testing.T) {
	seen := &status.Evidence{Count: 1, Files: []string{"src/a.go"}, Commands: []status.Command{{Line: "go test ./...", Succeeded: true}}, Newest: graphtest.Noon}
	asksFile := []resources.EvidenceItem{{File: "src/*.go"}}
	asksMore := []resources.EvidenceItem{{File: "src/*.go"}, {Command: "make release"}}
	for _, test := range []struct {
		name       string
		task       resources.TaskSpec
		others     []resources.Object
		seen       *status.Evidence
		archived   []resources.Key
		phase      string
		blockedBy  []string
		conditions []string
	}{
		{name: "planned, nothing first", phase: resources.TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"}},
		{name: "planned ahead", task: resources.TaskSpec{PlanAhead: true}, phase: resources.TaskPlanned, conditions: []string{"Ready=True:PlannedAhead"}},
		{
			name: "planned, dependency met", task: resources.TaskSpec{DependsOn: []string{"a"}}, others: []resources.Object{graphtest.Task("a", graphtest.Done())},
			phase: resources.TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{
			name: "planned, dependency unmet", task: resources.TaskSpec{DependsOn: []string{"a"}}, others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p"})},
			phase: resources.TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency completed without evidence", task: resources.TaskSpec{DependsOn: []string{"a"}},
			others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", State: resources.TaskCompleted})},
			phase:  resources.TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "a part of what is blocked, farther up", task: resources.TaskSpec{Parent: "a"},
			others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", Parent: "b"}), graphtest.Task("b", resources.TaskSpec{WorkPlan: "p", DependsOn: []string{"c"}}), graphtest.Task("c", resources.TaskSpec{WorkPlan: "p"})},
			phase:  resources.TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:ParentBlocked", "Ready=False:ParentBlocked"},
		},
		{
			name: "a part of what waits for its parts alone", task: resources.TaskSpec{Parent: "a"},
			others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", DependsOn: []string{"t", "b"}}), graphtest.Task("b", resources.TaskSpec{WorkPlan: "p", Parent: "t"})},
			phase:  resources.TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{
			name: "a part of what is in review, and a circle of parents", task: resources.TaskSpec{Parent: "a"},
			others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", Parent: "t"})},
			phase:  resources.TaskPlanned, conditions: []string{"ChainBroken=True:Circle", "Ready=True:NothingUnmet"},
		},
		{
			name: "gate closed", task: resources.TaskSpec{TemporalGate: &resources.TemporalGate{After: "a", Reason: "schema first"}}, others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p"})},
			phase: resources.TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:GateClosed", "Ready=False:GateClosed"},
		},
		{
			name: "dependency missing", task: resources.TaskSpec{DependsOn: []string{"a"}},
			phase: resources.TaskBlocked, blockedBy: []string{"a"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "Orphaned=True:ReferenceMissing", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency archived", task: resources.TaskSpec{DependsOn: []string{"a"}}, archived: []resources.Key{{Kind: resources.Tasks, Name: "a"}},
			phase: resources.TaskBlocked, blockedBy: []string{"a"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:DependencyArchived", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency abandoned", task: resources.TaskSpec{DependsOn: []string{"a"}}, others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p", State: resources.TaskAbandoned})},
			phase: resources.TaskBlocked, blockedBy: []string{"a"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:DependencyAbandoned", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "depends on itself", task: resources.TaskSpec{DependsOn: []string{"t"}},
			phase: resources.TaskBlocked, blockedBy: []string{"t"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:Circle", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "plan missing", task: resources.TaskSpec{WorkPlan: "nowhere"},
			phase: resources.TaskBlocked, blockedBy: []string{"workplan/nowhere"},
			conditions: []string{"Blocked=True:PlanBlocked", "Orphaned=True:ReferenceMissing", "Ready=False:PlanBlocked"},
		},
		{
			name: "plan abandoned", task: resources.TaskSpec{WorkPlan: "q"}, others: []resources.Object{graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanAbandoned})},
			phase: resources.TaskBlocked, blockedBy: []string{"workplan/q"}, conditions: []string{"Blocked=True:PlanBlocked", "Ready=False:PlanBlocked"},
		},
		{
			name: "plan a draft", task: resources.TaskSpec{WorkPlan: "q"}, others: []resources.Object{graphtest.Plan("q", resources.WorkPlanSpec{})},
			phase: resources.TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{
			name: "plan waits for a plan", task: resources.TaskSpec{WorkPlan: "q"},
			others: []resources.Object{graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"p"}})},
			phase:  resources.TaskBlocked, blockedBy: []string{"workplan/p"}, conditions: []string{"Blocked=True:PlanBlocked", "Ready=False:PlanBlocked"},
		},
		{
			name: "plan waits for a plan whose tasks are done", task: resources.TaskSpec{WorkPlan: "q"},
			others: []resources.Object{graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"p"}}), graphtest.Task("a", graphtest.Done())},
			phase:  resources.TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{name: "active", task: resources.TaskSpec{State: resources.TaskActive}, seen: seen, phase: resources.TaskActive, conditions: []string{"Ready=False:InProgress"}},
		{
			name: "active, blocked", task: resources.TaskSpec{State: resources.TaskActive, DependsOn: []string{"a"}}, others: []resources.Object{graphtest.Task("a", resources.TaskSpec{WorkPlan: "p"})},
			phase: resources.TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "active, all evidence seen", task: resources.TaskSpec{State: resources.TaskActive, Evidence: asksFile}, seen: seen,
			phase: resources.TaskReview, conditions: []string{"OutputSatisfied=True:EvidenceSeen", "Ready=False:InReview"},
		},
		{
			name: "active, some evidence seen", task: resources.TaskSpec{State: resources.TaskActive, Evidence: asksMore}, seen: seen,
			phase: resources.TaskActive, conditions: []string{"Ready=False:InProgress"},
		},
		{name: "active, nothing recorded for long", task: resources.TaskSpec{State: resources.TaskActive}, phase: resources.TaskActive, conditions: []string{"Ready=False:InProgress", "Stale=True:NothingRecorded"}},
		{name: "review", task: resources.TaskSpec{State: resources.TaskReview}, phase: resources.TaskReview, conditions: []string{"Ready=False:InReview"}},
		{
			name: "completed, evidence stated", task: resources.TaskSpec{State: resources.TaskCompleted, Result: &resources.TaskResult{Evidence: "see PR"}},
			phase: resources.TaskCompleted, conditions: []string{"Ready=False:Completed"},
		},
		{name: "completed, a checkpoint", task: resources.TaskSpec{State: resources.TaskCompleted}, seen: seen, phase: resources.TaskCompleted, conditions: []string{"Ready=False:Completed"}},
		{
			name: "completed, nothing", task: resources.TaskSpec{State: resources.TaskCompleted},
			phase: resources.TaskReview, conditions: []string{"EvidenceMissing=True:NothingRecorded", "Ready=False:InReview"},
		},
		{
			name: "completed, evidence seen", task: resources.TaskSpec{State: resources.TaskCompleted, Evidence: asksFile}, seen: seen,
			phase: resources.TaskCompleted, conditions: []string{"OutputSatisfied=True:EvidenceSeen", "Ready=False:Completed"},
		},
		{
			name: "completed, evidence asked for and only stated", task: resources.TaskSpec{State: resources.TaskCompleted, Evidence: asksMore, Result: &resources.TaskResult{Evidence: "trust me"}}, seen: seen,
			phase: resources.TaskReview, conditions: []string{"EvidenceMissing=True:EvidenceNotSeen", "Ready=False:InReview"},
		},
		{
			name: "completed, evidence verified elsewhere", task: resources.TaskSpec{State: resources.TaskCompleted, Evidence: asksMore, Result: &resources.TaskResult{Verified: asksMore}},
			phase: resources.TaskCompleted, conditions: []string{"OutputSatisfied=True:EvidenceSeen", "Ready=False:Completed"},
		},
		{name: "failed", task: resources.TaskSpec{State: resources.TaskFailed, Reason: "no access"}, phase: resources.TaskFailed, conditions: []string{"Ready=False:Failed"}},
		{
			name: "abandoned, with a lost dependency", task: resources.TaskSpec{State: resources.TaskAbandoned, DependsOn: []string{"a"}}, archived: []resources.Key{{Kind: resources.Tasks, Name: "a"}},
			phase: resources.TaskAbandoned, conditions: []string{"Ready=False:Abandoned"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.task.WorkPlan == "" {
				test.task.WorkPlan = "p"
			}
			task := graphtest.Task("t", test.task)
			view := graph.NewSnapshot(graph.SnapshotInput{
				Objects: append(test.others, graphtest.ActivePlan(), task), Archived: test.archived, Now: graphtest.Noon,
				Evidence: map[string]*status.Evidence{"t": test.seen},
			})
			status, _ := status.DeriveTask(task, view)
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.phase == resources.TaskPlanned, status.Ready)
			assert.Equal(t, test.blockedBy, status.BlockedBy)
			assert.Equal(t, test.conditions, graphtest.ConditionsOf(status.Conditions))
		})
	}
}

func TestDeriveTaskSaysWhatToDo(t *testing.T) {
	task := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", DependsOn: []string{"gone", "kept", "slow"}, TemporalGate: &resources.TemporalGate{After: "slow", Reason: "schema first"}, Parent: "nobody", Phase: "later"})
	view := graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{graphtest.ActivePlan(), task, graphtest.Task("slow", resources.TaskSpec{WorkPlan: "p"})}, Archived: []resources.Key{{Kind: resources.Tasks, Name: "kept"}}, Now: graphtest.Noon})
	status, _ := status.DeriveTask(task, view)
	for condition, want := range map[string]string{
		resources.Blocked:     `waits for "gone" (missing), "kept" (archived), "slow"; gate: schema first`,
		resources.ChainBroken: `"kept" is in the archive; edit dependsOn, abandon "t" as well, or have the user bring it back (idumb restore task/kept)`,
		resources.Orphaned:    `spec.phase names "later" of workplans/p, spec.parent names tasks/nobody, spec.dependsOn[0] names tasks/gone, which does not exist; create it, or remove the reference: idumb edit task/t`,
	} {
		c := resources.FindCondition(status.Conditions, condition)
		require.NotNil(t, c, condition)
		assert.Equal(t, want, c.Message)
	}
}

func TestDeriveTaskStaysReadableWithManyNames(t *testing.T) {
	var circle []resources.Object
	for i := range 10_000 {
		circle = append(circle, graphtest.Task(fmt.Sprintf("t%05d", i), resources.TaskSpec{WorkPlan: "p", DependsOn: []string{fmt.Sprintf("t%05d", (i+1)%10_000)}}))
	}
	st, _ := status.DeriveTask(circle[5].(*resources.Task), graphtest.SnapshotOf(append(circle, graphtest.ActivePlan())...))
	message := resources.FindCondition(st.Conditions, resources.ChainBroken).Message
	assert.Contains(t, message, "t00000 -> t00001")
	assert.Contains(t, message, "(10000 in all)")
	assert.Less(t, len(message), 300)

	wide := graphtest.Task("wide", resources.TaskSpec{WorkPlan: "p"})
	for i := range 1000 {
		wide.Spec.DependsOn = append(wide.Spec.DependsOn, fmt.Sprintf("missing-%d", i))
	}
	st, _ = status.DeriveTask(wide, graphtest.SnapshotOf(wide, graphtest.ActivePlan()))
	assert.Len(t, st.BlockedBy, 1000)
	for _, c := range st.Conditions {
		assert.Less(t, len(c.Message), 700, c.Type)
	}
	assert.True(t, strings.Contains(resources.FindCondition(st.Conditions, resources.Blocked).Message, "and 992 more"))
}

// An active task turns stale at one moment, and a clock that was set back, or a
// file from the future, makes it fresh rather than broken.
func TestDeriveTaskStaleMoment(t *testing.T) {
	task := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", State: resources.TaskActive, StaleAfter: "2h"})
	task.Origin.ModTime = graphtest.Noon.Add(-3 * time.Hour)
	derive := func(now time.Time, seen *status.Evidence) (bool, time.Time) {
		status, next := status.DeriveTask(task, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{task, graphtest.ActivePlan()}, Now: now, Evidence: map[string]*status.Evidence{"t": seen}}))
		return resources.IsTrue(status.Conditions, resources.Stale), next
	}
	stale, next := derive(graphtest.Noon, nil)
	assert.True(t, stale)
	assert.Zero(t, next)

	stale, next = derive(graphtest.Noon, &status.Evidence{Count: 1, Newest: graphtest.Noon.Add(-time.Hour)})
	assert.False(t, stale)
	assert.Equal(t, graphtest.Noon.Add(time.Hour), next)

	stale, _ = derive(graphtest.Noon.Add(time.Hour), &status.Evidence{Count: 1, Newest: graphtest.Noon.Add(-time.Hour)})
	assert.True(t, stale)

	stale, next = derive(graphtest.Noon.Add(-100*24*time.Hour), nil)
	assert.False(t, stale)
	assert.Equal(t, graphtest.Noon.Add(-time.Hour), next)
}

// Plans that wait for each other must not send the computation round in circles.
func TestDeriveTaskInCircleOfPlans(t *testing.T) {
	p := graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"q"}})
	q := graphtest.Plan("q", resources.WorkPlanSpec{State: resources.PlanActive, DependsOn: []string{"p"}})
	s := graphtest.SnapshotOf(p, q, graphtest.Task("a", graphtest.Done()), graphtest.Task("b", resources.TaskSpec{WorkPlan: "q"}))
	assert.Equal(t, resources.TaskBlocked, s.Derived(resources.Key{Kind: resources.Tasks, Name: "b"}).(*resources.TaskStatus).Phase)
	status := s.Derived(resources.Key{Kind: resources.WorkPlans, Name: "q"}).(*resources.WorkPlanStatus)
	assert.Equal(t, resources.PlanBlocked, status.Phase)
	assert.Equal(t, []string{"p"}, status.BlockedBy)
	assert.Contains(t, resources.FindCondition(status.Conditions, resources.ChainBroken).Message, "p -> q -> p")
}

package resources

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDeriveTaskPhases(t *testing.T) {
	seen := &Sightings{Count: 1, Files: []string{"src/a.go"}, Commands: []Command{{"go test ./...", true}}, Newest: noon}
	asksFile := []EvidenceItem{{File: "src/*.go"}}
	asksMore := []EvidenceItem{{File: "src/*.go"}, {Command: "make release"}}
	for _, test := range []struct {
		name       string
		task       TaskSpec
		others     []Object
		seen       *Sightings
		archived   []Key
		phase      string
		blockedBy  []string
		conditions []string
	}{
		{name: "planned, nothing first", phase: TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"}},
		{name: "planned ahead", task: TaskSpec{PlanAhead: true}, phase: TaskPlanned, conditions: []string{"Ready=True:PlannedAhead"}},
		{
			name: "planned, dependency met", task: TaskSpec{DependsOn: []string{"a"}}, others: []Object{newTask("a", done())},
			phase: TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{
			name: "planned, dependency unmet", task: TaskSpec{DependsOn: []string{"a"}}, others: []Object{newTask("a", TaskSpec{WorkPlan: "p"})},
			phase: TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency completed without evidence", task: TaskSpec{DependsOn: []string{"a"}},
			others: []Object{newTask("a", TaskSpec{WorkPlan: "p", State: TaskCompleted})},
			phase:  TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "gate closed", task: TaskSpec{TemporalGate: &TemporalGate{After: "a", Reason: "schema first"}}, others: []Object{newTask("a", TaskSpec{WorkPlan: "p"})},
			phase: TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:GateClosed", "Ready=False:GateClosed"},
		},
		{
			name: "dependency missing", task: TaskSpec{DependsOn: []string{"a"}},
			phase: TaskBlocked, blockedBy: []string{"a"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "Orphaned=True:ReferenceMissing", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency archived", task: TaskSpec{DependsOn: []string{"a"}}, archived: []Key{{Tasks, "a"}},
			phase: TaskBlocked, blockedBy: []string{"a"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:DependencyArchived", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "dependency abandoned", task: TaskSpec{DependsOn: []string{"a"}}, others: []Object{newTask("a", TaskSpec{WorkPlan: "p", State: TaskAbandoned})},
			phase: TaskBlocked, blockedBy: []string{"a"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:DependencyAbandoned", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "depends on itself", task: TaskSpec{DependsOn: []string{"t"}},
			phase: TaskBlocked, blockedBy: []string{"t"},
			conditions: []string{"Blocked=True:DependencyNotCompleted", "ChainBroken=True:Circle", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "plan missing", task: TaskSpec{WorkPlan: "nowhere"},
			phase: TaskBlocked, blockedBy: []string{"workplan/nowhere"},
			conditions: []string{"Blocked=True:PlanBlocked", "Orphaned=True:ReferenceMissing", "Ready=False:PlanBlocked"},
		},
		{
			name: "plan abandoned", task: TaskSpec{WorkPlan: "q"}, others: []Object{newPlan("q", WorkPlanSpec{State: PlanAbandoned})},
			phase: TaskBlocked, blockedBy: []string{"workplan/q"}, conditions: []string{"Blocked=True:PlanBlocked", "Ready=False:PlanBlocked"},
		},
		{
			name: "plan a draft", task: TaskSpec{WorkPlan: "q"}, others: []Object{newPlan("q", WorkPlanSpec{})},
			phase: TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{
			name: "plan waits for a plan", task: TaskSpec{WorkPlan: "q"},
			others: []Object{newPlan("q", WorkPlanSpec{State: PlanActive, DependsOn: []string{"p"}})},
			phase:  TaskBlocked, blockedBy: []string{"workplan/p"}, conditions: []string{"Blocked=True:PlanBlocked", "Ready=False:PlanBlocked"},
		},
		{
			name: "plan waits for a plan whose tasks are done", task: TaskSpec{WorkPlan: "q"},
			others: []Object{newPlan("q", WorkPlanSpec{State: PlanActive, DependsOn: []string{"p"}}), newTask("a", done())},
			phase:  TaskPlanned, conditions: []string{"Ready=True:NothingUnmet"},
		},
		{name: "active", task: TaskSpec{State: TaskActive}, seen: seen, phase: TaskActive, conditions: []string{"Ready=False:InProgress"}},
		{
			name: "active, blocked", task: TaskSpec{State: TaskActive, DependsOn: []string{"a"}}, others: []Object{newTask("a", TaskSpec{WorkPlan: "p"})},
			phase: TaskBlocked, blockedBy: []string{"a"}, conditions: []string{"Blocked=True:DependencyNotCompleted", "Ready=False:DependencyNotCompleted"},
		},
		{
			name: "active, all evidence seen", task: TaskSpec{State: TaskActive, Evidence: asksFile}, seen: seen,
			phase: TaskReview, conditions: []string{"OutputSatisfied=True:EvidenceSeen", "Ready=False:InReview"},
		},
		{
			name: "active, some evidence seen", task: TaskSpec{State: TaskActive, Evidence: asksMore}, seen: seen,
			phase: TaskActive, conditions: []string{"Ready=False:InProgress"},
		},
		{name: "active, nothing recorded for long", task: TaskSpec{State: TaskActive}, phase: TaskActive, conditions: []string{"Ready=False:InProgress", "Stale=True:NothingRecorded"}},
		{name: "review", task: TaskSpec{State: TaskReview}, phase: TaskReview, conditions: []string{"Ready=False:InReview"}},
		{
			name: "completed, evidence stated", task: TaskSpec{State: TaskCompleted, Result: &TaskResult{Evidence: "see PR"}},
			phase: TaskCompleted, conditions: []string{"Ready=False:Completed"},
		},
		{name: "completed, a checkpoint", task: TaskSpec{State: TaskCompleted}, seen: seen, phase: TaskCompleted, conditions: []string{"Ready=False:Completed"}},
		{
			name: "completed, nothing", task: TaskSpec{State: TaskCompleted},
			phase: TaskReview, conditions: []string{"EvidenceMissing=True:NothingRecorded", "Ready=False:InReview"},
		},
		{
			name: "completed, evidence seen", task: TaskSpec{State: TaskCompleted, Evidence: asksFile}, seen: seen,
			phase: TaskCompleted, conditions: []string{"OutputSatisfied=True:EvidenceSeen", "Ready=False:Completed"},
		},
		{
			name: "completed, evidence asked for and only stated", task: TaskSpec{State: TaskCompleted, Evidence: asksMore, Result: &TaskResult{Evidence: "trust me"}}, seen: seen,
			phase: TaskReview, conditions: []string{"EvidenceMissing=True:EvidenceNotSeen", "Ready=False:InReview"},
		},
		{
			name: "completed, evidence verified elsewhere", task: TaskSpec{State: TaskCompleted, Evidence: asksMore, Result: &TaskResult{Verified: asksMore}},
			phase: TaskCompleted, conditions: []string{"OutputSatisfied=True:EvidenceSeen", "Ready=False:Completed"},
		},
		{name: "failed", task: TaskSpec{State: TaskFailed, Reason: "no access"}, phase: TaskFailed, conditions: []string{"Ready=False:Failed"}},
		{
			name: "abandoned, with a lost dependency", task: TaskSpec{State: TaskAbandoned, DependsOn: []string{"a"}}, archived: []Key{{Tasks, "a"}},
			phase: TaskAbandoned, conditions: []string{"Ready=False:Abandoned"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.task.WorkPlan == "" {
				test.task.WorkPlan = "p"
			}
			task := newTask("t", test.task)
			view := NewSnapshot(SnapshotInput{
				Objects: append(test.others, activePlan(), task), Archived: test.archived, Now: noon,
				Sightings: map[string]*Sightings{"t": test.seen},
			})
			status, _ := DeriveTask(task, view)
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.phase == TaskPlanned, status.Ready)
			assert.Equal(t, test.blockedBy, status.BlockedBy)
			assert.Equal(t, test.conditions, conditionsOf(status.Conditions))
		})
	}
}

func TestDeriveTaskSaysWhatToDo(t *testing.T) {
	task := newTask("t", TaskSpec{WorkPlan: "p", DependsOn: []string{"gone", "kept", "slow"}, TemporalGate: &TemporalGate{After: "slow", Reason: "schema first"}, Parent: "nobody", Phase: "later"})
	view := NewSnapshot(SnapshotInput{Objects: []Object{activePlan(), task, newTask("slow", TaskSpec{WorkPlan: "p"})}, Archived: []Key{{Tasks, "kept"}}, Now: noon})
	status, _ := DeriveTask(task, view)
	for condition, want := range map[string]string{
		Blocked:     `waits for "gone" (missing), "kept" (archived), "slow"; gate: schema first`,
		ChainBroken: `"kept" is in the archive; edit dependsOn, bring it back (idumb restore task/kept), or abandon "t" as well`,
		Orphaned:    `spec.phase names "later" of workplans/p, spec.parent names tasks/nobody, spec.dependsOn[0] names tasks/gone, which does not exist; create it, or take the reference out`,
	} {
		c := FindCondition(status.Conditions, condition)
		require.NotNil(t, c, condition)
		assert.Equal(t, want, c.Message)
	}
}

func TestDeriveTaskStaysReadableWithManyNames(t *testing.T) {
	var circle []Object
	for i := range 10_000 {
		circle = append(circle, newTask(fmt.Sprintf("t%05d", i), TaskSpec{WorkPlan: "p", DependsOn: []string{fmt.Sprintf("t%05d", (i+1)%10_000)}}))
	}
	status, _ := DeriveTask(circle[5].(*Task), snapshotOf(append(circle, activePlan())...))
	message := FindCondition(status.Conditions, ChainBroken).Message
	assert.Contains(t, message, "t00000 -> t00001")
	assert.Contains(t, message, "(10000 in all)")
	assert.Less(t, len(message), 300)

	wide := newTask("wide", TaskSpec{WorkPlan: "p"})
	for i := range 1000 {
		wide.Spec.DependsOn = append(wide.Spec.DependsOn, fmt.Sprintf("missing-%d", i))
	}
	status, _ = DeriveTask(wide, snapshotOf(wide, activePlan()))
	assert.Len(t, status.BlockedBy, 1000)
	for _, c := range status.Conditions {
		assert.Less(t, len(c.Message), 700, c.Type)
	}
	assert.True(t, strings.Contains(FindCondition(status.Conditions, Blocked).Message, "and 992 more"))
}

// An active task turns stale at one moment, and a clock that was set back, or a
// file from the future, makes it fresh rather than broken.
func TestDeriveTaskStaleMoment(t *testing.T) {
	task := newTask("t", TaskSpec{WorkPlan: "p", State: TaskActive, StaleAfter: "2h"})
	task.Origin.ModTime = noon.Add(-3 * time.Hour)
	derive := func(now time.Time, seen *Sightings) (bool, time.Time) {
		status, next := DeriveTask(task, NewSnapshot(SnapshotInput{Objects: []Object{task, activePlan()}, Now: now, Sightings: map[string]*Sightings{"t": seen}}))
		return IsTrue(status.Conditions, Stale), next
	}
	stale, next := derive(noon, nil)
	assert.True(t, stale)
	assert.Zero(t, next)

	stale, next = derive(noon, &Sightings{Count: 1, Newest: noon.Add(-time.Hour)})
	assert.False(t, stale)
	assert.Equal(t, noon.Add(time.Hour), next)

	stale, _ = derive(noon.Add(time.Hour), &Sightings{Count: 1, Newest: noon.Add(-time.Hour)})
	assert.True(t, stale)

	stale, next = derive(noon.Add(-100*24*time.Hour), nil)
	assert.False(t, stale)
	assert.Equal(t, noon.Add(-time.Hour), next)
}

// Plans that wait for each other must not send the computation round in circles.
func TestDeriveTaskInCircleOfPlans(t *testing.T) {
	p := newPlan("p", WorkPlanSpec{State: PlanActive, DependsOn: []string{"q"}})
	q := newPlan("q", WorkPlanSpec{State: PlanActive, DependsOn: []string{"p"}})
	s := snapshotOf(p, q, newTask("a", done()), newTask("b", TaskSpec{WorkPlan: "q"}))
	assert.Equal(t, TaskBlocked, s.Derived(Key{Tasks, "b"}).(*TaskStatus).Phase)
	status := s.Derived(Key{WorkPlans, "q"}).(*WorkPlanStatus)
	assert.Equal(t, PlanBlocked, status.Phase)
	assert.Equal(t, []string{"p"}, status.BlockedBy)
	assert.Contains(t, FindCondition(status.Conditions, ChainBroken).Message, "p -> q -> p")
}

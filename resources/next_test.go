package resources

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestNextTasksOrder(t *testing.T) {
	in := func(plan, priority string, dependsOn ...string) TaskSpec {
		return TaskSpec{WorkPlan: plan, Priority: priority, DependsOn: dependsOn}
	}
	s := snapshotOf(
		activePlan(), newPlan("sketch", WorkPlanSpec{}), newPlan("closed", WorkPlanSpec{State: PlanCompleted}), newPlan("over", WorkPlanSpec{State: PlanAbandoned}),
		newTask("urgent", in("p", "critical")),
		newTask("root", in("p", "")), newTask("child", in("p", "", "root")), newTask("grandchild", in("p", "", "child")),
		newTask("lone-b", in("p", "")), newTask("lone-a", in("p", "")), born(newTask("old", in("p", "")), noon.Add(-time.Hour)),
		newTask("minor", in("p", "low")),
		newTask("ahead", TaskSpec{WorkPlan: "p", PlanAhead: true, Priority: "critical"}),
		newTask("left", in("closed", "")),
		newTask("drafted", in("sketch", "high")),
		newTask("given-up", in("over", "critical")),
	)
	var got []string
	for _, next := range NextTasks(s, 0) {
		got = append(got, next.Name+": "+next.Why)
	}
	assert.Equal(t, []string{
		"urgent: critical", "root: unblocks 2", "lone-a: nothing comes first", "lone-b: nothing comes first", "old: nothing comes first", "minor: low",
		"left: nothing comes first", "drafted: high; its plan is a draft",
	}, got)
	assert.Len(t, NextTasks(s, 3), 3)
	assert.Equal(t, "root", NextTasks(s, 3)[1].Name)
	assert.Equal(t, []NextTask{{Name: "drafted", Plan: "sketch", Why: "high; its plan is a draft"}}, NextInPlanOf("sketch", s, 10))
}

// What is completed or given up needs no unblocking, and a long chain or a circle
// is not walked to its end.
func TestUnblocks(t *testing.T) {
	objects := []Object{activePlan(), newTask("t0000", TaskSpec{WorkPlan: "p"})}
	for i := 1; i < 1000; i++ {
		objects = append(objects, newTask(fmt.Sprintf("t%04d", i), TaskSpec{WorkPlan: "p", DependsOn: []string{fmt.Sprintf("t%04d", i-1)}}))
	}
	s := snapshotOf(objects...)
	assert.Equal(t, unblocksCap, Unblocks("t0000", s))
	assert.Equal(t, 2, Unblocks("t0997", s))
	assert.Equal(t, "unblocks 100 or more", NextTasks(s, 1)[0].Why)

	s = snapshotOf(newTask("a", TaskSpec{DependsOn: []string{"b"}}), newTask("b", TaskSpec{DependsOn: []string{"a"}}), newTask("c", done("a")))
	assert.Equal(t, 1, Unblocks("a", s))
}

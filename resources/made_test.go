package resources

import (
	"fmt"
	"time"
)

// What tests make objects with.

func made[S, T any](plural, name string, spec S) *Resource[S, T] {
	kind, ok := KindOf(plural)
	if !ok {
		panic(plural)
	}
	o := kind.New().(*Resource[S, T])
	o.Metadata.Name, o.Spec = name, spec
	return o
}

func newTask(name string, spec TaskSpec) *Task {
	return made[TaskSpec, TaskStatus](Tasks, name, spec)
}

func newPlan(name string, spec WorkPlanSpec) *WorkPlan {
	return made[WorkPlanSpec, WorkPlanStatus](WorkPlans, name, spec)
}

func newAnchor(name string, spec AnchorSpec) *Anchor {
	return made[AnchorSpec, AnchorStatus](Anchors, name, spec)
}

func newMem(name string, spec MemSpec) *Mem { return made[MemSpec, MemStatus](Mems, name, spec) }

func newSession(name string, spec SessionSpec) *Session {
	return made[SessionSpec, SessionStatus](Sessions, name, spec)
}

func newDelegation(name string, spec DelegationSpec) *Delegation {
	return made[DelegationSpec, DelegationStatus](Delegations, name, spec)
}

// born sets an object's creationTimestamp.
func born[O Object](o O, at time.Time) O {
	o.Head().Metadata.CreationTimestamp = NewTime(at)
	return o
}

// noon is when tests take place.
var noon = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// snapshotOf is a store of these objects at noon.
func snapshotOf(objects ...Object) *Snapshot {
	return NewSnapshot(SnapshotInput{Objects: objects, Now: noon})
}

// done is the spec of a completed task of plan p.
func done(dependsOn ...string) TaskSpec {
	return TaskSpec{WorkPlan: "p", State: TaskCompleted, DependsOn: dependsOn, Result: &TaskResult{Evidence: "seen"}}
}

// activePlan is the plan p that most tests take place in.
func activePlan() *WorkPlan { return newPlan("p", WorkPlanSpec{State: PlanActive}) }

// conditionsOf writes conditions as "Type=Status:Reason", in their order.
func conditionsOf(conditions []Condition) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, fmt.Sprintf("%s=%s:%s", c.Type, c.Status, c.Reason))
	}
	return all
}

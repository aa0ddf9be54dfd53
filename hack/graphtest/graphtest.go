// Package graphtest creates objects and snapshots for tests.
package graphtest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// NewObject returns an object with a spec, of a kind given by its plural.
func NewObject[S, T any](plural, name string, spec S) *resources.Resource[S, T] {
	kind, ok := resources.KindOf(plural)
	if !ok {
		panic(plural)
	}
	o := kind.New().(*resources.Resource[S, T])
	o.Metadata.Name, o.Spec = name, spec
	return o
}

// Task returns a task with a spec.
func Task(name string, spec resources.TaskSpec) *resources.Task {
	return NewObject[resources.TaskSpec, resources.TaskStatus](resources.Tasks, name, spec)
}

// Plan returns a plan with a spec.
func Plan(name string, spec resources.WorkPlanSpec) *resources.WorkPlan {
	return NewObject[resources.WorkPlanSpec, resources.WorkPlanStatus](resources.WorkPlans, name, spec)
}

// Anchor returns an anchor with a spec.
func Anchor(name string, spec resources.AnchorSpec) *resources.Anchor {
	return NewObject[resources.AnchorSpec, resources.AnchorStatus](resources.Anchors, name, spec)
}

// Mem returns a mem with a spec.
func Mem(name string, spec resources.MemSpec) *resources.Mem {
	return NewObject[resources.MemSpec, resources.MemStatus](resources.Mems, name, spec)
}

// Decision returns a decision with a spec.
func Decision(name string, spec resources.DecisionSpec) *resources.Decision {
	return NewObject[resources.DecisionSpec, resources.DecisionStatus](resources.Decisions, name, spec)
}

// Session returns a session with a spec.
func Session(name string, spec resources.SessionSpec) *resources.Session {
	return NewObject[resources.SessionSpec, resources.SessionStatus](resources.Sessions, name, spec)
}

// Delegation returns a delegation with a spec.
func Delegation(name string, spec resources.DelegationSpec) *resources.Delegation {
	return NewObject[resources.DelegationSpec, resources.DelegationStatus](resources.Delegations, name, spec)
}

// CreatedAt sets an object's creationTimestamp.
func CreatedAt[O resources.Object](o O, at time.Time) O {
	o.Head().Metadata.CreationTimestamp = resources.NewTime(at)
	return o
}

// Noon is the current time in tests.
var Noon = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

// SnapshotOf returns a snapshot of objects at Noon.
func SnapshotOf(objects ...resources.Object) *graph.Snapshot {
	return graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: Noon})
}

// Done returns the spec of a completed task of plan p.
func Done(dependsOn ...string) resources.TaskSpec {
	return resources.TaskSpec{WorkPlan: "p", State: resources.TaskCompleted, DependsOn: dependsOn, Result: &resources.TaskResult{Evidence: "seen"}}
}

// ActivePlan returns the plan p, which most tests use.
func ActivePlan() *resources.WorkPlan {
	return Plan("p", resources.WorkPlanSpec{State: resources.PlanActive})
}

// ConditionsOf formats conditions as "Type=Status:Reason", in their order.
func ConditionsOf(conditions []resources.Condition) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, fmt.Sprintf("%s=%s:%s", c.Type, c.Status, c.Reason))
	}
	return all
}

// DaysOld returns a mem that was created n days before Noon.
func DaysOld(n int, name string, spec resources.MemSpec) *resources.Mem {
	return CreatedAt(Mem(name, spec), Noon.Add(-time.Duration(n)*status.Day))
}

// RandomMems returns mems that supersede and contradict each other in random ways.
func RandomMems(r *rand.Rand, n int) []resources.Object {
	var objects []resources.Object
	name := func() string { return fmt.Sprintf("m%d", r.IntN(n)) }
	for i := range n {
		spec := resources.MemSpec{Content: []string{"A b", "a, b!", "c"}[r.IntN(3)], TopicKey: []string{"", "t", "T"}[r.IntN(3)]}
		if r.IntN(3) > 0 {
			spec.Supersedes = name()
		}
		if r.IntN(6) == 0 {
			spec.Shelf = "s"
		}
		if r.IntN(4) == 0 {
			spec.Type = resources.FalsePath
		}
		if r.IntN(2) == 0 {
			spec.SupersedeReason = "because"
		}
		if r.IntN(6) == 0 {
			spec.PurgedAt = resources.NewTime(Noon.Add(-time.Hour))
		}
		if r.IntN(6) == 0 {
			spec.ValidFrom = resources.NewTime(Noon.Add(time.Hour * time.Duration(r.IntN(48)-24)))
		}
		objects = append(objects, DaysOld(r.IntN(4), fmt.Sprintf("m%d", i), spec))
	}
	return objects
}

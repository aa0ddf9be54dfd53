package graph_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// BenchmarkDerive computes every status of a repository of ten thousand tasks: ten
// plans, each task waiting for three earlier ones, a third completed.
func BenchmarkDerive(b *testing.B) {
	in := graph.SnapshotInput{Now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	for i := range 10 {
		in.Objects = append(in.Objects, graphtest.Plan(fmt.Sprintf("plan-%d", i), resources.WorkPlanSpec{State: resources.PlanActive}))
	}
	for i := range 10_000 {
		spec := resources.TaskSpec{WorkPlan: fmt.Sprintf("plan-%d", i%10), ExpectedOutput: "it works"}
		for j := 1; j <= 3 && i-j*7 >= 0; j++ {
			spec.DependsOn = append(spec.DependsOn, fmt.Sprintf("task-%05d", i-j*7))
		}
		if i < 3333 {
			spec.State, spec.Result = resources.TaskCompleted, &resources.TaskResult{Evidence: "seen"}
		}
		task := graphtest.Task(fmt.Sprintf("task-%05d", i), spec)
		task.Metadata.UID = "0f4dd6f2-3f5e-4d4e-9e5f-3d4b8f0f6a11"
		in.Objects = append(in.Objects, task)
	}
	b.ReportAllocs()
	for b.Loop() {
		s := graph.NewSnapshot(in)
		for _, kind := range []string{resources.Tasks, resources.WorkPlans} {
			for _, key := range s.List(kind) {
				s.Derived(key)
			}
		}
	}
}

package tree

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

func task(name string, spec resources.TaskSpec) resources.Object {
	kind, _ := resources.KindOf(resources.Tasks)
	o := kind.New().(*resources.Task)
	o.Metadata.Name, o.Spec = name, spec
	o.Spec.WorkPlan, o.Spec.ExpectedOutput = "p", "x"
	return o
}

func drawn(t *testing.T, o Options, objects ...resources.Object) string {
	t.Helper()
	kind, _ := resources.KindOf(resources.WorkPlans)
	plan := kind.New().(*resources.WorkPlan)
	plan.Metadata.Name, plan.Spec = "p", resources.WorkPlanSpec{Title: "P", State: resources.PlanActive}
	s := graph.NewSnapshot(graph.SnapshotInput{Objects: append(objects, plan), Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	var b strings.Builder
	_, err := Draw(&b, queries.FromFiles("", s), o)
	require.NoError(t, err)
	return b.String()
}

// Tasks stand in an order in which they can be done, whatever their names are.
func TestOrder(t *testing.T) {
	got := drawn(t, Options{Look: Look{ASCII: true}},
		task("a", resources.TaskSpec{DependsOn: []string{"c"}}), task("b", resources.TaskSpec{Priority: "low"}),
		task("c", resources.TaskSpec{TemporalGate: &resources.TemporalGate{After: "d"}}), task("d", resources.TaskSpec{}))
	order := []int{strings.Index(got, "- d ["), strings.Index(got, "- c ["), strings.Index(got, "- a ["), strings.Index(got, "- b [")}
	assert.IsIncreasing(t, order, got)
}

// A chain of ten thousand is drawn with as many lines, not as far to the right.
func TestLongChain(t *testing.T) {
	var chain []resources.Object
	for i := range 10_000 {
		spec := resources.TaskSpec{}
		if i > 0 {
			spec.DependsOn = []string{fmt.Sprintf("t%d", i-1)}
			spec.Parent = fmt.Sprintf("t%d", i-1)
		}
		chain = append(chain, task(fmt.Sprintf("t%d", i), spec))
	}
	got := drawn(t, Options{}, chain...)
	assert.Less(t, len(got), 2_000_000)
	assert.Equal(t, 20_000, strings.Count(got, "\n"), "each task once, and each but the first with what it needs")
}

// Parts of one another are drawn all the same.
func TestParentsInACircle(t *testing.T) {
	got := drawn(t, Options{}, task("a", resources.TaskSpec{Parent: "b"}), task("b", resources.TaskSpec{Parent: "a"}), task("c", resources.TaskSpec{Parent: "a"}))
	for _, name := range []string{"a", "b", "c"} {
		assert.Equal(t, 1, strings.Count(got, "── "+name+" ["), got)
	}
}

func TestEscapesAndColours(t *testing.T) {
	evil := task("a", resources.TaskSpec{Title: "\x1b[2J"})
	assert.Contains(t, drawn(t, Options{}, evil), `\x1b[2J`)
	assert.NotContains(t, drawn(t, Options{}, evil), "\x1b")
	assert.Contains(t, drawn(t, Options{Look: Look{Colour: true}}, task("a", resources.TaskSpec{State: "failed"})), "\x1b[31m[failed]\x1b[0m")
}

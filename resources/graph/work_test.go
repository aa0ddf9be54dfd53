package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// A task is freed by another one only if it can be started now.
func TestFreedBy(t *testing.T) {
	after := resources.TaskSpec{WorkPlan: "p", DependsOn: []string{"first"}}
	later, more := after, after
	later.PlanAhead, more.DependsOn = true, []string{"first", "open"}
	v := graphtest.SnapshotOf(graphtest.Plan("p", resources.WorkPlanSpec{State: resources.PlanActive}),
		graphtest.Task("first", resources.TaskSpec{WorkPlan: "p", State: resources.TaskCompleted, Result: &resources.TaskResult{Evidence: "seen"}}),
		graphtest.Task("open", resources.TaskSpec{WorkPlan: "p"}), graphtest.Task("a", after), graphtest.Task("b", after),
		graphtest.Task("later", later), graphtest.Task("more", more))
	assert.Equal(t, []string{"a", "b"}, v.FreedBy("first", 5))
	assert.Equal(t, []string{"a"}, v.FreedBy("first", 1))
}

// The graph asks its surroundings where a file went.
func TestSourceMoved(t *testing.T) {
	v := graph.NewSnapshot(graph.SnapshotInput{SourceMoved: func(path, section, sha256 string) string { return path + "|" + section + "|" + sha256 }})
	assert.Equal(t, "a.md|Use|0", v.SourceMoved("a.md", "Use", "0"))
	assert.Empty(t, graph.NewSnapshot(graph.SnapshotInput{}).SourceMoved("a.md", "", ""))
}

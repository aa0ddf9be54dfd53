package status_test

import (
	"testing"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
	"github.com/stretchr/testify/assert"
)

func TestTaskLevels(t *testing.T) {
	part := func(name, parent string) *resources.Task {
		return graphtest.Task(name, resources.TaskSpec{WorkPlan: "p", Parent: parent})
	}
	config := graphtest.NewObject[resources.ConfigSpec, resources.ConfigStatus](resources.Configs, resources.ConfigName, resources.ConfigSpec{})
	tasks := []*resources.Task{part("a", ""), part("b", "a"), part("c", "b"), part("d", "c"), part("x", ""), part("y", "x"), part("loop", "loop")}
	view := func() *graph.Snapshot {
		objects := []resources.Object{config}
		for _, task := range tasks {
			objects = append(objects, task)
		}
		return graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: graphtest.Noon})
	}
	deep := func() (names []string) {
		for _, task := range tasks {
			st, _ := status.DeriveTask(task, view())
			if c := resources.FindCondition(st.Conditions, resources.TooDeep); c != nil {
				assert.Contains(t, c.Message, "idumb edit task "+task.Metadata.Name)
				names = append(names, task.Metadata.Name)
			}
		}
		return names
	}
	assert.Equal(t, []string{"d"}, deep())
	refused := func(old, next *resources.Task) bool {
		v := view()
		return len(status.CheckLevel(old, next, v, v.PlanTasks)) > 0
	}
	assert.False(t, refused(nil, part("new", "b")), "a third level")
	assert.True(t, refused(nil, part("new", "c")), "a fourth level")
	assert.False(t, refused(part("d", "c"), part("d", "c")), "an edit that does not move it")
	moved := part("x", "b")
	tasks[4] = moved
	assert.True(t, refused(part("x", ""), moved), "its part y would be on the fourth level")
	config.Spec.TaskLevels = 4
	assert.False(t, refused(part("x", ""), moved))
	assert.Empty(t, deep())
}

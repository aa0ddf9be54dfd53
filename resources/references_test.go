package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rename visits what References lists, and leaves out of lists what it is told to.
func TestRename(t *testing.T) {
	o, _, err := Read(Key{Kind: Tasks, Name: "a"}, []byte(`{"spec":{"workPlan":"p","expectedOutput":"x","parent":"b","dependsOn":["c","d","e"],"temporalGate":{"after":"c","reason":"r"},"result":{"anchorsCreated":["n"]}}}`))
	require.NoError(t, err)
	before := Clone(o)
	var listed, visited []Reference
	listed = References(o)
	Rename(o, func(at Reference, name string) string {
		visited = append(visited, at)
		return name
	})
	assert.Equal(t, listed, visited)
	assert.Equal(t, before, o, "the same names change nothing")

	Rename(o, func(at Reference, name string) string {
		if name == "d" {
			return ""
		}
		return at.Key.Kind + "-" + name
	})
	spec := o.(*Task).Spec
	assert.Equal(t, "workplans-p", spec.WorkPlan)
	assert.Equal(t, "tasks-b", spec.Parent)
	assert.Equal(t, []string{"tasks-c", "tasks-e"}, spec.DependsOn)
	assert.Equal(t, "tasks-c", spec.TemporalGate.After)
	assert.Equal(t, []string{"anchors-n"}, spec.Result.AnchorsCreated)
}

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

// What a decision depends on is named without its section, and may be of another kind.
func TestReferencesOfADecision(t *testing.T) {
	o, _, err := Read(Key{Kind: Decisions, Name: "a"}, []byte(`{"spec":{"title":"t","dependsOn":["b","decisions/c","artifacts/prd#Auth"],"supersedes":"d"}}`))
	require.NoError(t, err)
	assert.Equal(t, []Reference{
		{"spec.dependsOn[0]", Key{Kind: Decisions, Name: "b"}}, {"spec.dependsOn[1]", Key{Kind: Decisions, Name: "c"}},
		{"spec.dependsOn[2]", Key{Kind: "artifacts", Name: "prd"}}, {"spec.supersedes", Key{Kind: Decisions, Name: "d"}},
	}, References(o))
	assert.Equal(t, []string{"b", "c"}, DecisionsBefore(o.(*Decision)))
}

package tools

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// What is empty counts as not given, but only under a name that there is.
func TestEmptyArguments(t *testing.T) {
	tool, _ := find("govern_task")
	args, err := readArguments([]byte(`{"action": "status", "task": null, "evidence": "", "files": null}`))
	require.NoError(t, err)
	assert.False(t, args.has("task"))
	require.NoError(t, args.check(tool.allParams(), ""))
	assert.Equal(t, []string{"action"}, slices.Collect(maps.Keys(args)))
	args, err = readArguments([]byte(`{"action": "status", "metadata": null}`))
	require.NoError(t, err)
	assert.ErrorContains(t, args.check(tool.allParams(), ""), `"metadata" is not an argument`)
}

func TestListsOfArguments(t *testing.T) {
	args, err := readArguments([]byte(`{"action": "branch", "into": ["a", "b"], "task": " t "}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, args.texts("into"))
	assert.Empty(t, args.texts("dependsOn"))
	assert.Equal(t, "t", args.text("task"))
}

// Plans that are worked on come first in a list, whatever their names are.
func TestActivePlansComeFirst(t *testing.T) {
	lines := []planLine{{Name: "a", Phase: resources.PlanDraft}, {Name: "b", Phase: resources.PlanActive}, {Name: "c", Phase: resources.PlanActive}}
	slices.SortStableFunc(lines, func(a, b planLine) int { return activeFirst(a) - activeFirst(b) })
	assert.Equal(t, []string{"b", "c", "a"}, []string{lines[0].Name, lines[1].Name, lines[2].Name})
}

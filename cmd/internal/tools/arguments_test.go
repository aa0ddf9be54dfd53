package tools

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

package tools

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/acts/actstest"
	"github.com/idumb-dev/idumb/resources"
)

// An act that is added to the table is an action of its tool, with its arguments, and is done by it.
func TestAnActOfTheTableIsInItsTool(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"workplans/p": `{"spec": {"title": "P", "acceptance": ["a"]}}`, "tasks/a": `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".idumb", filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".idumb", name+".json"), []byte(text), 0o600))
	}
	table := append(acts.All(), actstest.Toy())
	for _, d := range definitions(table) {
		assert.Equal(t, d.Name == "govern_task", strings.Contains(d.Description, " polish {reason} makes it shine. "), d.Name)
		assert.Equal(t, d.Name == "govern_task", strings.Contains(string(d.Schema), `"polish"`), d.Name)
	}
	s := &Service{Env: []string{"CLAUDE_PROJECT_DIR=" + dir, "IDUMB_TRUST=" + dir}, Now: time.Now, acts: table}
	reply := s.Call(t.Context(), Request{Tool: "govern_task", Arguments: []byte(`{"action": "polish", "task": "a"}`)})
	assert.Contains(t, string(reply.JSON), `"useInstead":"govern_task {\"action\":\"polish\",\"task\":\"a\",\"reason\":\"...\"}"`)
	reply = s.Call(t.Context(), Request{Tool: "govern_task", Arguments: []byte(`{"action": "polish", "task": "a", "reason": " brightly "}`)})
	assert.False(t, reply.Error, string(reply.JSON))
	data, err := os.ReadFile(filepath.Join(dir, ".idumb/tasks/a.json"))
	require.NoError(t, err)
	assert.Contains(t, string(data), `"notes": "brightly"`)
}

// What is empty counts as not given, but only under a name that there is.
func TestEmptyArguments(t *testing.T) {
	tool, _ := findTool(acts.All(), "govern_task")
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

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A task is routed by what its plan is about: a role that does not take such is refused,
// and what is printed instead hands it to one that does.
func TestTasksAreRoutedByCategory(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	require.Equal(t, "success", c.call("govern_plan", `{"action":"create","name":"site","title":"A site","acceptance":["up"],"category":"development"}`).Status)
	require.Equal(t, "success", c.call("govern_plan", `{"action":"plan_tasks","plan":"site","tasks":[{"name":"form","expectedOutput":"A form","source":{"file":"src/form.go","line":3}}]}`).Status)
	status := c.call("govern_task", `{"action":"status","task":"form"}`)
	assert.Contains(t, status.text, `"at":"src/form.go:3"`)

	refused := c.call("govern_delegate", `{"action":"assign","task":"form","to":"investigator"}`)
	require.Equal(t, "error", refused.Status)
	assert.Contains(t, refused.text, "is about development")
	tool, arguments, found := strings.Cut(refused.UseInstead, " ")
	require.True(t, found)
	require.Equal(t, "govern_delegate", tool)
	assert.Contains(t, arguments, `"to":"executor"`)
	handed := c.call(tool, arguments)
	require.Equal(t, "success", handed.Status, handed.text)

	wrong := c.call("govern_plan", `{"action":"create","title":"A site","acceptance":["up"],"category":"cooking"}`)
	require.Equal(t, "error", wrong.Status)
	assert.Contains(t, wrong.UseInstead, "development")
	assert.Equal(t, 0, c.leave())
}

// Who completes the last task is told which criteria are open, and with which call to show that
// they hold; as it is printed it goes through, and the last one completes the plan.
func TestCriteriaAreShown(t *testing.T) {
	c := start(t, string(repository(t)), "test")
	require.Equal(t, "success", c.call("govern_plan", `{"action":"create","name":"site","title":"A site","acceptance":["up","fast"]}`).Status)
	require.Equal(t, "success", c.call("govern_plan", `{"action":"plan_tasks","plan":"site","tasks":[{"name":"page","expectedOutput":"x"}]}`).Status)
	require.Equal(t, "success", c.call("govern_task", `{"action":"start","task":"page"}`).Status)
	told := c.call("govern_task", `{"action":"complete","task":"page","evidence":"seen"}`)
	require.Equal(t, "success", told.Status, told.text)
	for _, want := range []string{`1 \"up\", 2 \"fast\"`, `2 \"fast\"`} {
		var answer struct{ ShowIt string }
		require.NoError(t, json.Unmarshal([]byte(told.text), &answer))
		assert.Contains(t, told.text, want)
		arguments, ok := strings.CutPrefix(answer.ShowIt, "govern_plan ")
		require.True(t, ok, answer.ShowIt)
		assert.Contains(t, c.call("govern_plan", arguments).text, "the evidence names no existing file, object or command")
		told = c.call("govern_plan", strings.Replace(arguments, "task/NAME", "task/page", 1))
		require.Equal(t, "success", told.Status, told.text)
	}
	assert.Contains(t, told.text, `"state":"completed"`)
	assert.Contains(t, c.call("govern_plan", `{"action":"complete","plan":"site","met":[7],"evidence":"x"}`).text, "no criterion 7")
	assert.Equal(t, 0, c.leave())
}

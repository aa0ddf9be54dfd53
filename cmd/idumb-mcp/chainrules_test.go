package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tools are held to chain rules by the commands that do the same: what a rule denies
// is denied, and what it warns of comes with the answer.
func TestChainRulesHoldForTools(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	require.NoError(t, os.Mkdir(filepath.Join(string(root), "planning"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(string(root), "planning", "STATE.md"), nil, 0o644))

	denied := c.call("govern_plan", `{"action":"create","title":"More","acceptance":["it is there"]}`)
	require.Equal(t, "error", denied.Status)
	assert.Contains(t, denied.text, `rule \"proj-01\" requires`)
	assert.Contains(t, denied.UseInstead, "Write PROJECT.md first")
	_, again, found := strings.Cut(denied.UseInstead, "If it cannot wait: govern_plan ")
	require.True(t, found, denied.UseInstead)
	again, _, _ = strings.Cut(again, ", which is recorded.")
	forced := c.call("govern_plan", again)
	require.Equal(t, "success", forced.Status, "as it was printed: %s", again)
	assert.Contains(t, events(t, string(root)), `SOFT_BLOCK passed with --force`)
	require.NoError(t, os.WriteFile(filepath.Join(string(root), "planning", "PROJECT.md"), nil, 0o644))
	assert.Equal(t, "success", c.call("govern_plan", `{"action":"create","title":"More","acceptance":["it is there"]}`).Status)

	warned := c.call("govern_delegate", `{"action":"assign","task":"db-schema","to":"executor"}`)
	require.Equal(t, "success", warned.Status, warned.text)
	assert.Contains(t, warned.text, `"advice"`)
	assert.Contains(t, warned.text, "CONTEXT.md")
	require.NoError(t, os.WriteFile(filepath.Join(string(root), "planning", "CONTEXT.md"), nil, 0o644))
	c.must("govern_plan", `{"action":"plan_tasks","plan":"user-auth","tasks":[{"name":"docs","expectedOutput":"a page"}],"force":true}`)
	told := c.call("govern_delegate", `{"action":"assign","task":"docs","to":"executor"}`)
	require.Equal(t, "success", told.Status, told.text)
	assert.NotContains(t, told.text, `"advice"`)
	c.must("govern_task", `{"action":"start","task":"db-schema"}`)
	completed := c.must("govern_task", `{"action":"complete","task":"db-schema","evidence":"seen"}`)
	assert.NotContains(t, completed.text, `"advice"`, "the evidence came with the call")
	hard := c.call("govern_plan", `{"action":"archive","plan":"user-auth","force":true}`)
	require.Equal(t, "error", hard.Status)
	assert.Contains(t, hard.text, `rule \"val-01\" requires`)
	assert.NotContains(t, hard.UseInstead, "force")
	assert.Equal(t, 0, c.leave())
}

// events is all that was written down in a repository.
func events(t *testing.T, root string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, ".idumb", "events", "*.jsonl"))
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(data)
	}
	return all.String()
}

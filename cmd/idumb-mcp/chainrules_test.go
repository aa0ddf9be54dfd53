package main

import (
	"os"
	"path/filepath"
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

	denied := c.call("govern_plan", `{"action":"create","title":"More","acceptance":["it is there"]}`)
	require.Equal(t, "error", denied.Status)
	assert.Contains(t, denied.text, `rule \"proj-01\" asks for`)
	assert.Contains(t, denied.UseInstead, "Write PROJECT.md first")
	require.NoError(t, os.WriteFile(filepath.Join(string(root), "planning", "PROJECT.md"), nil, 0o644))
	assert.Equal(t, "success", c.call("govern_plan", `{"action":"create","title":"More","acceptance":["it is there"]}`).Status)

	warned := c.call("govern_delegate", `{"action":"assign","task":"db-schema","to":"executor"}`)
	require.Equal(t, "success", warned.Status, warned.text)
	assert.Contains(t, warned.text, `"advice"`)
	assert.Contains(t, warned.text, "CONTEXT.md")
	require.NoError(t, os.WriteFile(filepath.Join(string(root), "planning", "CONTEXT.md"), nil, 0o644))
	told := c.call("govern_delegate", `{"action":"assign","task":"login-form","to":"executor"}`)
	require.Equal(t, "success", told.Status, told.text)
	assert.NotContains(t, told.text, `"advice"`)
	assert.Equal(t, 0, c.leave())
}

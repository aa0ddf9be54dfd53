package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An agent adopts, confirms, replaces and gives up documents; what a refusal says instead goes
// through as it is printed.
func TestDocumentsByTool(t *testing.T) {
	root := repository(t)
	for name, text := range map[string]string{"prd.md": "# PRD\n## Auth\nx\n", "plan.md": "# Plan\n## Login\ny\n", "new.md": "# Plan\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(string(root), name), []byte(text), 0o644))
	}
	c := start(t, string(root), "test")
	do := func(arguments string) reply { return c.call("govern_plan", `{"action":"artifact",`+arguments+`}`) }
	instead := func(a reply) reply {
		tool, arguments, found := strings.Cut(a.UseInstead, " ")
		require.True(t, found && a.Status == "error", a.text)
		return c.call(tool, arguments)
	}
	require.Equal(t, "success", do(`"do":"adopt","file":"prd.md"`).Status)
	refused := do(`"do":"adopt","file":"plan.md","derivedFrom":["prd#Oauth"]`)
	assert.Contains(t, refused.text, "name one of Auth")
	require.Equal(t, "success", instead(refused).Status)
	adopted := do(`"do":"adopt","file":"plan.md","derivedFrom":["prd#Auth"]`)
	require.Equal(t, "success", adopted.Status, adopted.text)

	assert.Contains(t, do(`"do":"confirm"`).text, "needs")
	require.Equal(t, "success", do(`"do":"confirm","name":"plan"`).Status)
	require.Equal(t, "success", instead(do(`"do":"confirm","name":"plan","section":"Nothing"`)).Status)
	replaced := do(`"do":"supersede","name":"plan","file":"new.md","reason":"simpler"`)
	assert.Contains(t, replaced.text, `"replaces":"plan"`)
	again := instead(do(`"do":"confirm","name":"plan"`))
	assert.Equal(t, "success", again.Status, again.text)
	assert.Contains(t, again.text, `"name":"new"`)
	assert.Equal(t, "success", do(`"do":"abandon","name":"prd","reason":"we buy it"`).Status)
	assert.Equal(t, "error", do(`"do":"burn","name":"prd"`).Status)
	assert.Equal(t, 0, c.leave())
}

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// An agent proposes by tool, and its task waits; it decides nothing that nobody was asked about, unless
// its role does.
func TestDecisionsByTool(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	decide := func(arguments string) reply { return c.call("govern_plan", `{"action":"decide",`+arguments+`}`) }
	require.Equal(t, "success", c.call("govern_plan", `{"action":"create","name":"shop","title":"Shop","acceptance":["a"]}`).Status)
	require.Equal(t, "success", c.call("govern_plan", `{"action":"plan_tasks","plan":"shop","tasks":[{"name":"till","expectedOutput":"x"}]}`).Status)
	proposed := decide(`"title":"Money in cents","reason":"floats lie","avoids":["big.js"],"task":"till"`)
	require.Equal(t, "success", proposed.Status, proposed.text)
	assert.Contains(t, proposed.text, `"state":"proposed"`)
	started := c.call("govern_task", `{"action":"start","task":"till"}`)
	assert.Equal(t, "error", started.Status)
	assert.Contains(t, started.text, "decision/money-in-cents (unresolved)")
	assert.Contains(t, started.UseInstead, "Ask the user to decide")

	accepted := decide(`"name":"money-in-cents","do":"accept"`)
	assert.Equal(t, "error", accepted.Status, accepted.text)
	assert.Contains(t, accepted.UseInstead, "ask the user")
	for arguments, want := range map[string]string{
		`"reason":"x"`: "title", `"do":"reject"`: "name", `"do":"confirm","name":"money-in-cents"`: "does not confirm", `"title":"x","task":"nothing"`: "nothing",
	} {
		answer := decide(arguments)
		assert.Equal(t, "error", answer.Status, arguments)
		assert.Contains(t, answer.text, want, arguments)
	}

	require.NoError(t, root.Replace(layout.Dir+"/roles/solo.json", []byte(`{"spec": {"tools": {"allow": ["*", "decide"]}}}`)))
	accepted = decide(`"name":"decision/money-in-cents","do":"accept"`)
	require.Equal(t, "success", accepted.Status, accepted.text)
	assert.Contains(t, accepted.text, `"unblocked":["till"]`)
	assert.Equal(t, "success", c.call("govern_task", `{"action":"start","task":"till"}`).Status)
	assert.Equal(t, "error", decide(`"name":"money-in-cents","do":"reject"`).Status, "it is said why")
	assert.Equal(t, "success", decide(`"name":"money-in-cents","do":"reject","reason":"no"`).Status)
}

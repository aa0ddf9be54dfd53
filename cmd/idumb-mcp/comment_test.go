package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// An agent asks about a task, notes and answers; nothing in its call says who it is.
func TestCommentsByTool(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	comment := func(arguments string) reply { return c.call("govern_task", `{"action":"comment",`+arguments+`}`) }
	require.Equal(t, "success", c.call("govern_plan", `{"action":"create","name":"shop","title":"Shop","acceptance":["a"]}`).Status)
	require.Equal(t, "success", c.call("govern_plan", `{"action":"plan_tasks","plan":"shop","tasks":[{"name":"till","expectedOutput":"x"}]}`).Status)
	asked := comment(`"task":"task/till","type":"question","text":"Cents or euros?"`)
	require.Equal(t, "success", asked.Status, asked.text)
	var said struct{ Name, Type string }
	require.NoError(t, json.Unmarshal([]byte(asked.text), &struct{ Data any }{&said}))
	names, err := root.Names(layout.Folder(resources.Comments))
	require.NoError(t, err)
	require.Len(t, names, 1)
	data, _, err := root.Read(layout.Folder(resources.Comments)+"/"+names[0], layout.MaxSpec)
	require.NoError(t, err)
	o, _, err := resources.Read(resources.Key{Kind: resources.Comments, Name: names[0][:len(names[0])-len(".json")]}, data)
	require.NoError(t, err)
	assert.Equal(t, "agent", o.(*resources.Comment).Spec.Author, "no hook said which")

	answered := comment(`"answer":"` + o.Key().Name + `","text":"Cents."`)
	require.Equal(t, "success", answered.Status, answered.text)
	assert.Contains(t, answered.text, `"type":"answer"`)
	for arguments, want := range map[string]string{
		`"text":"x"`: "task", `"task":"till"`: "text", `"task":"nothing","text":"x"`: "nothing", `"answer":"c-0","text":"x"`: "c-0",
		`"task":"till","text":"x","type":"instruction"`: "note, question", `"task":"till","text":"x","hold":true`: "hold",
	} {
		refused := comment(arguments)
		assert.Equal(t, "error", refused.Status, arguments)
		assert.Contains(t, refused.text, want, arguments)
		assert.NotEmpty(t, refused.UseInstead, arguments)
	}

	require.NoError(t, root.Replace(layout.Folder(resources.Comments)+"/c-9.json", []byte(`{"spec":{"about":"task/till","type":"instruction","hold":true,"body":"Stop first.","author":"person/ann"}}`)))
	require.NoError(t, root.AppendCheckpoint("c-9", resources.Checkpoint{Tool: resources.ToolMade}))
	require.Equal(t, "success", c.call("govern_task", `{"action":"start","task":"till"}`).Status)
	held := c.call("govern_task", `{"action":"review","task":"till","evidence":"seen"}`)
	assert.Equal(t, "error", held.Status, held.text)
	assert.Contains(t, held.text, "Stop first.")
	assert.Contains(t, held.UseInstead, `govern_task {"action":"comment","answer":"c-9"`)
}

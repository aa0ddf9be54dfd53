package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// planned makes a plan with two tasks, of which the second waits for the first.
func planned(c *client) {
	c.must("govern_plan", `{"action":"create","name":"user-auth","title":"Sign-in","acceptance":["a user can sign in"]}`)
	c.must("govern_plan", `{"action":"plan_tasks","plan":"user-auth","tasks":[
		{"name":"login-form","expectedOutput":"the form posts","dependsOn":["db-schema"]},
		{"name":"db-schema","expectedOutput":"migrations apply"}]}`)
}

func TestOneTaskFromPlanToCompletion(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)

	refused := c.call("govern_task", `{"action":"start","task":"login-form"}`)
	require.Equal(t, "error", refused.Status)
	assert.Contains(t, refused.Why, "db-schema")

	started := c.do(refused.UseInstead) // what the refusal says works as printed
	require.Equal(t, "success", started.Status, started.text)
	assert.Equal(t, "db-schema", started.Name)
	assert.NotEmpty(t, started.UID)
	assert.Equal(t, "active", taskOf(t, root, "db-schema").Spec.State)

	unproven := c.call("govern_task", `{"action":"complete","task":"db-schema"}`)
	require.Equal(t, "error", unproven.Status)
	done := c.do(unproven.UseInstead)
	require.Equal(t, "success", done.Status, done.text)
	assert.Equal(t, []string{"login-form"}, done.Unblocked)
	assert.Equal(t, "completed", taskOf(t, root, "db-schema").Spec.State)
	seen := c.must("govern_task", `{"action":"status","task":"db-schema"}`)
	assert.NotEmpty(t, seen.Evidence, "whoever handed it over judges by that: %s", seen.text)
	assert.Equal(t, taskOf(t, root, "db-schema").Spec.Result.Evidence, seen.Evidence)
	assert.Equal(t, 0, c.leave())
	assert.Empty(t, c.junk)
}

// TestOneCallCompletesAndStarts: "then" starts a task after the completion. A refused completion starts none; a refused
// start leaves the completion.
func TestOneCallCompletesAndStarts(t *testing.T) {
	t.Parallel()
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	refused := c.call("govern_task", `{"action":"complete","task":"login-form","evidence":"seen","then":"db-schema"}`)
	require.Equal(t, "error", refused.Status)
	assert.Contains(t, refused.Why, `Task "db-schema" was not started.`)
	assert.Equal(t, "planned", resources.TaskState(taskOf(t, root, "db-schema")))

	c.must("govern_task", `{"action":"start","task":"db-schema"}`)
	both := c.must("govern_task", `{"action":"complete","task":"db-schema","evidence":"it applies","then":"task/login-form"}`).text
	assert.Contains(t, both, `"state":"completed"`)
	assert.Contains(t, both, `"started":{"name":"login-form"`)
	assert.Contains(t, both, `"expectedOutput":"the form posts"`)
	assert.Equal(t, "active", taskOf(t, root, "login-form").Spec.State)

	one := c.must("govern_task", `{"action":"complete","task":"login-form","evidence":"it posts","then":"db-schema"}`).text
	assert.Contains(t, one, `"state":"completed"`)
	assert.Contains(t, one, `"notStarted":{"what":"`)
	assert.Equal(t, "completed", taskOf(t, root, "login-form").Spec.State)
	assert.Equal(t, "completed", taskOf(t, root, "db-schema").Spec.State)
}

// TestStatusNamesWhoWorksElsewhere: in a linked working tree a task that is worked on in the main one is planned, and
// its status says who has it.
func TestStatusNamesWhoWorksElsewhere(t *testing.T) {
	t.Parallel()
	root := string(repository(t))
	c := start(t, root, "test")
	planned(c)
	linked := filepath.Join(t.TempDir(), "linked")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "plan"}, {"worktree", "add", "-q", linked}} {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	c.must("govern_task", `{"action":"start","task":"db-schema"}`)
	text := start(t, linked, "test").call("govern_task", `{"action":"status","task":"db-schema"}`).text
	assert.Contains(t, text, `"phase":"planned"`)
	assert.Contains(t, text, `"worker":"`)
	assert.Contains(t, text, " in "+filepath.Base(root)+`"`)
}

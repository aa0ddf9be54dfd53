package queries

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// The calls are those of the last day with what was decided about them; one of them comes with what its agent was told and did next.
func TestViolations(t *testing.T) {
	root, now := layout.Root(t.TempDir()), time.Now().Truncate(time.Second)
	env := []string{"IDUMB_TRUST=" + string(root)}
	config := filepath.Join(string(root), ".idumb", "config.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o755))
	denied := func(session, command string, before time.Duration) {
		event, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": session, "cwd": string(root), "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]any{"command": command}})
		a, _ := hooks.NewServer(root, hooks.Backend{}).Answer(hooks.Request{Host: "claude", Cwd: string(root), Env: env, Event: event, Now: now.Add(-before)})
		require.Contains(t, string(a.Stdout), "git-force-push", command)
	}
	const long = "git push --force origin\n git push --force mirror"
	denied("old", "git push --force", 25*time.Hour)
	denied("s", "git push --force https://x:ghp_0123456789abcdefghijklmnopqrstuvwxyz01@example.com/a", 2*time.Hour)
	denied("s", long, time.Hour)
	denied("s", "git push --force", time.Minute)
	denied("s", "git push --force", time.Minute)
	ask := func(v url.Values) Violations {
		v = WithEnv(v, env)
		answer, err := ViolationsOf(FromFiles(root, graph.NewSnapshot(graph.SnapshotInput{Now: now})), v)
		require.NoError(t, err)
		return answer
	}
	all := ask(url.Values{})
	require.Equal(t, 4, all.Total)
	require.Len(t, all.Items, 4)
	assert.Len(t, ask(url.Values{"limit": {"2"}}).Items, 2)
	names := map[string]bool{}
	for _, v := range all.Items {
		names[v.Name] = true
		assert.Equal(t, "denied", v.Verdict)
		assert.Empty(t, v.Decision)
		assert.Empty(t, v.Why+v.UseInstead+v.Evidence+v.Text, "the list is short")
	}
	assert.Len(t, names, 4, "equal calls of one second differ")

	one := ask(url.Values{"name": {all.Items[2].Name}}).Items[0]
	assert.Equal(t, long, one.Text, "all of it, to the letter")
	assert.Empty(t, one.Refused)
	assert.Contains(t, one.UseInstead, "--force-with-lease")
	assert.NotEmpty(t, one.Why)
	assert.NotEmpty(t, one.Evidence)
	assert.Equal(t, "denied: shell git push --force", one.Next)
	assert.Equal(t, now.Add(-time.Minute).Unix(), one.NextAt.Unix())
	secret, err := json.Marshal(ask(url.Values{"name": {all.Items[3].Name}}).Items[0].Violation)
	require.NoError(t, err)
	assert.NotContains(t, string(secret), "ghp_0123")

	v := one.Violation
	require.NoError(t, root.AppendEvent(resources.Event{Time: resources.NewTime(now), Reason: resources.ReasonFine, Object: "session/s", Message: "x", Violation: &v}))
	assert.Equal(t, resources.ReasonFine, ask(url.Values{"name": {one.Denial}}).Items[0].Decision)
	assert.Equal(t, 4, ask(url.Values{}).Total)
	open, err := records.OpenDenials(root, now.Add(-records.Recent))
	require.NoError(t, err)
	assert.Len(t, open, 3)
	_, err = ViolationsOf(FromFiles(root, graph.NewSnapshot(graph.SnapshotInput{Now: now})), url.Values{"name": {"none"}})
	assert.ErrorContains(t, err, `the name "none"`)
	require.NoError(t, root.AppendEvent(resources.Event{Time: resources.NewTime(now), Reason: resources.ReasonDenied, Message: strings.Repeat("m", 9000), Violation: &resources.Violation{Session: "s", Rule: "r", Why: strings.Repeat("<", 900), Evidence: strings.Repeat("e", 9000)}}))
	log, err := filepath.Glob(root.Abs(layout.EventsDir) + "/*.jsonl")
	require.NoError(t, err)
	for _, file := range log {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(data)) {
			assert.LessOrEqual(t, len(line), 4096)
		}
	}
	assert.Equal(t, 5, ask(url.Values{}).Total)
}

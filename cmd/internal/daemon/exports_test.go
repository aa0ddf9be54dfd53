package daemon

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func exportsOf(t *testing.T, root, pattern string) []string {
	found, err := filepath.Glob(filepath.Join(root, exportsDir, pattern))
	require.NoError(t, err)
	return found
}

// A session that rests is exported once for each rest; four exports make a mem; what is
// old goes.
func TestSessionsAreExported(t *testing.T) {
	root := repository(t)
	ago := func(d time.Duration) string { return time.Now().UTC().Add(-d).Format(time.RFC3339) }
	session := func(name string, seen time.Duration) {
		write(t, root, ".idumb/sessions/"+name+".json", fmt.Sprintf(`{"spec": {"host": "claude", "agent": "build", "activeTask": "first", "lastSeenAt": %q, "counters": {"turns": 2, "toolCalls": 9}}}`, ago(seen)))
	}
	write(t, root, ".idumb/triggers/t.json", `{"spec": {"event": "export", "count": 4, "action": "synthesize"}}`)
	write(t, root, ".idumb/checkpoints/first.jsonl", fmt.Sprintf(`{"time":%q,"session":"s1","tool":"write","filesModified":["src/a.go"]}`+"\n", ago(2*time.Hour)))
	write(t, root, ".idumb/run/hook/s1.calls", "1 Bash\n2 Bash\n3 Write\n")
	write(t, root, ".idumb/run/hook/s1.said", "All is well.")
	write(t, root, ".idumb/anchors/kept.json", `{"spec": {"content": "c", "priority": "critical"}}`)
	write(t, root, ".idumb/mems/came.json", `{"metadata": {"name": "came"}, "spec": {"content": "c", "originTask": "first"}}`)
	for name, age := range map[string]time.Duration{"gone.calls": 8 * 24 * time.Hour, "gone.lock": 8 * 24 * time.Hour, "gone.said": time.Hour, "s1.pack": 8 * 24 * time.Hour} {
		write(t, root, ".idumb/run/hook/"+name, "x")
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(filepath.Join(root, ".idumb/run/hook", name), at, at))
	}
	session("s1", 2*time.Hour)
	session("s2", 3*time.Hour)
	session("s3", time.Minute)                                                                               // at work
	write(t, root, ".idumb/sessions/s4.json", fmt.Sprintf(`{"spec": {"lastSeenAt": %q}}`, ago(2*time.Hour))) // did nothing
	write(t, root, exportsDir+"/old-1.json", fmt.Sprintf(`{"schema": %q, "reason": "idle", "exportedAt": %q, "staleAfter": "48h", "record": "old"}`, resources.ExportSchema, ago(8*24*time.Hour)))
	write(t, root, exportsDir+"/broken-1.json", `{"schema": "another"}`)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, Options{Root: root, Version: "test"}) }()
	wait := func(why string, pattern string, n int) {
		t.Helper()
		assert.Eventually(t, func() bool { return len(exportsOf(t, root, pattern)) == n }, 10*time.Second, 5*time.Millisecond, why)
	}
	wait("it rests", "s1-*.json", 1)
	wait("it rests", "s2-*.json", 1)
	wait("it is a week old", "old-*.json", 0)
	wait("nobody throws away what cannot be read, for a week", "broken-*.json", 1)
	data, err := os.ReadFile(exportsOf(t, root, "s1-*.json")[0])
	require.NoError(t, err)
	e, err := resources.ReadExport(data)
	require.NoError(t, err)
	assert.Equal(t, []string{"src/a.go"}, e.Files)
	assert.Equal(t, "48h", e.StaleAfter)
	assert.Equal(t, map[string]int{"Bash": 2, "Write": 1}, e.Tools)
	assert.Equal(t, "All is well.", e.Said)
	assert.Equal(t, []string{"kept"}, e.Anchors)
	assert.Equal(t, []string{"came"}, e.Mems)
	require.NotEmpty(t, e.Tasks)
	assert.Equal(t, "first", e.Tasks[0].Name)
	require.NoError(t, os.Remove(filepath.Join(root, ".idumb/mems/came.json")))
	assert.Empty(t, exportsOf(t, root, "s3-*.json"))
	assert.Empty(t, exportsOf(t, root, "s4-*.json"))
	mems := func() []string {
		found, err := filepath.Glob(filepath.Join(root, ".idumb/mems/[^.]*.json")) // no file that is being written
		require.NoError(t, err)
		return found
	}
	assert.Empty(t, mems(), "two are too few")
	assert.Eventually(t, func() bool {
		left, err := filepath.Glob(filepath.Join(root, ".idumb/run/hook/*"))
		require.NoError(t, err)
		for i, name := range left {
			left[i] = filepath.Base(name)
		}
		return assert.ObjectsAreEqual([]string{"gone.said", "s1.calls", "s1.pack", "s1.said"}, left)
	}, 10*time.Second, 5*time.Millisecond, "what the hook remembers goes with its session")

	session("s5", 90*time.Minute)
	session("s6", 80*time.Minute)
	assert.Eventually(t, func() bool { return len(mems()) == 1 }, 10*time.Second, 5*time.Millisecond)
	text, err := os.ReadFile(mems()[0])
	require.NoError(t, err)
	for _, want := range []string{`"task/first"`, `"source": "exports"`, "Files written: src/a.go.", "s5-"} {
		assert.Contains(t, string(text), want)
	}
	assert.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(root, synthesizedFile)); return err == nil }, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, os.Remove(mems()[0])) // a person does not want it
	session("s1", 70*time.Minute)            // it went on, and rests again
	wait("another rest", "s1-*.json", 2)
	end()
	require.NoError(t, <-ended)
	ctx, end = context.WithCancel(t.Context())
	go func() { ended <- Run(ctx, Options{Root: root, Version: "test"}) }()
	session("s7", 100*time.Minute)
	wait("it rests", "s7-*.json", 1)
	end()
	require.NoError(t, <-ended)
	assert.Empty(t, mems(), "of each export one mem is made")
}

package reconcilers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/memory"
)

func (s *stage) exports(pattern string) []string {
	found, err := filepath.Glob(s.path(layout.ExportsDir + "/" + pattern))
	require.NoError(s.t, err)
	return found
}

// A session that rests is exported once for each rest; four exports make a mem; what is
// old goes.
func TestSessionsAreExported(t *testing.T) {
	s := repository(t)
	ago := func(d time.Duration) string { return time.Now().UTC().Add(-d).Format(time.RFC3339) }
	session := func(name string, seen time.Duration) {
		s.file(".idumb/sessions/"+name+".json", fmt.Sprintf(`{"spec": {"host": "claude", "agent": "build", "activeTask": "first", "lastSeenAt": %q, "counters": {"turns": 2, "toolCalls": 9}}}`, ago(seen)))
	}
	s.file(".idumb/triggers/t.json", `{"spec": {"event": "export", "count": 4, "action": "synthesize"}}`)
	s.file(".idumb/checkpoints/first.jsonl", fmt.Sprintf(`{"time":%q,"session":"s1","tool":"write","filesModified":["src/a.go"]}`+"\n", ago(2*time.Hour)))
	s.file(".idumb/run/hook/s1.calls", "1 Bash\n2 Bash\n3 Write\n")
	s.file(".idumb/run/hook/s1.said", "All is well. I found that TTL is 30 days.")
	s.file(".idumb/run/hook/s1.done", `{"time":"2026-11-20T10:00:00Z","tool":"write","filesModified":["src/own.go"]}`+"\n"+`{"time":"2026-11-20T10:01:00Z","tool":"bash","command":"go test","succeeded":false,"exitCode":1}`+"\n")
	s.file(".idumb/anchors/kept.json", `{"spec": {"content": "c", "priority": "critical"}}`)
	s.file(".idumb/mems/came.json", `{"metadata": {"name": "came", "annotations": {"idumb.dev/made-by": "s1"}}, "spec": {"content": "c"}}`)
	for name, age := range map[string]time.Duration{"gone.calls": 8 * 24 * time.Hour, "gone.lock": 8 * 24 * time.Hour, "gone.pack": 8 * 24 * time.Hour, "young.pack": time.Hour, "gone.said": time.Hour, "s1.pack": 8 * 24 * time.Hour} {
		s.file(".idumb/run/hook/"+name, "x")
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(s.path(".idumb/run/hook/"+name), at, at))
	}
	session("s1", 2*time.Hour)
	session("s2", 3*time.Hour)
	session("s3", time.Minute)                                                                       // at work
	s.file(".idumb/sessions/s4.json", fmt.Sprintf(`{"spec": {"lastSeenAt": %q}}`, ago(2*time.Hour))) // did nothing
	s.file(layout.ExportsDir+"/old-1.json", fmt.Sprintf(`{"schema": %q, "reason": "idle", "exportedAt": %q, "staleAfter": "48h", "record": "old"}`, memory.ExportSchema, ago(8*24*time.Hour)))
	s.file(layout.ExportsDir+"/broken-1.json", `{"schema": "another"}`)
	s.start()
	wait := func(why string, pattern string, n int) {
		t.Helper()
		assert.Eventually(t, func() bool { return len(s.exports(pattern)) == n }, 10*time.Second, 5*time.Millisecond, why)
	}
	wait("it rests", "s1-*.json", 1)
	wait("it rests", "s2-*.json", 1)
	wait("it is a week old", "old-*.json", 0)
	wait("nobody throws away what cannot be read, for a week", "broken-*.json", 1)
	data, err := os.ReadFile(s.exports("s1-*.json")[0])
	require.NoError(t, err)
	e, err := memory.ReadExport(data)
	require.NoError(t, err)
	assert.Equal(t, []string{"src/own.go"}, e.Files, "what others wrote for the task is theirs")
	require.Len(t, e.Commands, 1)
	assert.Equal(t, 1, *e.Commands[0].ExitCode)
	assert.Len(t, e.Calls, 3)
	assert.Equal(t, "48h", e.StaleAfter)
	assert.Equal(t, map[string]int{"Bash": 2, "Write": 1}, e.Tools)
	assert.Contains(t, e.LastMessage, "All is well.")
	assert.Equal(t, []string{"kept"}, e.Anchors)
	assert.Equal(t, []string{"came"}, e.Mems)
	require.NotEmpty(t, e.Tasks)
	assert.Equal(t, "first", e.Tasks[0].Name)
	require.NoError(t, os.Remove(s.path(".idumb/mems/came.json")))
	assert.Empty(t, s.exports("s3-*.json"))
	assert.Empty(t, s.exports("s4-*.json"))
	mems := func() []string {
		found, err := filepath.Glob(s.path(".idumb/derived/mems/mem-exports-[^.]*.json")) // no file that is being written
		require.NoError(t, err)
		return found
	}
	assert.Empty(t, mems(), "two are too few")
	assert.Eventually(t, func() bool {
		left, err := filepath.Glob(s.path(".idumb/run/hook/*"))
		require.NoError(t, err)
		for i, name := range left {
			left[i] = filepath.Base(name)
		}
		return assert.ObjectsAreEqual([]string{"gone.said", "s1.calls", "s1.done", "s1.pack", "s1.said", "young.pack"}, left)
	}, 10*time.Second, 5*time.Millisecond, "what the hook remembers goes with its session")

	session("s5", 90*time.Minute)
	session("s6", 80*time.Minute)
	assert.Eventually(t, func() bool { return len(mems()) == 1 }, 10*time.Second, 5*time.Millisecond)
	text, err := os.ReadFile(mems()[0])
	require.NoError(t, err)
	for _, want := range []string{`"task/first"`, `"source": "exports"`, `"content": "I found that TTL is 30 days."`, `"confidence": 30`, "s1-"} {
		assert.Contains(t, string(text), want)
	}
	assert.NotContains(t, string(text), "s5-", "it found nothing")
	assert.NotContains(t, string(text), "own.go")
	assert.Eventually(t, func() bool { _, err := os.Stat(s.path(usedExportsFile)); return err == nil }, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, os.Remove(mems()[0])) // a person does not want it
	session("s1", 70*time.Minute)            // it went on, and rests again
	wait("another rest", "s1-*.json", 2)
	s.end()
	s.start()
	session("s7", 100*time.Minute)
	wait("it rests", "s7-*.json", 1)
	s.end()
	assert.Empty(t, mems(), "of each export one mem is made")
}

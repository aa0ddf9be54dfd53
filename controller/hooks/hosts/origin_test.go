package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOriginOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	// As the clients write them, shortened.
	write("c/subagents/agent-ab29.meta.json", `{"agentType":"Explore","isBuiltIn":true,"description":"n","toolUseId":"toolu_6","parentAgentId":"a536","spawnDepth":2,"finished":true}`)
	write("c/subagents/agent-a536.meta.json", `{"agentType":"general-purpose","toolUseId":"toolu_5","spawnDepth":1}`)
	write("c/subagents/agent-torn.meta.json", `{"agentType":"gene`)
	rollout := func(name, parent string, depth string) string {
		return write(name, `{"timestamp":"2026-11-21T16:48:32.800Z","ordinal":0,"type":"session_meta","payload":{"session_id":"01-main","id":"01-sub","parent_thread_id":"`+parent+`","source":{"subagent":{"thread_spawn":{"parent_thread_id":"`+parent+`","depth":`+depth+`,"agent_path":"/root/parta","agent_role":"worker"}}},"agent_path":"/root/parta","base_instructions":"`+strings.Repeat("x", 100000)+`"}}`+"\n"+`{"type":"other"}`)
	}
	claudeIn := func(id string) Event {
		return Event{Host: "claude", Session: "s", Subagent: id, Transcript: filepath.Join(dir, "c.jsonl")}
	}
	codexIn := func(transcript string) Event {
		return Event{Host: "codex", Session: "01-main", Subagent: "01-sub", Transcript: transcript}
	}
	for name, tc := range map[string]struct {
		event Event
		want  Origin
		ok    bool
	}{
		"claude, nested":                     {claudeIn("ab29"), Origin{CallID: "toolu_6", Parent: "a536", Depth: 2}, true},
		"claude, of the main agent":          {claudeIn("a536"), Origin{CallID: "toolu_5", Depth: 1}, true},
		"claude, not there yet":              {claudeIn("a999"), Origin{}, false},
		"claude, half written":               {claudeIn("torn"), Origin{}, false},
		"claude, an id that leads elsewhere": {claudeIn("/../../c/subagents/agent-a536"), Origin{}, false},
		"claude, the main agent":             {claudeIn(""), Origin{}, false},
		"codex, of the main agent":           {codexIn(rollout("r1.jsonl", "01-main", "1")), Origin{Name: "parta", Depth: 1}, true},
		"codex, nested":                      {codexIn(rollout("r2.jsonl", "01-other", "2")), Origin{Name: "parta", Parent: "01-other", Depth: 2}, true},
		"codex, its parent's record":         {codexIn(write("r3.jsonl", `{"payload":{"id":"01-main"}}`)), Origin{}, false},
		"codex, no record":                   {codexIn(dir), Origin{}, false},
		"another host":                       {Event{Host: "opencode", Subagent: "x", Transcript: dir}, Origin{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := originIn(tc.event)
			assert.Equal(t, tc.want, got)
			assert.Equal(t, tc.ok, ok)
		})
	}
}

func originIn(e Event) (Origin, bool) {
	host, known := ByName(e.Host)
	if !known {
		return Origin{}, false
	}
	return host.Origin(e)
}

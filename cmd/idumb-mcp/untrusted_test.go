package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAStrangersTextIsNotPassedOn: in a repository that the person does not trust the
// tools work, and answer with names only.
func TestAStrangersTextIsNotPassedOn(t *testing.T) {
	root := repository(t)
	for file, text := range map[string]string{
		"workplans/p": `{"spec": {"title": "EVIL", "acceptance": ["EVIL"], "state": "active"}}`,
		"tasks/a":     `{"spec": {"workPlan": "p", "title": "EVIL", "expectedOutput": "EVIL", "evidence": [{"command": "EVIL"}], "assignedTo": "EVIL x"}}`,
		"tasks/b":     `{"spec": {"workPlan": "p", "title": "EVIL", "expectedOutput": "EVIL", "dependsOn": ["a"], "temporalGate": {"after": "a", "reason": "EVIL"}}}`,
		"tasks/c":     `{"spec": {"workPlan": "p", "title": "EVIL`,
		"anchors/n":   `{"spec": {"content": "EVIL", "priority": "critical"}}`,
		"mems/m":      `{"spec": {"type": "false_path", "content": "AVOID EVIL BECAUSE EVIL INSTEAD EVIL"}}`,
	} {
		require.NoError(t, root.Replace(".idumb/"+file+".json", []byte(text)))
	}
	stranger, owner := start(t, string(root), "test", "IDUMB_TRUST=", "XDG_CONFIG_HOME="+t.TempDir()), start(t, string(root), "test")
	told := false
	for _, tc := range []struct {
		tool, arguments string
		fails           bool
	}{
		{"govern_plan", `{"action":"status"}`, false},
		{"govern_plan", `{"action":"status","plan":"p"}`, false},
		{"govern_task", `{"action":"status","task":"a"}`, false},
		{"govern_task", `{"action":"start","task":"b"}`, true},
		{"govern_task", `{"action":"start","task":"a"}`, false},
		{"govern_task", `{"action":"complete","task":"a","evidence":"seen"}`, true},
		{"govern_task", `{"action":"status","task":"c"}`, true},
		{"govern_delegate", `{"action":"status"}`, false},
		{"anchor", `{"action":"list"}`, false},
		{"mem", `{"action":"recall","query":"EVIL"}`, false},
		{"govern_plan", `{"action":"status","plan":"none"}`, true},
	} {
		t.Run(tc.tool+tc.arguments, func(t *testing.T) {
			r := stranger.call(tc.tool, tc.arguments)
			assert.Equal(t, tc.fails, r.Status != "success", r.text)
			assert.NotContains(t, r.text, "EVIL")
			assert.Contains(t, r.text, "idumb trust")
			told = told || strings.Contains(owner.call(tc.tool, tc.arguments).text, "EVIL")
		})
	}
	assert.True(t, told, "who trusts it is told")
}

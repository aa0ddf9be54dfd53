//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file of another task's is not written past it, and what is written counts for whose it is: the
// same with and without a controller.
func TestAFileBelongsToItsTask(t *testing.T) {
	for name, controlled := range map[string]bool{"from the files": false, "with a controller": true} {
		t.Run(name, func(t *testing.T) { filesOfTasks(t, controlled) })
	}
}

func filesOfTasks(t *testing.T, controlled bool) {
	c := newCompany(t)
	for task, more := range map[string]string{
		"schema": ``, "api": `,"evidence":[{"file":"api/*.go"}]`,
		"docs":  `,"paths":["docs/**"]`,
		"login": `,"title":"Login form","paths":["src/login.tsx"],"temporalGate":{"after":"api","reason":"Built against the real endpoint."}`,
		"wide":  `,"paths":["lib/**"],"dependsOn":["api"]`,
	} {
		c.write(".idumb/tasks/"+task+".json", `{"metadata":{"uid":"uid-`+task+`"},"spec":{"workPlan":"p","expectedOutput":"x"`+more+`}}`)
	}
	for i := range 12 {
		c.write(fmt.Sprintf("lib/%d.go", i), "x")
	}
	c.git("add", "lib")
	if controlled {
		c.control()
	}
	claude, codex := c.join("claude", "s-claude", c.root), c.join("codex", "s-codex", c.root)
	assert.Contains(t, claude.writes("src/login.tsx"), `task \"login\" is blocked`, "nobody works on anything")
	require.Zero(t, claude.types("start", "schema").Code)

	denied := claude.writes("src/login.tsx")
	for _, part := range []string{`on src/login.tsx but task \"login\" is blocked`, `It depends on \"api\", which is planned.`, `Temporal gate: \"Built against the real endpoint.\"`, `Write other files of \"schema\"`} {
		assert.Contains(t, denied, part)
	}
	logged := func(task string) string {
		data, _ := os.ReadFile(filepath.Join(c.root, ".idumb/checkpoints", task+".jsonl"))
		return string(data)
	}
	advised := func(file string) string {
		return claude.event("PreToolUse", map[string]any{"tool_name": "Write", "tool_use_id": file, "tool_input": map[string]any{"file_path": filepath.Join(c.root, file), "content": "x"}})
	}
	assert.Contains(t, advised("api/a.go"), `this file belongs to task \"api\"`)
	assert.Empty(t, advised("api/b.go"), "advice is given once")
	assert.Contains(t, advised("docs/a.md"), `this file belongs to task \"docs\"`)
	assert.Empty(t, advised("api/c.go"), "advice is given once, whatever came between")
	assert.Contains(t, advised("lib/1.go"), `task \"wide\" also names this file`, "a glob for a good part of the repository denies nothing")
	for _, file := range []string{"api/a.go", "lib/1.go", "main.go"} {
		assert.Empty(t, claude.writes(file))
	}
	assert.Contains(t, logged("api"), `"filesModified":["api/a.go"]`)
	assert.Contains(t, logged("schema"), `"filesModified":["lib/1.go"]`)
	assert.Contains(t, logged("schema"), `"filesModified":["main.go"]`)
	assert.NotContains(t, logged("schema"), "api/a.go")

	require.Zero(t, codex.types("start", "docs").Code)
	assert.Contains(t, claude.writes("docs/b.md"), `task \"docs\" is not yours`)
	assert.Empty(t, codex.writes("docs/b.md"))
	assert.Contains(t, logged("docs"), `"filesModified":["docs/b.md"]`)
}

package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/admission"
)

// TestClaudeCallsThatDoMore: what tools of Claude Code 2.1.332 do is decided by their arguments.
func TestClaudeCallsThatDoMore(t *testing.T) {
	root := t.TempDir()
	plugin := filepath.Join(root, "cache", "tools", "1.0")
	for name, text := range map[string]string{
		"repo/.claude/skills/deploy/SKILL.md":         "---\nname: deploy\n---\nNow: !`git push --force $ARGUMENTS`\n```!\nrm -rf src\n```\n",
		"repo/.claude/commands/team/look.md":          "Say hello.\n",
		"home/.claude/skills/mine/SKILL.md":           "!`idumb next`",
		"repo/.claude/skills/named/SKILL.md":          "---\narguments: [branch, force]\n---\n!`git push $force origin $branch`\n!`echo $1 $ARGUMENTS[0] $2`\n",
		"cache/tools/1.0/skills/wipe/SKILL.md":        "!`rm -rf $0`\n",
		"cache/tools/1.0/commands/list.md":            "!`ls`\n",
		"home/.claude/plugins/installed_plugins.json": fmt.Sprintf(`{"version": 2, "plugins": {"other@m": [], "tools@m": [{"scope": "user", "installPath": %q}]}}`, plugin),
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	for _, tc := range []struct {
		tool, input string
		action      admission.Action
		command     string
		paths       []string
	}{
		{"ExitWorktree", `{"action":"remove","discard_changes":true}`, admission.Shell, "git worktree remove --force .", nil},
		{"ExitWorktree", `{"action":"remove"}`, admission.Ask, "", nil},
		{"ExitWorktree", `{"action":"keep","discard_changes":true}`, admission.Ask, "", nil},
		{"CronCreate", `{"cron":"* * * * *","prompt":"x","durable":true}`, admission.Write, "", []string{scheduledTasks}},
		{"CronCreate", `{"cron":"* * * * *","prompt":"x"}`, admission.Ask, "", nil},
		{"REPL", `{"code":"1+1"}`, admission.Shell, "node -e '1+1'", nil},
		{"Skill", `{"skill":"deploy","args":"main"}`, admission.Shell, "git push --force main\nrm -rf src\n", nil},
		{"Skill", `{"skill":"team:look"}`, admission.Other, "", nil},
		{"Skill", `{"skill":"../deploy"}`, admission.Other, "", nil},
		{"Skill", `{"skill":"mine"}`, admission.Governance, "idumb next", nil},
		{"Skill", `{"skill":"named","args":"main --force"}`, admission.Shell, "git push --force origin main\necho --force main $2", nil},
		{"Skill", `{"skill":"tools:wipe","args":"src"}`, admission.Shell, "rm -rf src", nil},
		{"Skill", `{"skill":"tools:list"}`, admission.Shell, "ls", nil},
		{"Skill", `{"skill":"other:list"}`, admission.Other, "", nil},
		{"Skill", `{"skill":"tools:../../1.0/skills/wipe"}`, admission.Other, "", nil},
		{"RemoteTrigger", `{"action":"list"}`, admission.Other, "", nil},
		{"RemoteTrigger", `{"action":"run","trigger_id":"x"}`, admission.Shell, "claude remote-trigger 'run'", nil},
		{"RemoteTrigger", `{"action":"create","body":{}}`, admission.Shell, "claude remote-trigger 'create'", nil},
		{"Artifact", `{"action":"publish","file_path":"a.html"}`, admission.Read, "", []string{"a.html"}},
		{"TaskStop", `{"task_id":"1"}`, admission.Ask, "", nil},
		{"SendMessage", `{"to":"x","message":"y"}`, admission.Ask, "", nil},
	} {
		e, err := claude.Parse(fmt.Appendf(nil, `{"hook_event_name":"PreToolUse","session_id":"s","cwd":%q,"tool_name":%q,"tool_input":%s}`, filepath.Join(root, "repo"), tc.tool, tc.input))
		require.NoError(t, err)
		e.ReadSkill(filepath.Join(root, "home", ".claude"))
		assert.Equal(t, tc.action, e.Action, tc.input)
		assert.Equal(t, tc.command, e.Command, tc.input)
		assert.Equal(t, tc.paths, e.Paths, tc.input)
	}
	e, err := claude.Parse([]byte(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Workflow","tool_input":{"script":"agent('x')"}}`))
	require.NoError(t, err)
	assert.Equal(t, []any{admission.Delegate, workflowAgent, "agent('x')"}, []any{e.Action, e.DelegateTo, e.Text})
}

// TestCommandsOfSkills: the event before a skill's command is answered in its own name.
func TestCommandsOfSkills(t *testing.T) {
	e, err := claude.Parse([]byte(`{"hook_event_name":"PreSkillShellCommand","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm -rf src"},"tool_use_id":"t","command_name":"deploy"}`))
	require.NoError(t, err)
	assert.Equal(t, []any{BeforeTool, admission.Shell, "rm -rf src"}, []any{e.Type, e.Action, e.Command})
	assert.JSONEq(t, `{"hookSpecificOutput":{"hookEventName":"PreSkillShellCommand","permissionDecision":"deny","permissionDecisionReason":"no"}}`, string(claude.Encode(e, Answer{Deny: "no"})))
	assert.Empty(t, claude.Encode(e, Answer{Context: "news"}))
}

// TestCodexCompactsWithoutText: Codex takes no plain text before a compaction.
func TestCodexCompactsWithoutText(t *testing.T) {
	e, err := codex.Parse([]byte(`{"hook_event_name":"PreCompact","session_id":"s","trigger":"auto"}`))
	require.NoError(t, err)
	assert.Equal(t, BeforeCompact, e.Type)
	assert.Empty(t, codex.Encode(e, Answer{Context: "keep this"}))
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shippedRoles puts the roles in place that init does.
func (p *project) shippedRoles() {
	dir := filepath.Join("..", "internal", "scaffold", "files", "roles")
	roles, err := os.ReadDir(dir)
	require.NoError(p.t, err)
	for _, role := range roles {
		text, err := os.ReadFile(filepath.Join(dir, role.Name()))
		require.NoError(p.t, err)
		p.write(".idumb/roles/"+role.Name(), string(text))
	}
}

// within sends a tool event from inside a subagent.
func (p *project) within(id, agent, tool string, input map[string]any) answer {
	return p.ask("PreToolUse", map[string]any{
		"agent_id": id, "agent_type": agent, "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_" + id,
		"transcript_path": filepath.Join(p.root, "log", "main.jsonl"),
	})
}

// spawn is the call of a subagent, and what the client then writes down and sends.
func (p *project) spawn(by, id, agent, prompt string) answer {
	fields := map[string]any{"tool_name": "Agent", "tool_input": map[string]any{"subagent_type": agent, "prompt": prompt, "description": "d"}, "tool_use_id": "toolu_" + id}
	meta := `{"agentType":"` + agent + `","toolUseId":"toolu_` + id + `"}`
	if by != "" {
		fields["agent_id"], fields["agent_type"] = by, "general-purpose"
		meta = strings.Replace(meta, "}", `,"parentAgentId":"`+by+`"}`, 1)
	}
	asked := p.ask("PreToolUse", fields)
	if asked.decision == "deny" {
		return asked
	}
	p.ask("SubagentStart", map[string]any{"agent_id": id, "agent_type": agent})
	p.write("log/main/subagents/agent-"+id+".meta.json", meta)
	return asked
}

func (p *project) writesIn(id, agent, file string) answer {
	return p.within(id, agent, "Write", map[string]any{"file_path": filepath.Join(p.root, file), "content": "x"})
}

func TestSubagentsActInTheRolesOfTheirKind(t *testing.T) {
	p := newProject(t)
	p.shippedRoles()
	p.start("db-schema")
	p.spawn("", "a1", "Explore", "look around")
	p.spawn("", "a2", "general-purpose", "write it")
	denied := p.writesIn("a1", "Explore", "src/x.go")
	assert.Equal(t, "deny", denied.decision)
	assert.Contains(t, denied.reason, `not for the role "investigator" to write`)
	p.silent(p.writesIn("a2", "general-purpose", "src/x.go"))
	assert.Equal(t, "deny", p.writesIn("a1", "Explore", ".idumb/tasks/db-schema.json").decision)
	p.silent(p.writesIn("a1", "Explore", ".idumb/mems/found.json"))
	bash := func(id, agent, command string) answer {
		return p.within(id, agent, "Bash", map[string]any{"command": command})
	}
	assert.Contains(t, bash("a2", "general-purpose", "idumb create delegation d --task db-schema --from executor --to executor").reason, `"executor", which does not allow it`)
	p.silent(bash("a2", "general-purpose", "idumb complete db-schema --evidence seen"))
	assert.Contains(t, bash("a3", "idumb-coordinator", "idumb complete db-schema").reason, `"coordinator", which does not allow it`)
	p.silent(bash("a3", "idumb-coordinator", "idumb create delegation d --task db-schema --from coordinator --to executor"))
	p.silent(bash("a3", "idumb-coordinator", "idumb fail db-schema --reason r"))
	assert.Contains(t, bash("a4", "somebody", "idumb patch config -p '{}'").reason, "changes governance: agents do not run it")
}

func (p *project) hand(name, task, more string) {
	p.write(".idumb/delegations/"+name+".json", `{"spec": {"task": "`+task+`", "from": "coordinator", "to": "executor"`+more+`}}`)
}

func TestADelegateFromHandOverToRecall(t *testing.T) {
	p := newProject(t)
	p.shippedRoles()
	p.write(".idumb/tasks/docs.json", `{"spec": {"workPlan": "user-auth", "expectedOutput": "docs", "state": "active", "paths": ["src/docs/**"]}}`)
	p.start("db-schema")
	p.hand("d1", "db-schema", `, "allowedTools": ["write", "agent"]`)
	p.hand("d2", "docs", ``)
	p.spawn("", "a1", "general-purpose", "delegation/d1 go")
	p.spawn("", "a2", "general-purpose", "delegation/d2 go")

	p.silent(p.writesIn("a1", "general-purpose", "src/schema.sql"))
	p.silent(p.writesIn("a2", "general-purpose", "src/docs/a.md"))
	assert.Contains(t, p.writesIn("a2", "general-purpose", "src/schema.sql").reason, `outside task "docs"`, "each has its own task")
	assert.Contains(t, p.within("a1", "general-purpose", "Bash", map[string]any{"command": "ls"}).reason, `delegation "d1", under which you work, does not allow that tool`)
	assert.Contains(t, p.writesIn("a1", "general-purpose", ".idumb/delegations/d1.json").decision, "deny")

	p.hand("d1", "db-schema", `, "state": "recalled"`)
	denied := p.writesIn("a1", "general-purpose", "src/schema.sql")
	assert.Contains(t, denied.reason, `Task "db-schema" was taken back from you.`)
	assert.Contains(t, denied.reason, "USE INSTEAD: Hand back: end your turn now")
	denied = p.within("a1", "general-purpose", "Bash", map[string]any{"command": `idumb fail db-schema --reason "recalled"`})
	assert.Contains(t, denied.reason, `Task "db-schema" was taken back from you.`, "a recalled delegate does not end the task")
	p.silent(p.writesIn("a2", "general-purpose", "src/docs/a.md"))
}

func TestThreeDeepAndNoDeeper(t *testing.T) {
	p := newProject(t)
	p.start("db-schema")
	p.silent(p.spawn("", "a1", "general-purpose", "go"))
	p.silent(p.spawn("a1", "a2", "general-purpose", "go"))
	p.silent(p.spawn("a2", "a3", "general-purpose", "go"))
	denied := p.spawn("a3", "a4", "general-purpose", "go")
	assert.Equal(t, "deny", denied.decision)
	assert.Contains(t, denied.reason, "delegated 3 times already")
}

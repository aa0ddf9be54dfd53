package agents

import (
	"fmt"
	"strings"
)

// timeoutSeconds is what a host waits for our hook at most. The hook's own
// deadline is far below it; a host whose patience ends goes on without an answer.
const timeoutSeconds = 10

// claudeHooks is the table of what we hook in Claude Code, in the order in which it
// is written. The gate sees every tool, because a task's allowedTools may name any.
// A matcher with other characters than letters, digits, _ - , | and blanks is a regular
// expression of JavaScript that may match anywhere, so it says where it begins and ends.
var claudeHooks = []hook{
	{event: "PreToolUse"},
	{event: "PreSkillShellCommand"},
	{event: "PostToolUse", matcher: afterTools},
	{event: "PostToolUseFailure", matcher: afterTools},
	{event: "UserPromptSubmit", watch: watch{say: silentText}},
	{event: "SessionStart", watch: watch{say: goneText, gone: true}},
	{event: "SubagentStart"},
	{event: "SubagentStop"},
	{event: "PreCompact"},
	{event: "Stop", watch: watch{say: silentStop}},
	{event: "SessionEnd"},
	{event: "ConfigChange"},
	{event: "PermissionRequest"},
	{event: "Notification", matcher: "permission_prompt|idle_prompt|elicitation_dialog"},
}

// afterTools are the tools after which we look how it went: those that change something, or
// may, or were answered by the person. Reading leaves nothing to be recorded, and a hook for it
// would cost each read its time.
const afterTools = `^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|Monitor|Agent|AskUserQuestion|ExitPlanMode|CronCreate|ExitWorktree|mcp__.*)$`

// claudeServer is an entry of .mcp.json. Without alwaysLoad the model sees the names of
// our tools only, and what they are for once it has searched for them.
type claudeServer struct {
	Type       string   `json:"type"`
	Command    string   `json:"command"`
	Args       []string `json:"args"`
	AlwaysLoad bool     `json:"alwaysLoad"`
}

// claudeTool stands before the names of our tools.
const claudeTool = "mcp__idumb__"

// readOnly are the shipped agents that write no files.
var readOnly = map[string]bool{"coordinator": true, "investigator": true}

func claudeCode() Host {
	return Host{
		Name: "claude", Title: "Claude Code", Program: "claude", Verified: "2.1.332",
		Shared: []string{".claude", ".mcp.json"},
		Signs:  []string{".claude", "CLAUDE.md"},
		Trust:  "Claude Code asks once whether you trust this folder; hooks run from then on (with -p they run without asking)",
		files:  claudeFiles,
		test:   commandHookTest("Write", map[string]string{"file_path": "a.txt", "content": "x"}),
	}
}

func claudeFiles(root string, c Commands) []File {
	list := []File{
		{".claude/settings.json", settings{hooks: claudeHooks, hookArgs: []string{"claude"}, command: c.Hook}},
		{".mcp.json", settings{members: []entry{{
			path: []string{"mcpServers", "idumb"}, program: "idumb-mcp",
			value: claudeServer{Type: "stdio", Command: c.MCP.Program, Args: append([]string{}, c.MCP.Args...), AlwaysLoad: true},
		}}}},
	}
	for _, p := range profiles(root, "claude", claudeTool) {
		list = append(list, File{".claude/agents/idumb-" + p.name + ".md", claudeAgent(p)})
	}
	for _, t := range textsIn("commands", "claude", claudeTool) {
		head := fmt.Sprintf("---\ndescription: %s\ndisable-model-invocation: true\n---\n", t.description)
		list = append(list, File{".claude/commands/idumb/" + t.name + ".md", whole{body: head + t.body, comment: "#", line: 1}})
	}
	return list
}

// claudeAgent is an agent's profile; the sum stands in its head, where YAML takes it
// for a comment and no model reads it.
func claudeAgent(p profile) whole {
	head := fmt.Sprintf("---\nname: idumb-%s\ndescription: %s\n", p.name, p.description)
	var not []string
	if p.readOnly {
		not = append(not, "Write, Edit, MultiEdit, NotebookEdit")
	}
	if p.leaf {
		not = append(not, "Agent, Task")
	}
	if len(not) > 0 {
		head += "disallowedTools: " + strings.Join(not, ", ") + "\n"
	}
	return whole{body: head + "---\n" + p.body, comment: "#", line: 1}
}

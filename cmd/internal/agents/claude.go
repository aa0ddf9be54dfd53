package agents

import (
	"fmt"
	"strings"
)

// timeoutSeconds is the timeout of the hook in the host's settings. The hook's internal deadline is
// much shorter. A host continues without an answer after the timeout.
const timeoutSeconds = 10

// claudeHooks lists the hooks in Claude Code, in the order of the file. PreToolUse has no matcher,
// because a task's allowedTools may name any tool. A matcher with characters other than letters,
// digits, _ - , | and blanks is a JavaScript regular expression that is not anchored.
var claudeHooks = []hook{
	{event: "PreToolUse"},
	{event: "PreSkillShellCommand"},
	{event: "PostToolUse", matcher: afterTools},
	{event: "PostToolUseFailure", matcher: afterTools},
	{event: "UserPromptSubmit", watch: watch{message: silentText}},
	{event: "SessionStart", watch: watch{message: missingText, alsoMissing: true}},
	{event: "SubagentStart"},
	{event: "SubagentStop"},
	{event: "PreCompact"},
	{event: "Stop", watch: watch{message: silentStop}},
	{event: "SessionEnd"},
	{event: "ConfigChange"},
	{event: "PermissionRequest"},
	{event: "Notification", matcher: "permission_prompt|idle_prompt|elicitation_dialog"},
}

// afterTools matches the tools with results to record: tools that may change something, tools
// that the user answers, and tools that change the agent's to-do list. Tools that only read have no results to record, and a hook would delay
// each of their calls.
const afterTools = `^(Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|Monitor|Agent|AskUserQuestion|ExitPlanMode|TaskCreate|TaskUpdate|TodoWrite|CronCreate|ExitWorktree|mcp__.*)$`

// claudeServer is an entry of .mcp.json. Without alwaysLoad the model sees only the names of the
// tools until it searches for them.
type claudeServer struct {
	Type       string   `json:"type"`
	Command    string   `json:"command"`
	Args       []string `json:"args"`
	AlwaysLoad bool     `json:"alwaysLoad"`
}

// claudeTool is the prefix of iDumb's tool names.
const claudeTool = "mcp__idumb__"

// readOnly lists the shipped agents that write no files.
var readOnly = map[string]bool{"coordinator": true, "investigator": true}

// claudeCode returns the description of Claude Code for installation.
func claudeCode() Host {
	return Host{
		Name: "claude", Title: "Claude Code", Program: "claude", Verified: "2.1.332",
		Shared: []string{".claude", ".mcp.json"},
		Signs:  []string{".claude", "CLAUDE.md"},
		Trust:  "Claude Code asks the user once to trust this folder, then runs the hooks (with -p it runs them without a prompt)",
		files:  claudeFiles,
		test:   commandHookTest("PreToolUse", "Write", map[string]string{"file_path": "a.txt", "content": "x"}, readDenial),
	}
}

// claudeFiles returns the files of iDumb for Claude Code: hooks, MCP server, agents and commands.
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
		list = append(list, File{".claude/commands/idumb/" + t.name + ".md", ownedFile{body: head + t.body, comment: "#", line: 1}})
	}
	return list
}

// claudeAgent returns an agent's profile. The checksum is a YAML comment in the head, so that
// models do not read it.
func claudeAgent(p profile) ownedFile {
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
	return ownedFile{body: head + "---\n" + p.body, comment: "#", line: 1}
}

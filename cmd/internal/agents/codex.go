package agents

import (
	"regexp"
	"strconv"
	"strings"
)

// codexHooks lists the hooks in Codex.
var codexHooks = []hook{
	{event: "PreToolUse"},
	{event: "PostToolUse"},
	{event: "UserPromptSubmit", watch: watch{message: silentText}},
	{event: "SessionStart", watch: watch{message: missingText, alsoMissing: true}},
	{event: "SubagentStart"},
	{event: "SubagentStop"},
	{event: "PreCompact"},
	{event: "Stop"},
	{event: "PermissionRequest"},
	{event: "SessionEnd", timeout: 3}, // Codex's maximum: it cuts a longer timeout with a message
}

// codex returns the description of Codex for installation.
func codex() Host {
	return Host{
		Name: "codex", Title: "Codex", Program: "codex", Verified: "0.171.0",
		Shared: []string{".codex"},
		Signs:  []string{".codex"},
		Trust:  "Codex reads .codex/ only of a trusted project and silently skips untrusted hooks: start codex here, trust the folder when prompted, then trust the hooks with /hooks; trust them again after each change",
		trusts: codexTrust,
		files:  codexFiles,
		test:   commandHookTest("PreToolUse", "apply_patch", map[string]string{"command": "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n"}, readDenial),
	}
}

// codexFiles returns the files of iDumb for Codex: hooks and MCP server.
func codexFiles(_ string, c Commands) []File {
	server := `[mcp_servers.idumb]
command = ` + strconv.Quote(c.MCP.Program) + "\n"
	if len(c.MCP.Args) > 0 {
		server += "args = [" + quoted(c.MCP.Args) + "]\n"
	}
	return []File{
		{".codex/hooks.json", settings{hooks: codexHooks, hookArgs: []string{"codex"}, command: c.Hook}},
		{".codex/config.toml", block{
			body:        server,
			clash:       regexp.MustCompile(`(?m)^\s*\[\s*mcp_servers\s*\.\s*["']?idumb["']?\s*[\].]`),
			description: "mcp_servers.idumb",
		}},
	}
}

// quoted returns words as quoted strings, joined with commas.
func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, strconv.Quote(w))
	}
	return strings.Join(all, ", ")
}

package agents

import "fmt"

// copilotHooks lists the hooks in Copilot CLI. With these names of the events the client names the
// event in its input.
var copilotHooks = []hook{
	{event: "PreToolUse"},
	{event: "PostToolUse"},
	{event: "PostToolUseFailure"},
	{event: "UserPromptSubmit", watch: watch{message: contextJSON("", silentText)}},
	{event: "SessionStart", watch: watch{message: contextJSON("", missingText), alsoMissing: true}},
	{event: "SubagentStart"},
	{event: "SubagentStop"},
	{event: "PreCompact"},
	{event: "Stop"},
	{event: "SessionEnd"},
}

// copilotTool is the prefix of iDumb's tool names.
const copilotTool = "idumb-"

// copilotServer is an MCP server in the settings of Copilot CLI.
type copilotServer struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// copilot returns the description of GitHub Copilot CLI for installation.
func copilot() Host {
	return Host{
		Name: "copilot", Title: "Copilot CLI", Program: "copilot", Verified: "1.0.102",
		Shared: []string{".github/hooks/idumb.json", ".github/mcp.json", ".github/agents/idumb-*"},
		Signs:  []string{".github/copilot-instructions.md", ".github/copilot", ".github/hooks", ".github/agents"},
		Trust:  "Copilot CLI runs the hooks only if you trust the root of this repository; with -p in an untrusted folder it skips them silently, so pass --trust-folder there",
		Limits: []string{
			"\"disableAllHooks\": true in .github/copilot/settings.local.json disables all hooks at the next start",
			"if the hook hangs for 10 seconds, Copilot CLI runs the call",
		},
		files: copilotFiles,
		test:  commandHookTest("PreToolUse", "Write", map[string]string{"path": "a.txt", "file_text": "x"}, readCopilotDenial),
	}
}

// copilotFiles returns the files of iDumb for Copilot CLI: hooks, MCP server and agents.
func copilotFiles(root string, c Commands) []File {
	list := []File{
		{".github/hooks/idumb.json", settings{
			hooks: copilotHooks, hookArgs: []string{"copilot"}, command: c.Hook, form: form{flat: true, failsClosed: true},
			members: []entry{{path: []string{"version"}, value: 1}},
		}},
		{".github/mcp.json", settings{members: []entry{{
			path: []string{"mcpServers", "idumb"}, program: "idumb-mcp",
			value: copilotServer{Type: "local", Command: c.MCP.Program, Args: append([]string{}, c.MCP.Args...)},
		}}}},
	}
	for _, p := range profiles(root, "copilot", copilotTool) {
		head := fmt.Sprintf("---\nname: idumb-%s\ndescription: %s\n---\n", p.name, p.description)
		list = append(list, File{".github/agents/idumb-" + p.name + ".agent.md", ownedFile{body: head + p.body, comment: "#", line: 1}})
	}
	return list
}

// readCopilotDenial checks the answer of the hook in the self-test.
func readCopilotDenial(answer []byte) error {
	var out struct {
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	}
	return denied(answer, &out, func() bool { return out.Decision == "deny" && out.Reason != "" })
}

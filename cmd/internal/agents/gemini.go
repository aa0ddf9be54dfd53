package agents

// geminiHooks lists the hooks in Gemini CLI. PreCompress runs before every request with the trigger
// "auto", which costs a process each.
var geminiHooks = []hook{
	{event: "BeforeTool"},
	{event: "AfterTool"},
	{event: "BeforeAgent", watch: watch{message: contextJSON("BeforeAgent", silentText)}},
	{event: "SessionStart", watch: watch{message: contextJSON("SessionStart", missingText), alsoMissing: true}},
	{event: "PreCompress", matcher: "manual"},
	{event: "AfterAgent"},
	{event: "SessionEnd"},
}

// geminiServer is an MCP server in the settings of Gemini CLI.
type geminiServer struct {
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
}

// gemini returns the description of Gemini CLI for installation.
func gemini() Host {
	return Host{
		Name: "gemini", Title: "Gemini CLI", Program: "gemini", Verified: "0.61.0",
		Shared: []string{".gemini"},
		Signs:  []string{".gemini", "GEMINI.md"},
		Trust:  "Gemini CLI reads .gemini/settings.json only of a folder that you trust; it asks once at the start",
		Limits: []string{
			"Gemini CLI reads .gemini/settings.json only of the folder in which it is started: started in a subfolder, it runs no hook of this repository",
			"Gemini CLI does not tell subagents apart: while two run, a call is denied if either may not make it",
			"\"hooksConfig\": {\"enabled\": false} in .gemini/settings.json disables all hooks at the next start",
		},
		files: geminiFiles,
		test:  commandHookTest("BeforeTool", "write_file", map[string]string{"file_path": "a.txt", "content": "x"}, readGeminiDenial),
	}
}

// geminiFiles returns the file of iDumb for Gemini CLI, with hooks and MCP server.
func geminiFiles(_ string, c Commands) []File {
	return []File{{".gemini/settings.json", settings{
		comments: true, hooks: geminiHooks, hookArgs: []string{"gemini"}, command: c.Hook,
		form:    form{millis: true, failsClosed: true},
		members: []entry{{path: []string{"mcpServers", "idumb"}, program: "idumb-mcp", value: geminiServer{c.MCP.Program, c.MCP.Args}}},
	}}}
}

// readGeminiDenial checks the answer of the hook in the self-test.
func readGeminiDenial(answer []byte) error {
	var out struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
	return denied(answer, &out, func() bool { return out.Decision == "deny" && out.Reason != "" })
}

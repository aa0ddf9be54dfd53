package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// hiddenTools contains the tools that a client offers to its model but that hooks see under
// another name or never see.
var hiddenTools = map[string][]string{
	"claude": {"DeferredToolPlaceholder"}, // a placeholder for tools that are not loaded yet
	"codex": {
		"collaboration", // a group whose tools have their own names
		"exec_command",  // Bash
		"write_stdin",   // has no hook, so idumb denies programs that read commands
	},
}

// clientNames tests that idumb's tables contain every tool and every event of the installed client,
// including those that idumb ignores.
func clientNames(s *stage) {
	var tools []string
	s.prompt("say hello", model.Lane{Name: "main", Steps: []model.Step{
		model.Say("Hello.").Looking(func(r *model.Request) error { tools = append(tools, r.Tools...); return nil }),
	}})
	s.check(len(tools) > 3, "the client offers %d tools: %q", len(tools), tools)
	var events []string
	switch s.host {
	case "claude":
		more, all := claudeNames(s)
		tools, events = append(tools, more...), all
	case "codex":
		events = codexEvents(s)
	case "gemini":
		events = geminiEvents(s)
	}
	s.check(s.host == "opencode" || s.host == "copilot" || len(events) > 8, "the client has %d events: %q", len(events), events)
	slices.Sort(tools)
	for _, tool := range slices.Compact(tools) {
		if strings.HasPrefix(tool, hosts.TraitsOf(s.host).ToolPrefix) || slices.Contains(hiddenTools[s.host], tool) {
			continue
		}
		s.check(hosts.NamesTool(s.host, tool), "no table names the tool %s", tool)
	}
	for _, event := range events {
		s.check(hosts.NamesEvent(s.host, event), "no table names the event %s", event)
	}
	s.measure("%d tools, %d events", len(tools), len(events))
}

// These expressions find names in Claude Code's program, which contains a list of its events and
// some of its tools. The inputs of all tools are in a separate file in the same directory.
var (
	claudeEvents = regexp.MustCompile(`"PreToolUse","PostToolUse"(?:,"[A-Za-z]+"){10,}\]`)
	claudeTools  = regexp.MustCompile(`\["Bash","Read"(?:,"[A-Za-z]+"){5,}\]`)
	claudeInput  = regexp.MustCompile(`(?m)^export interface ([A-Za-z]+)Input `)
	quotedName   = regexp.MustCompile(`"([A-Za-z]+)"`)
)

// renamed maps names of tool inputs to the tool names that differ from them. The value is "" if an
// input belongs to no tool.
var renamed = map[string]string{
	"FileEdit": "Edit", "FileRead": "Read", "FileWrite": "Write", "Mcp": "",
	"ListMcpResources": "ListMcpResourcesTool", "ReadMcpResource": "ReadMcpResourceTool", "ReadMcpResourceDir": "ReadMcpResourceDirTool",
}

func claudeNames(s *stage) (tools, events []string) {
	program := s.crew.installed["claude"]
	text, err := os.ReadFile(program)
	s.must(err)
	for _, name := range quotedName.FindAllSubmatch(claudeEvents.Find(text), -1) {
		events = append(events, string(name[1]))
	}
	for _, name := range quotedName.FindAllSubmatch(claudeTools.Find(text), -1) {
		tools = append(tools, string(name[1]))
	}
	types, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(program)), "claude-code", "sdk-tools.d.ts"))
	s.must(err)
	inputs := claudeInput.FindAllSubmatch(types, -1)
	s.check(len(inputs) > 20, "%d inputs of tools", len(inputs))
	for _, input := range inputs {
		name, isOther := renamed[string(input[1])]
		if !isOther {
			name = string(input[1])
		}
		if name != "" {
			tools = append(tools, name)
		}
	}
	return tools, events
}

// codexEvents reads the event names from the protocol schema that Codex generates.
func codexEvents(s *stage) (events []string) {
	dir := filepath.Join(s.scratch, "schema")
	cmd := exec.Command(s.crew.installed["codex"], "app-server", "generate-json-schema", "--out", dir)
	cmd.Env = append(os.Environ(), "CODEX_HOME="+s.scratch)
	out, err := cmd.CombinedOutput()
	s.check(err == nil, "codex app-server generate-json-schema: %v: %s", err, out)
	text, err := os.ReadFile(filepath.Join(dir, "codex_app_server_protocol.v2.schemas.json"))
	s.must(err)
	var schema struct {
		Definitions struct {
			HookEventName struct{ Enum []string }
		}
	}
	s.must(json.Unmarshal(text, &schema))
	for _, name := range schema.Definitions.HookEventName.Enum {
		events = append(events, strings.ToUpper(name[:1])+name[1:])
	}
	return events
}

// geminiEvent finds the names of Gemini CLI's events in its program.
var geminiEvent = regexp.MustCompile(`HookEventName2?\["([A-Za-z]+)"\]`)

// geminiEvents reads the event names from the files of the client's program.
func geminiEvents(s *stage) (events []string) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(s.crew.installed["gemini"]), "*.js"))
	s.must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		s.must(err)
		for _, name := range geminiEvent.FindAllSubmatch(text, -1) {
			events = append(events, string(name[1]))
		}
	}
	slices.Sort(events)
	return slices.Compact(events)
}

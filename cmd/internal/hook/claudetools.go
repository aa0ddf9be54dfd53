package hook

import (
	"encoding/json"
	"path"

	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// claudeTool says what a tool of Claude Code does, and which of its arguments
// are files.
type claudeTool struct {
	pattern string // of path.Match, over the tool's name
	action  admission.Action
	paths   []string
}

// claudeTools is the table of tools; the first row that matches counts. Tools of
// foreign MCP servers that write files by name are judged as writes, whatever
// server they come from; one that no row names is Other.
var claudeTools = [...]claudeTool{
	{"Write", admission.Write, []string{"file_path"}},
	{"Edit", admission.Write, []string{"file_path"}},
	{"MultiEdit", admission.Write, []string{"file_path"}},
	{"NotebookEdit", admission.Write, []string{"notebook_path"}},
	{"Bash", admission.Shell, nil},
	{"PowerShell", admission.Other, nil},
	{"Read", admission.Read, []string{"file_path"}},
	{"NotebookRead", admission.Read, []string{"notebook_path"}},
	{"Grep", admission.Read, nil},
	{"Glob", admission.Read, nil},
	{"LS", admission.Read, nil},
	{"AskUserQuestion", admission.Ask, nil},
	{"ExitPlanMode", admission.Ask, nil},
	{"EnterPlanMode", admission.Ask, nil},
	{"TodoWrite", admission.Ask, nil},
	{"TaskCreate", admission.Ask, nil},
	{"TaskUpdate", admission.Ask, nil},
	{"TaskList", admission.Ask, nil},
	{"TaskGet", admission.Ask, nil},
	{"ToolSearch", admission.Ask, nil},
	{"mcp__idumb__*", admission.Governance, nil},
	{"mcp__plugin_idumb_idumb__*", admission.Governance, nil},
	{"mcp__*__write_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__edit_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__create_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__delete_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__move_file", admission.Write, []string{"source", "destination"}},
}

// describeClaudeTool fills in what a call does.
func describeClaudeTool(e *Event, tool string, input json.RawMessage) {
	e.Tool = tool
	row := claudeToolNamed(tool)
	e.Action = row.action
	e.Own = row.action == admission.Governance
	var args map[string]json.RawMessage
	if row.action == admission.Shell {
		e.Command, e.Unread = argument(input, &args, "command")
		if line, ok := shell.Parse(e.Command); ok && line.Governance() {
			e.Action = admission.Governance
		}
		return
	}
	for _, key := range row.paths {
		if file, missing := argument(input, &args, key); missing == "" {
			e.Paths = append(e.Paths, file)
		}
	}
	if len(e.Paths) == 0 && row.action == admission.Write {
		e.Unread = "The call names no file as a text (" + row.paths[0] + ")."
	}
}

func claudeToolNamed(tool string) claudeTool {
	for _, row := range claudeTools {
		if ok, _ := path.Match(row.pattern, tool); ok {
			return row
		}
	}
	return claudeTool{}
}

// argument reads one text out of a tool's arguments, which args keeps for the
// next one. The second result says why it cannot be read.
func argument(input json.RawMessage, args *map[string]json.RawMessage, key string) (value, missing string) {
	if *args == nil {
		if err := json.Unmarshal(input, args); err != nil {
			return "", "The call's arguments are no JSON object."
		}
	}
	if err := json.Unmarshal((*args)[key], &value); err != nil || value == "" {
		return "", "The call has no text " + key + "."
	}
	return value, ""
}

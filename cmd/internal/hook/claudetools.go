package hook

import (
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

// describeClaudeTool fills in what a call does; args is nil if they are no object.
func describeClaudeTool(e *Event, tool string, args object) {
	row := claudeToolNamed(tool)
	e.Tool, e.Action, e.Own = tool, row.action, row.action == admission.Governance
	if row.action == admission.Shell {
		e.Command = args.text("command")
		if e.Command == "" {
			e.Unread = "The call has no command as a text."
		}
		if line, ok := shell.Parse(e.Command); ok && line.Governance() {
			e.Action = admission.Governance
		}
		return
	}
	for _, key := range row.paths {
		if file := args.text(key); file != "" {
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

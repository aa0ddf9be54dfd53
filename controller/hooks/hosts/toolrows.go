package hosts

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// toolRow says what a tool of a host does, and which of its arguments are files.
type toolRow struct {
	pattern string // of path.Match, over the tool's name
	action  admission.Action
	paths   []string
}

// foreignTools are the rows that every host ends its own table with: our own
// tools, and tools of foreign MCP servers that write files by name, which are judged
// as writes whatever server they come from. A tool that no row names is Other.
var foreignTools = [...]toolRow{
	{"mcp__idumb__*", admission.Governance, nil},
	{"mcp__plugin_idumb_idumb__*", admission.Governance, nil},
	{"mcp__*__write_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__edit_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__create_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__delete_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"mcp__*__move_file", admission.Write, []string{"source", "destination"}},
	{"mcp__*__copy_file", admission.Write, []string{"destination"}},
}

// runner is our own tool that runs a command line, as the MCP server calls it.
const runner = "govern_shell"

// toolNamed returns the first row of a host's table that matches, or of the rows that
// all hosts share.
func toolNamed(tool string, table []toolRow) toolRow {
	for _, rows := range [...][]toolRow{table, foreignTools[:]} {
		for _, row := range rows {
			if ok, _ := path.Match(row.pattern, tool); ok {
				return row
			}
		}
	}
	return toolRow{}
}

// describeTool fills in what a call does; args is nil if they are no object.
func (e *Event) describeTool(tool string, row toolRow, args Object) {
	e.Tool, e.Action, e.Own, e.Args = tool, row.action, row.action == admission.Governance, args
	e.Runs = e.Own && strings.HasSuffix(tool, "__"+runner)
	switch row.action {
	case admission.Shell:
		e.describeCommand(args.Text("command"))
		return
	case admission.Delegate:
		return // what is delegated to whom each host says in words of its own
	case admission.Governance:
		if task := args.Text("task"); e.Moment == AfterTool && !e.Failed && args.Text("action") == "start" && task != "" {
			e.Starts = []string{task}
		}
		return
	}
	for _, key := range row.paths {
		if file := args.Text(key); file != "" {
			e.Paths = append(e.Paths, file)
		}
	}
	if len(e.Paths) == 0 && row.action == admission.Write {
		e.Unread = "The call names no file as a text."
		if len(row.paths) > 0 {
			e.Unread = "The call names no file as a text (" + row.paths[0] + ")."
		}
	}
}

// Toolbox says what a tool of any host does, whatever the case of its name; Other if no
// host's table names it.
func Toolbox(tool string) admission.Action {
	low := strings.ToLower(tool)
	for _, row := range opencodeTools {
		if ok, _ := path.Match(row.pattern, low); ok {
			return row.action
		}
	}
	for _, rows := range [...][]toolRow{claudeTools[:], codexTools[:], foreignTools[:]} {
		for _, row := range rows {
			if ok, _ := path.Match(strings.ToLower(row.pattern), low); ok {
				return row.action
			}
		}
	}
	return admission.Other
}

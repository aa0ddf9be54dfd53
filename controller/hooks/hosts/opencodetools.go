package hosts

import (
	"path"
	"path/filepath"

	"github.com/idumb-dev/idumb/resources/admission"
)

// opencodeTool says what a tool of OpenCode does, and which of its arguments
// are files.
type opencodeTool struct {
	pattern string // of path.Match, over the tool's name
	action  admission.Action
	paths   []string
}

// opencodeTools is the table of tools; the first row that matches counts. Tools of
// MCP servers are called SERVER_TOOL. Those that write files by name are judged as
// writes, whatever server they come from; one that no row names is Other.
var opencodeTools = [...]opencodeTool{
	{"write", admission.Write, []string{"filePath"}},
	{"edit", admission.Write, []string{"filePath"}},
	{"multiedit", admission.Write, []string{"filePath"}},
	{"apply_patch", admission.Write, nil},
	{"patch", admission.Write, nil},
	{"bash", admission.Shell, nil},
	{"shell", admission.Shell, nil},
	{"task", admission.Delegate, nil},
	{"read", admission.Read, []string{"filePath"}},
	{"grep", admission.Read, nil},
	{"glob", admission.Read, nil},
	{"list", admission.Read, nil},
	{"lsp*", admission.Read, nil},
	{"question", admission.Ask, nil},
	{"todowrite", admission.Ask, nil},
	{"todoread", admission.Ask, nil},
	{"plan_enter", admission.Ask, nil},
	{"plan_exit", admission.Ask, nil},
	{"invalid", admission.Ask, nil}, // what stands for a tool that there is not
	{"idumb_*", admission.Governance, nil},
	{"*_write_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"*_edit_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"*_create_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"*_delete_file", admission.Write, []string{"path", "file_path", "filePath"}},
	{"*_move_file", admission.Write, []string{"source", "destination"}},
	{"*_copy_file", admission.Write, []string{"destination"}},
}

// describeOpenCodeTool fills in what a call does; args is nil if they are no object.
func describeOpenCodeTool(e *Event, tool string, args Object) {
	row := opencodeToolNamed(tool)
	e.Tool, e.Action, e.Own, e.Args = tool, row.action, row.action == admission.Governance, args
	switch {
	case row.action == admission.Shell:
		describeOpenCodeShell(e, args)
	case row.action == admission.Delegate:
		e.Delegates, e.Text = args.Text("subagent_type"), args.Text("prompt")
	case e.Own:
		e.Starts = startsOf(args)
	case tool == "apply_patch", tool == "patch":
		paths, ok := PatchPaths(args.Text("patchText"))
		e.Paths = paths
		if !ok {
			e.Unread = "It cannot be told from the call's patchText which files it writes."
		}
	default:
		e.Paths = pathsIn(args, row.paths)
		if len(e.Paths) == 0 && row.action == admission.Write {
			e.Unread = "The call names no file as a text (" + row.paths[0] + ")."
		}
	}
}

// describeOpenCodeShell reads a command line, which runs in the folder workdir if
// the call names one.
func describeOpenCodeShell(e *Event, args Object) {
	e.describeCommand(args.Text("command"))
	if dir := args.Text("workdir"); filepath.IsAbs(dir) {
		e.Cwd = dir
	} else if dir != "" {
		e.Cwd = filepath.Join(e.Cwd, dir)
	}
}

func pathsIn(args Object, keys []string) []string {
	var paths []string
	for _, key := range keys {
		if file := args.Text(key); file != "" {
			paths = append(paths, file)
		}
	}
	return paths
}

// startsOf is the task that a call of our own tools asks to start. Whether it was
// started is looked up: the task is active then.
func startsOf(args Object) []string {
	if args.Text("action") != "start" {
		return nil
	}
	return pathsIn(args, []string{"task", "name"})
}

func opencodeToolNamed(tool string) opencodeTool {
	for _, row := range opencodeTools {
		if ok, _ := path.Match(row.pattern, tool); ok {
			return row
		}
	}
	return opencodeTool{}
}

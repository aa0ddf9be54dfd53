package hosts

import "github.com/idumb-dev/idumb/resources/admission"

// claudeTools is the table of Claude Code's tools; the first row that matches counts.
var claudeTools = [...]toolRow{
	{"Write", admission.Write, []string{"file_path"}},
	{"Edit", admission.Write, []string{"file_path"}},
	{"MultiEdit", admission.Write, []string{"file_path"}},
	{"NotebookEdit", admission.Write, []string{"notebook_path"}},
	{"Bash", admission.Shell, nil},
	{"PowerShell", admission.Shell, nil}, // read as far as it looks like a shell's line
	{"Monitor", admission.Shell, nil},
	{"Agent", admission.Delegate, nil},
	{"Task", admission.Delegate, nil},
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
}

// describeClaudeTool fills in what a call does; args is nil if they are no object.
func describeClaudeTool(e *Event, tool string, args Object) {
	e.describeTool(tool, toolNamed(tool, claudeTools[:]), args)
	if e.Action == admission.Delegate {
		e.Delegates, e.Text = args.Text("subagent_type"), args.Text("prompt")
	}
}

package hosts

import "github.com/idumb-dev/idumb/resources/admission"

// codexTools is the table of Codex's tools; the first row that matches counts. Its
// tools for subagents bear the name of their group in front.
var codexTools = [...]toolRow{
	{"apply_patch", admission.Write, nil},
	{"Bash", admission.Shell, nil},
	{"view_image", admission.Read, []string{"path"}},
	{"update_plan", admission.Ask, nil},
	{"request_user_input", admission.Ask, nil},
	{"tool_search", admission.Ask, nil},
	{"*spawn_agent", admission.Delegate, nil},
	{"*wait_agent", admission.Ask, nil},
	{"*list_agents", admission.Ask, nil},
	{"*send_message", admission.Ask, nil},
	{"*interrupt_agent", admission.Ask, nil},
}

// describeCodexTool fills in what a call does; args is nil if they are no object.
func describeCodexTool(e *Event, tool string, args Object) {
	e.describeTool(tool, toolNamed(tool, codexTools[:]), args)
	switch {
	case tool == "apply_patch":
		e.describePatch(args.Text("command"))
	case e.Action == admission.Delegate:
		e.Delegates, e.Names, e.Text = args.Text("agent_type"), args.Text("task_name"), args.Text("message")
		if e.Delegates == "" {
			e.Delegates = codexDefaultAgent
		}
	}
}

// codexDefaultAgent is the type of a subagent for which none was asked.
const codexDefaultAgent = "default"

// describePatch fills in the files of a patch.
func (e *Event) describePatch(text string) {
	paths, ok := PatchPaths(text)
	e.Paths, e.Unread = paths, ""
	if !ok {
		e.Unread = "The patch cannot be read: every file needs a line \"*** Add File: NAME\", \"*** Update File: NAME\" or \"*** Delete File: NAME\", between \"*** Begin Patch\" and \"*** End Patch\"."
	}
}

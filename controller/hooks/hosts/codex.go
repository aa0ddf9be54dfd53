package hosts

import (
	"path"

	"github.com/idumb-dev/idumb/resources/admission"
)

// codex speaks the hooks of Codex CLI, as its 0.171 client runs them. They look like Claude
// Code's; what differs is small and opens the gate: a field that the client does not know, "ask",
// and an "allow" that changes nothing all make it drop the answer and run the tool.
var codex = commandHook{
	name:   "codex",
	traits: Traits{Tools: "mcp__idumb__", ContextLimit: 10000, HidesExits: true, Types: true},
	events: []eventRow{
		{"PreToolUse", BeforeTool}, {"PostToolUse", AfterTool}, {"UserPromptSubmit", Prompt}, {"SessionStart", SessionStart},
		{"SubagentStart", SubagentStart}, {"SubagentStop", SubagentStop}, {"Stop", Stop}, {"SessionEnd", SessionEnd},
		{"PermissionRequest", Waits}, {"PreCompact", BeforeCompact},
		{"PostCompact", Ignored}, {"PreModelRequest", Ignored}, {"PostModelRequest", Ignored}, {"Interrupt", Ignored},
	},
	tools: toolbox{
		own: []string{"mcp__idumb__*", "mcp__plugin_idumb_idumb__*"}, server: "mcp__*__",
		table: []toolRow{ // its tools for subagents bear the name of their group in front
			{"apply_patch", admission.Write, nil, "command"},
			{"Bash", admission.Shell, nil, ""},
			{"view_image", admission.Read, []string{"path"}, ""},
			{"update_plan", admission.Ask, nil, ""},
			{"request_user_input", admission.Ask, nil, ""},
			{"tool_search", admission.Ask, nil, ""},
			{"*spawn_agent", admission.Delegate, []string{"agent_type", "message", "task_name"}, ""},
			{"*wait_agent", admission.Ask, nil, ""},
			{"*list_agents", admission.Ask, nil, ""},
			{"*send_message", admission.Ask, nil, ""},
			{"*interrupt_agent", admission.Ask, nil, ""},
			{"*followup_task", admission.Ask, nil, ""},
			{"*send_input", admission.Ask, nil, ""},
			{"*resume_agent", admission.Ask, nil, ""},
			{"*close_agent", admission.Ask, nil, ""},
			{"list_mcp_resources", admission.Read, nil, ""},
			{"list_mcp_resource_templates", admission.Read, nil, ""},
			{"read_mcp_resource", admission.Read, nil, ""},
			{"web_search", admission.Other, nil, ""},
			{"*create_goal", admission.Ask, nil, ""},
			{"*update_goal", admission.Ask, nil, ""},
			{"*get_goal", admission.Ask, nil, ""},
		},
	},
	refine: refineCodex,
	record: codexRecord,
}

// codexDefaultAgent is the type of a subagent for which none was asked.
const codexDefaultAgent = "default"

// refineCodex adds what only this client means.
func refineCodex(e *Event, in Object) {
	if e.Type == BeforeTool {
		refineQuestion(e, codexQuestions)
	}
	// After a command the client says what it printed, not how it ended.
	e.Unsettled = e.Type == AfterTool && e.Command != ""
	if e.Output = failedOutput(*e, in["tool_response"]); e.Unsettled && e.Output == "" {
		e.Output = in.Text("tool_response")
	}
	if e.Own && e.Output != "" {
		e.Starts = nil // the tool answered with an error
	}
	if e.Action == admission.Delegate && e.Delegates == "" {
		e.Delegates = codexDefaultAgent
	}
}

// codexRecord reads the first line of the subagent's own record.
func codexRecord(e Event) (Origin, bool) {
	o, err := ReadObject(firstLine(e.Transcript))
	if err != nil {
		return Origin{}, false
	}
	meta := o.Object("payload")
	if meta.Text("id") != e.Subagent { // at its end the client names its parent's record
		return Origin{}, false
	}
	from := Origin{Depth: meta.Object("source").Object("subagent").Object("thread_spawn").Count("depth")}
	if at := meta.Text("agent_path"); at != "" {
		from.Name = path.Base(at)
	}
	if parent := meta.Text("parent_thread_id"); parent != e.Session {
		from.Parent = parent
	}
	return from, true
}

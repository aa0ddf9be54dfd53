package hosts

import (
	"path"

	"github.com/idumb-dev/idumb/resources/admission"
)

// codex is the adapter for the hooks of Codex CLI, checked against version
// 0.171. The hooks resemble the hooks of Claude Code, but small differences
// open the gate. An unknown field, "ask", or an "allow" that changes nothing
// makes the client drop the answer and run the tool.
var codex = commandHook{
	name:   "codex",
	traits: Traits{ToolPrefix: "mcp__idumb__", ContextLimit: 10000, HidesExits: true, CanType: true},
	events: []eventRow{
		{"PreToolUse", BeforeTool}, {"PostToolUse", AfterTool}, {"UserPromptSubmit", Prompt}, {"SessionStart", SessionStart},
		{"SubagentStart", SubagentStart}, {"SubagentStop", SubagentStop}, {"Stop", Stop}, {"SessionEnd", SessionEnd},
		{"PermissionRequest", Waits}, {"PreCompact", BeforeCompact},
		{"PostCompact", Ignored}, {"PreModelRequest", Ignored}, {"PostModelRequest", Ignored}, {"Interrupt", Ignored},
	},
	tools: toolbox{
		ownPatterns: []string{"mcp__idumb__*", "mcp__plugin_idumb_idumb__*"}, server: "mcp__*__",
		table: []toolRow{ // the names of its subagent tools have the group name as prefix
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

// codexDefaultAgent is the type of a subagent if the call names no type.
const codexDefaultAgent = "default"

// refineCodex completes an event with data that only Codex sends or omits: questions, outputs
// without an exit code, and the default agent.
func refineCodex(e *Event, in Object) {
	if e.Type == BeforeTool {
		refineQuestion(e, codexQuestions)
	}
	// After a command the client sends the printed text, but not the exit code.
	e.OutcomeUnknown = e.Type == AfterTool && e.Command != ""
	if e.Output = failedOutput(*e, in["tool_response"]); e.OutcomeUnknown && e.Output == "" {
		e.Output = in.Text("tool_response")
	}
	if e.Own && e.Output != "" {
		e.StartedTasks, e.EndedTask = nil, "" // the tool answered with an error
	}
	if e.Type == AfterTool && e.Action == admission.Ask && e.Output == "" {
		e.Todos = todoChange(e.Tool, e.Args, nil)
	}
	if e.Action == admission.Delegate && e.DelegateTo == "" {
		e.DelegateTo = codexDefaultAgent
	}
}

// codexRecord reads the first line of the transcript. It returns false if that
// is not the record of the subagent.
func codexRecord(e Event) (Origin, bool) {
	o, err := ReadObject(firstLine(e.Transcript))
	if err != nil {
		return Origin{}, false
	}
	meta := o.Object("payload")
	if meta.Text("id") != e.Subagent { // at the end of a subagent the client names the record of the parent
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

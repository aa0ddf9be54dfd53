package hosts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources/admission"
)

// copilot is the adapter for the hooks of GitHub Copilot CLI, checked against
// version 1.0.102. The client has two forms of events: with Claude Code's names
// if the entry in the settings has such a name, else with its own names, which
// omit the name of the event. A hook that fails denies the call.
var copilot = commandHook{
	name:   "copilot",
	traits: Traits{ToolPrefix: "idumb-", ContextLimit: 9000, FailsClosed: true, DropsContext: true}, // the client cuts text after a call at 10 KB
	events: []eventRow{
		{"PreToolUse", BeforeTool}, {"PostToolUse", AfterTool}, {"PostToolUseFailure", AfterTool}, {"UserPromptSubmit", Prompt},
		{"SessionStart", SessionStart}, {"SubagentStart", SubagentStart}, {"SubagentStop", SubagentStop}, {"PreCompact", BeforeCompact},
		{"Stop", Stop}, {"SessionEnd", SessionEnd},
		{"PermissionRequest", Ignored}, // it also comes if no person is asked
		{"UserPromptTransformed", Ignored}, {"ErrorOccurred", Ignored}, {"Notification", Ignored},
	},
	tools: toolbox{
		ownPatterns: []string{"idumb-*"}, server: "*-",
		table: []toolRow{ // both names of a tool
			{"create", admission.Write, []string{"path"}, ""},
			{"Write", admission.Write, []string{"path"}, ""},
			{"edit", admission.Write, []string{"path"}, ""},
			{"Edit", admission.Write, []string{"path"}, ""},
			{"apply_patch", admission.Write, nil, copilotPatch},
			{"bash", admission.Shell, nil, ""},
			{"Bash", admission.Shell, nil, ""},
			{"powershell", admission.Shell, nil, ""},
			{"task", admission.Delegate, []string{"agent_type", "prompt", "name"}, ""},
			{"Agent", admission.Delegate, []string{"agent_type", "prompt", "name"}, ""},
			{"view", admission.Read, []string{"path"}, ""},
			{"Read", admission.Read, []string{"path"}, ""},
			{"grep", admission.Read, nil, ""},
			{"Grep", admission.Read, nil, ""},
			{"glob", admission.Read, nil, ""},
			{"Glob", admission.Read, nil, ""},
			{"session_store_sql", admission.Read, nil, ""}, // the client's own records
			{"fetch_copilot_cli_documentation", admission.Read, nil, ""},
			{"read_bash", admission.Ask, nil, ""},
			{"stop_bash", admission.Ask, nil, ""},
			{"list_bash", admission.Ask, nil, ""},
			{"read_agent", admission.Ask, nil, ""},
			{"list_agents", admission.Ask, nil, ""},
			{"write_agent", admission.Ask, nil, ""},
			{"sql", admission.Ask, nil, ""}, // the session's own database, with its to-do list
			{"update_todo", admission.Ask, nil, ""},
			{"report_intent", admission.Ask, nil, ""},
			{"ask_user", admission.Ask, nil, ""},
			{"tool_search_tool", admission.Ask, nil, ""},
			{"skill", admission.Other, nil, ""},
			{"web_fetch", admission.Other, nil, ""},
			{"web_search", admission.Other, nil, ""},
		},
	},
	rename: renameCopilot,
	refine: refineCopilot,
	answer: answerCopilot,
}

// copilotPatch is the argument for a patch. The client sends the patch itself in
// place of the arguments.
const copilotPatch = "patch"

// renameCopilot returns an event with Claude Code's names of its members, its
// event and its session. The session of a subagent is the subagent itself.
func renameCopilot(in Object) Object {
	out := Object{}
	for key, value := range in {
		out[snakeCase(key)] = value
	}
	for from, to := range map[string]string{"tool_args": "tool_input", "hook_name": "hook_event_name"} {
		if value, found := out[from]; found && out[to] == nil {
			out[to] = value
		}
	}
	if result := out.Object("tool_result"); result != nil {
		renamed := Object{}
		for key, value := range result {
			renamed[snakeCase(key)] = value
		}
		out["tool_result"], _ = json.Marshal(renamed)
	}
	out["hook_event_name"] = quotedText(copilotEvent(out))
	if input := out["tool_input"]; bytes.HasPrefix(bytes.TrimSpace(input), []byte(`"`)) {
		if args, err := ReadObject([]byte(AsText(input))); err == nil {
			out["tool_input"], _ = json.Marshal(args)
		} else {
			out["tool_name"] = quotedText("apply_patch")
			out["tool_input"], _ = json.Marshal(Object{copilotPatch: input})
		}
	}
	if id := out.Text("agent_id"); id != "" {
		out["session_id"] = quotedText(id)
		delete(out, "agent_id")
	}
	return out
}

// snakeCase converts a name like toolName to tool_name.
func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// quotedText returns a text as JSON.
func quotedText(text string) json.RawMessage {
	quoted, _ := json.Marshal(text) // a text always encodes
	return quoted
}

// copilotNames lists the client's own names of events that differ from Claude
// Code's by more than the first letter.
var copilotNames = map[string]string{"UserPromptSubmitted": "UserPromptSubmit", "AgentStop": "Stop"}

// copilotEvent returns Claude Code's name of an event. For an event without a
// name it is derived from the members; it is empty if they fit no event.
func copilotEvent(in Object) string {
	has := func(key string) bool { _, found := in[key]; return found }
	if name := in.Text("hook_event_name"); name != "" {
		name = strings.ToUpper(name[:1]) + name[1:]
		if other, differs := copilotNames[name]; differs {
			return other
		}
		return name
	}
	switch {
	case has("tool_result"):
		return "PostToolUse"
	case has("tool_name") && has("error"):
		return "PostToolUse" + failureSuffix
	case has("tool_name"):
		return "PreToolUse"
	case has("transformed_prompt"):
		return "UserPromptTransformed"
	case has("source"):
		return "SessionStart"
	case has("prompt"):
		return "UserPromptSubmit"
	case has("agent_name") && (has("response") || has("stop_reason")):
		return "SubagentStop"
	case has("agent_name"):
		return "SubagentStart"
	case has("stop_reason"):
		return "Stop"
	case has("trigger"):
		return "PreCompact"
	case has("notification_type"):
		return "Notification"
	case has("error"):
		return "ErrorOccurred"
	case has("reason"):
		return "SessionEnd"
	}
	return ""
}

// refineCopilot completes an event with the members that only Copilot sends.
func refineCopilot(e *Event, in Object) {
	e.Parent = in.Text("parent_agent_id")
	switch e.Type {
	case BeforeTool:
		refineQuestion(e, copilotQuestions)
	case AfterTool:
		refineCopilotResult(e, in)
	case Prompt:
		// A subagent gets its prompt with its start. The end of a background
		// agent also arrives as a prompt, but no person wrote it.
		if e.Parent != "" || strings.HasPrefix(strings.TrimSpace(e.Text), "<system_notification>") {
			e.Type, e.Text = Ignored, ""
		}
	case SessionStart:
		e.AfterPrompt, e.Forgot = in.Text("source") == "new", e.Resumed
	case Stop:
		if e.Parent != "" { // the end of a subagent follows
			e.Type = Ignored
		}
	}
}

// copilotExit splits the result of a command that ended into what it printed and
// its exit code, from the last line: <shellId: 0 completed with exit code 3>.
// ended is false if the text has no such line.
func copilotExit(text string) (printed, code string, ended bool) {
	i := strings.LastIndex(text, "<shellId: ")
	if i < 0 {
		return text, "", false
	}
	_, code, ended = strings.Cut(strings.TrimSpace(text[i:]), " completed with exit code ")
	code, closed := strings.CutSuffix(code, ">")
	return strings.TrimSuffix(text[:i], "\n"), code, ended && closed
}

// refineCopilotResult reads the result of a call. A command with a non-zero exit
// code counts as a success of the tool.
func refineCopilotResult(e *Event, in Object) {
	result := in.Object("tool_result")
	text := result.Text("text_result_for_llm")
	kind := result.Text("result_type")
	switch e.Failed = e.Failed || kind != "" && kind != "success"; {
	case e.Failed:
		e.Output, e.StartedTasks, e.EndedTask = cmp.Or(in.Text("error"), text), nil, ""
		return
	case e.Command != "" && e.Action != admission.Other:
		switch printed, code, ended := copilotExit(text); {
		case !ended:
			e.OutcomeUnknown = true
		case code == "0":
			e.Printed = outputEnd(printed)
		default:
			e.Failed, e.Output = true, printed
		}
	case e.RunsCommand:
		e.Output = failedOutput(*e, result["text_result_for_llm"])
	}
	if e.Tool == "create" || e.Tool == "Write" {
		e.Created = e.Paths
	}
	if !e.Failed {
		e.Todos = todoChange(e.Tool, e.Args, nil)
	}
}

// copilotAnswer is the answer in the format of Copilot.
type copilotAnswer struct {
	Permission       string `json:"permissionDecision,omitempty"`
	PermissionReason string `json:"permissionDecisionReason,omitempty"`
	Decision         string `json:"decision,omitempty"`
	Reason           string `json:"reason,omitempty"`
	Context          string `json:"additionalContext,omitempty"`
}

// answerCopilot returns the answer, or nil if it is empty.
func answerCopilot(e Event, a Answer) any {
	out := copilotAnswer{Context: a.Context}
	switch e.Type {
	case BeforeTool:
		if reason := cmp.Or(a.Deny, a.Ask); reason != "" {
			out = copilotAnswer{Permission: "deny", PermissionReason: reason}
		}
	case AfterTool:
		out.Context = joinTexts(a.LateReason, a.Context)
	case Stop, SubagentStop:
		if out.Context = ""; a.Hold != "" {
			out.Decision, out.Reason = "block", a.Hold
		}
	case Prompt, SessionStart, SubagentStart:
	default:
		return nil
	}
	if out == (copilotAnswer{}) {
		return nil
	}
	return out
}

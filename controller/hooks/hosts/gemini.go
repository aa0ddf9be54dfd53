package hosts

import (
	"cmp"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// gemini is the adapter for the hooks of Gemini CLI, checked against version
// 0.61.0. The client waits forever if a hook asks in a headless run, so iDumb
// never asks. The client drops context in the answer before a call. It sends a
// reason for not stopping back as a prompt, and does not limit how often a hook
// may give one. Its subagents have the id of the session that started them.
var gemini = commandHook{
	name:   "gemini",
	traits: Traits{ToolPrefix: "mcp_idumb_", ContextLimit: 10000, DropsContext: true, LateContext: true, SharesSession: true},
	events: []eventRow{
		{"BeforeTool", BeforeTool}, {"AfterTool", AfterTool}, {"BeforeAgent", Prompt}, {"AfterAgent", Stop},
		{"SessionStart", SessionStart}, {"SessionEnd", SessionEnd}, {"PreCompress", BeforeCompact},
		{"BeforeModel", Ignored}, {"AfterModel", Ignored}, {"BeforeToolSelection", Ignored}, {"Notification", Ignored},
	},
	tools: toolbox{
		ownPatterns: []string{"mcp_idumb_*"}, server: "mcp_*_",
		table: []toolRow{
			{"write_file", admission.Write, []string{"file_path"}, ""},
			{"replace", admission.Write, []string{"file_path"}, ""},
			{"run_shell_command", admission.Shell, nil, ""},
			{"invoke_agent", admission.Delegate, []string{"agent_name", "prompt"}, ""},
			{"read_file", admission.Read, []string{"file_path"}, ""},
			{"read_many_files", admission.Read, nil, ""},
			{"list_directory", admission.Read, nil, ""},
			{"grep_search", admission.Read, nil, ""},
			{"glob", admission.Read, nil, ""},
			{"get_internal_docs", admission.Read, nil, ""},
			{"list_mcp_resources", admission.Read, nil, ""},
			{"read_mcp_resource", admission.Read, nil, ""},
			{"list_background_processes", admission.Read, nil, ""},
			{"read_background_output", admission.Read, nil, ""},
			{"write_todos", admission.Ask, nil, ""},
			{"tracker_*", admission.Ask, nil, ""},
			{"ask_user", admission.Ask, nil, ""},
			{"enter_plan_mode", admission.Ask, nil, ""},
			{"exit_plan_mode", admission.Ask, nil, ""},
			{"update_topic", admission.Ask, nil, ""},
			{"complete_task", admission.Ask, nil, ""}, // the end of a subagent
			{"activate_skill", admission.Other, nil, ""},
			{"web_fetch", admission.Other, nil, ""},
			{"google_web_search", admission.Other, nil, ""},
		},
	},
	refine: refineGemini,
	answer: answerGemini,
}

// refineGemini completes an event with the members that only Gemini CLI sends.
func refineGemini(e *Event, in Object) {
	switch e.Type {
	case BeforeTool:
		refineQuestion(e, geminiQuestions)
	case AfterTool:
		refineGeminiResult(e, in.Object("tool_response"))
	case Prompt:
		e.Text = withoutHookContext(e.Text)
	case BeforeCompact:
		// The event also comes before every request, with the trigger "auto".
		if in.Text("trigger") != "manual" {
			e.Type = Ignored
		}
	case Stop:
		e.Text = in.Text("prompt_response")
	}
	if dir := e.Args.Text("dir_path"); e.Command != "" && dir != "" {
		e.SetCommand("cd '" + strings.ReplaceAll(dir, "'", `'\''`) + "'\n" + e.Command)
	}
}

// geminiFailed reports whether the result of a command has a line with an exit
// code other than 0, or with a signal. The line is missing if the code is 0.
func geminiFailed(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if code, isExit := strings.CutPrefix(line, "Exit Code: "); isExit && code != "0" || strings.HasPrefix(line, "Signal: ") {
			return true
		}
	}
	return false
}

// refineGeminiResult reads the result of a call. Failed calls have no event of
// their own.
func refineGeminiResult(e *Event, response Object) {
	text, failed := answerText(response["llmContent"])
	failed = failed || response.Object("error") != nil
	if e.Command != "" {
		failed = failed || geminiFailed(text)
		e.OutcomeUnknown = e.Args.Flag("is_background")
	}
	switch e.Failed = failed; {
	case failed:
		e.Output, e.StartedTasks, e.EndedTask = text, nil, ""
		return
	case e.Command != "" && !e.OutcomeUnknown:
		e.Printed = outputEnd(text)
	case e.RunsCommand:
		e.Output = failedOutput(*e, response["llmContent"])
	}
	if response.Object("returnDisplay").Flag("isNewFile") {
		e.Created = e.Paths
	}
	e.Todos = todoChange(e.Tool, e.Args, response)
}

// withoutHookContext removes the context of the session's start, which the
// client adds in front of the first prompt.
func withoutHookContext(prompt string) string {
	for {
		rest, begins := strings.CutPrefix(prompt, "<hook_context>")
		_, after, ends := strings.Cut(rest, "</hook_context>")
		if !begins || !ends {
			return prompt
		}
		prompt = strings.TrimLeft(after, " \r\n")
	}
}

// geminiContextEvents lists the events whose answers may have context.
var geminiContextEvents = map[EventType]string{AfterTool: "AfterTool", Prompt: "BeforeAgent", SessionStart: "SessionStart"}

// answerGemini returns the answer, or nil if it is empty.
func answerGemini(e Event, a Answer) any {
	out := hookOutput{Notice: a.Notice}
	deny := func(reason string) {
		if reason != "" {
			out.Decision, out.Reason = "deny", reason
		}
	}
	switch e.Type {
	case BeforeTool:
		deny(cmp.Or(a.Deny, a.Ask))
		a.Context = ""
	case AfterTool:
		a.Context = joinTexts(a.LateReason, a.Context)
	case Stop:
		deny(a.Hold)
		a.Context = ""
	case Prompt, SessionStart:
	default:
		return nil
	}
	if a.Context != "" {
		out.Specific = &hookAnswer{Event: geminiContextEvents[e.Type], Context: withoutTags(a.Context)}
	}
	if out == (hookOutput{}) {
		return nil
	}
	return out
}

// withoutTags writes tags in square brackets, because the client escapes the
// brackets of tags in context.
func withoutTags(text string) string {
	var b strings.Builder
	for {
		before, rest, begins := strings.Cut(text, "<")
		tag, after, ends := strings.Cut(rest, ">")
		b.WriteString(before)
		switch {
		case !begins:
			return b.String()
		case ends && isTag(tag):
			b.WriteString("[" + tag + "]")
			text = after
		default:
			b.WriteString("<")
			text = rest
		}
	}
}

// isTag reports whether a text between "<" and ">" is a tag: a name, which may
// have members.
func isTag(text string) bool {
	name, members, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	noLetter := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }
	return name != "" && !strings.ContainsFunc(name, noLetter) && !strings.ContainsAny(members, "<\n") && (members == "" || strings.HasSuffix(members, `"`))
}

package hosts

import (
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// claude is the adapter for the hooks of Claude Code, checked against version
// 2.1.332. hack/e2e/agents compares its tables with the names that the client
// knows. If the context is longer than ContextLimit, the client shows the model
// only a preview.
var claude = commandHook{
	name:   "claude",
	traits: Traits{ToolPrefix: "mcp__idumb__", ContextLimit: 10000, CanAsk: true, KeepsInSummary: true},
	events: []eventRow{
		{"PreToolUse", BeforeTool}, {"PostToolUse", AfterTool}, {"PostToolUseFailure", AfterTool}, {"UserPromptSubmit", Prompt},
		{"SessionStart", SessionStart}, {"SubagentStart", SubagentStart}, {"SubagentStop", SubagentStop}, {"PreCompact", BeforeCompact},
		{"Stop", Stop}, {"ConfigChange", SettingsChange}, {"SessionEnd", SessionEnd},
		{"PermissionRequest", Waits}, {"Notification", Waits}, {skillCommand, BeforeTool},
		{"PostToolBatch", Ignored}, {"UserPromptExpansion", Ignored}, {"StopFailure", Ignored}, {"PostCompact", Ignored},
		{"PreModelSwitch", Ignored}, {"PostModelSwitch", Ignored}, {"PermissionDenied", Ignored}, {"Setup", Ignored},
		{"TeammateIdle", Ignored}, {"TaskCreated", Ignored}, {"TaskCompleted", Ignored}, {"Elicitation", Ignored},
		{"ElicitationResult", Ignored}, {"WorktreeCreate", Ignored}, {"WorktreeRemove", Ignored}, {"InstructionsLoaded", Ignored},
		{"CwdChanged", Ignored}, {"FileChanged", Ignored}, {"DirectoryAdded", Ignored}, {"MessageDisplay", Ignored},
	},
	tools: toolbox{
		ownPatterns: []string{"mcp__idumb__*", "mcp__plugin_idumb_idumb__*"}, server: "mcp__*__",
		table: []toolRow{
			{"Write", admission.Write, []string{"file_path"}, ""},
			{"Edit", admission.Write, []string{"file_path"}, ""},
			{"MultiEdit", admission.Write, []string{"file_path"}, ""},
			{"NotebookEdit", admission.Write, []string{"notebook_path"}, ""},
			{"Bash", admission.Shell, nil, ""},
			{"PowerShell", admission.Shell, nil, ""}, // parsed if it has the syntax of a shell
			{"Monitor", admission.Shell, nil, ""},
			{"Agent", admission.Delegate, []string{"subagent_type", "prompt"}, ""},
			{"Task", admission.Delegate, []string{"subagent_type", "prompt"}, ""},
			{"Read", admission.Read, []string{"file_path"}, ""},
			{"NotebookRead", admission.Read, []string{"notebook_path"}, ""},
			{"Grep", admission.Read, nil, ""},
			{"Glob", admission.Read, nil, ""},
			{"LS", admission.Read, nil, ""},
			{"AskUserQuestion", admission.Ask, nil, ""},
			{"ExitPlanMode", admission.Ask, nil, ""},
			{"EnterPlanMode", admission.Ask, nil, ""},
			{"TodoWrite", admission.Ask, nil, ""},
			{"TaskCreate", admission.Ask, nil, ""},
			{"TaskUpdate", admission.Ask, nil, ""},
			{"TaskList", admission.Ask, nil, ""},
			{"TaskGet", admission.Ask, nil, ""},
			{"ToolSearch", admission.Ask, nil, ""},
			{"TaskStop", admission.Ask, nil, ""},
			{"TaskOutput", admission.Ask, nil, ""},
			{"SendMessage", admission.Ask, nil, ""},
			{"SendUserMessage", admission.Ask, nil, ""},
			{"PushNotification", admission.Ask, nil, ""},
			{"ReadNotifications", admission.Ask, nil, ""},
			{"ReportFindings", admission.Ask, nil, ""},
			{"SendFeedback", admission.Ask, nil, ""},
			{"ProposeGoal", admission.Ask, nil, ""},
			{"ProposeSkills", admission.Ask, nil, ""},
			{"ShowOnboardingRolePicker", admission.Ask, nil, ""},
			{"OfferChromeSetup", admission.Ask, nil, ""},
			{"RefreshMcpTools", admission.Ask, nil, ""},
			{"EnterWorktree", admission.Ask, nil, ""},
			{"ExitWorktree", admission.Ask, nil, ""}, // refined: it may discard changes
			{"CronCreate", admission.Ask, nil, ""},   // refined: it may write a file
			{"CronDelete", admission.Ask, nil, ""},
			{"CronList", admission.Ask, nil, ""},
			{"ScheduleWakeup", admission.Ask, nil, ""},
			{"Workflow", admission.Delegate, nil, ""},
			{"Skill", admission.Other, nil, ""}, // see ReadSkill: the text may run commands
			{"REPL", admission.Other, nil, ""},  // refined: it runs code
			{"JavaScript", admission.Other, nil, ""},
			{"ListAgents", admission.Ask, nil, ""},
			{"LSP", admission.Read, nil, ""},
			{"ListMcpResourcesTool", admission.Read, nil, ""},
			{"ReadMcpResourceTool", admission.Read, nil, ""},
			{"ReadMcpResourceDirTool", admission.Read, nil, ""},
			{"Artifact", admission.Read, []string{"file_path"}, ""},
			{"WebFetch", admission.Other, nil, ""}, // this and the next tools act on no file of this machine
			{"WebSearch", admission.Other, nil, ""},
			{"RemoteTrigger", admission.Other, nil, ""}, // refined: it may start a remote agent
			{"ClaudeDesign", admission.Other, nil, ""},
			{"Projects", admission.Other, nil, ""},
		},
	},
	refine:    refineClaude,
	record:    claudeRecord,
	isForeign: isCopilot,
	headless: Headless{
		Program:  "claude",
		Args:     []string{"-p", "--output-format", "json", "--disallowedTools=Write,Edit,MultiEdit,NotebookEdit,Agent,Task,Bash,PowerShell,Monitor", "--allowedTools=Read,Grep,Glob,WebFetch,WebSearch"},
		UnsetEnv: []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"}, // variables of the calling session; with them the client treats itself as part of that session
	},
}

// refineClaude adds the data that only Claude Code sends.
func refineClaude(e *Event, in Object) {
	switch e.Type {
	case BeforeTool:
		refineQuestion(e, claudeQuestions)
		refineClaudeTool(e, in)
	case Waits:
		if e.Tool == "" {
			refineNotification(e, in)
		}
	case SessionStart:
		e.Tokens = in.Count("context_tokens")
	case AfterTool:
		response := in.Object("tool_response")
		e.Cancelled = in.Flag("is_interrupt") || response.Flag("interrupted")
		e.OutcomeUnknown = e.Cancelled || response.Text("backgroundTaskId") != "" // it was only started
		if e.Failed {
			e.Output = in.Text("error")
		} else {
			e.Output = failedOutput(*e, in["tool_response"])
		}
		if e.Command != "" && !e.Failed {
			e.Printed = outputEnd(response.Text("stdout") + "\n" + response.Text("stderr"))
		}
		if response.Text("type") == "create" {
			e.Created = e.Paths
		}
		if !e.Failed {
			e.Todos = todoChange(e.Tool, e.Args, response)
		}
	case Prompt:
		// The end of a background agent also arrives as a prompt, but no person
		// wrote it.
		if strings.HasPrefix(strings.TrimSpace(e.Text), "<task-notification>") {
			e.Type, e.Text = Ignored, ""
		}
	case SubagentStop:
		// Internal helpers of the client, for example the writer of the summary
		// of a compaction, end like subagents without a type. No start
		// event precedes their end.
		if e.Agent == "" || e.Subagent == "" {
			e.Type = Ignored
		}
	case Stop:
		e.Waiting = waitsForAgents(in)
	case SettingsChange:
		// Settings of an administrator apply at once, and skills run no hooks.
		e.File = in.Text("file_path")
		if source := in.Text("source"); source == "policy_settings" || source == "skills" {
			e.Type, e.File = Ignored, ""
		}
	}
}

// waitsForAgents reports whether background work is running that will wake the
// agent. Background commands do not count, because a server, for example, runs
// as long as the session.
func waitsForAgents(in Object) bool {
	for _, item := range Items(in["background_tasks"]) {
		if task, err := ReadObject(item); err == nil && task.Text("type") != "shell" {
			return true
		}
	}
	return false
}

// claudeRecord reads the file that the client writes next to the transcript of
// a subagent, and reports whether it could. The client writes it after
// SubagentStart, and before the first call of the subagent.
func claudeRecord(e Event) (Origin, bool) {
	file := "agent-" + e.Subagent + ".meta.json"
	if filepath.Base(file) != file {
		return Origin{}, false
	}
	o, err := ReadObject(firstLine(filepath.Join(strings.TrimSuffix(e.Transcript, ".jsonl"), "subagents", file)))
	if err != nil {
		return Origin{}, false
	}
	return Origin{CallID: o.Text("toolUseId"), Parent: o.Text("parentAgentId"), Depth: o.Count("spawnDepth")}, true
}

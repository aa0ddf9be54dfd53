package hosts

import (
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// claude speaks the hooks of Claude Code, as its 2.1.332 client runs them. hack/e2e/agents compares
// its tables with the names that the client knows. Of more context than its
// limit the model sees a preview.
var claude = commandHook{
	name:   "claude",
	traits: Traits{Tools: "mcp__idumb__", ContextLimit: 10000, Asks: true, Summarises: true},
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
		own: []string{"mcp__idumb__*", "mcp__plugin_idumb_idumb__*"}, server: "mcp__*__",
		table: []toolRow{
			{"Write", admission.Write, []string{"file_path"}, ""},
			{"Edit", admission.Write, []string{"file_path"}, ""},
			{"MultiEdit", admission.Write, []string{"file_path"}, ""},
			{"NotebookEdit", admission.Write, []string{"notebook_path"}, ""},
			{"Bash", admission.Shell, nil, ""},
			{"PowerShell", admission.Shell, nil, ""}, // read as far as it looks like a shell's line
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
			{"Skill", admission.Other, nil, ""}, // see ReadSkill: its text may run commands
			{"REPL", admission.Other, nil, ""},  // refined: it runs code
			{"JavaScript", admission.Other, nil, ""},
			{"ListAgents", admission.Ask, nil, ""},
			{"LSP", admission.Read, nil, ""},
			{"ListMcpResourcesTool", admission.Read, nil, ""},
			{"ReadMcpResourceTool", admission.Read, nil, ""},
			{"ReadMcpResourceDirTool", admission.Read, nil, ""},
			{"Artifact", admission.Read, []string{"file_path"}, ""},
			{"WebFetch", admission.Other, nil, ""}, // these act elsewhere, on no file of this machine
			{"WebSearch", admission.Other, nil, ""},
			{"RemoteTrigger", admission.Other, nil, ""}, // refined: it may start an agent elsewhere
			{"ClaudeDesign", admission.Other, nil, ""},
			{"Projects", admission.Other, nil, ""},
		},
	},
	refine: refineClaude,
	record: claudeRecord,
	copied: isCopilot,
	headless: Headless{
		Program: "claude",
		Args:    []string{"-p", "--output-format", "json", "--disallowedTools=Write,Edit,MultiEdit,NotebookEdit,Agent,Task,Bash,PowerShell,Monitor", "--allowedTools=Read,Grep,Glob,WebFetch,WebSearch"},
		Without: []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"}, // of the session that asks: with them the client takes itself for a part of it
	},
}

// refineClaude adds what only this client tells.
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
		e.Unsettled = e.Cancelled || response.Text("backgroundTaskId") != "" // it was only launched
		if e.Failed {
			e.Output = in.Text("error")
		} else {
			e.Output = failedOutput(*e, in["tool_response"])
		}
		if e.Command != "" && !e.Failed {
			e.Printed = ending(response.Text("stdout") + "\n" + response.Text("stderr"))
		}
		if response.Text("type") == "create" {
			e.Created = e.Paths
		}
	case Prompt:
		// The end of a background agent comes as a prompt as well, of no person.
		if strings.HasPrefix(strings.TrimSpace(e.Text), "<task-notification>") {
			e.Type, e.Text = Ignored, ""
		}
	case SubagentStop:
		// The client's own helpers, as the one that writes a compaction's summary,
		// end like subagents of no type; nothing of them ever began.
		if e.Agent == "" || e.Subagent == "" {
			e.Type = Ignored
		}
	case Stop:
		e.Waiting = waitsForAgents(in)
	case SettingsChange:
		// What an administrator sets holds at once, and skills run no hooks.
		e.File = in.Text("file_path")
		if source := in.Text("source"); source == "policy_settings" || source == "skills" {
			e.Type, e.File = Ignored, ""
		}
	}
}

// waitsForAgents reports whether something still runs that will wake the agent up. Commands in
// the background do not count: a server among them runs for as long as the session.
func waitsForAgents(in Object) bool {
	for _, item := range Items(in["background_tasks"]) {
		if task, err := ReadObject(item); err == nil && task.Text("type") != "shell" {
			return true
		}
	}
	return false
}

// claudeRecord reads the file that the client keeps beside a subagent's transcript. It writes it
// after SubagentStart, and before the subagent's first call.
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

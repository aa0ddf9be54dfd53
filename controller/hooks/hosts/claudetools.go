package hosts

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// skillCommand is the event before a command that the text of a skill runs. The command is no call
// of the agent's, and no event follows it.
const skillCommand = "PreSkillShellCommand"

// workflowAgent is the type of the agents that a workflow starts.
const workflowAgent = "workflow-subagent"

// scheduledTasks is the file in which Claude Code keeps durable prompts that it runs later.
const scheduledTasks = ".claude/scheduled_tasks.json"

// refineClaudeTool describes the calls whose arguments decide what they do.
func refineClaudeTool(e *Event, in Object) {
	if in.Text("hook_event_name") == skillCommand {
		e.Skill = true
	}
	switch e.Tool {
	case "ExitWorktree": // without discard_changes the client keeps a worktree that has changes
		if e.Args.Text("action") == "remove" && e.Args.Flag("discard_changes") {
			e.runs("git worktree remove --force .")
		}
	case "CronCreate":
		if e.Args.Flag("durable") {
			e.Action, e.Paths = admission.Write, []string{scheduledTasks}
		}
	case "Workflow":
		e.Delegates, e.Text = workflowAgent, e.Args.Text("script")
	case "REPL", "JavaScript":
		for _, key := range codeArguments {
			if line := asLine(e.Args[key], "node -e "); line != "" {
				e.runs(line)
			}
		}
	case "Skill":
		if commands := skillCommands(*e); len(commands) > 0 {
			e.runs(strings.Join(commands, "\n"))
		}
	}
}

// runs says that a call does what a command line does.
func (e *Event) runs(line string) {
	e.Action, e.Unsettled = admission.Shell, true
	e.SetCommand(line)
}

// skillCommands returns the commands that the text of a skill runs, with the call's arguments filled
// in. Versions before 2.1.332 send no event for them. A command has one of two forms: !`command` in
// a line, and the lines of a block between ```! and ```.
func skillCommands(e Event) (all []string) {
	text := skillText(e.Cwd, e.Args.Text("skill"))
	add := func(command string) {
		all = append(all, strings.ReplaceAll(command, "$ARGUMENTS", e.Args.Text("args")))
	}
	var block []string
	inBlock := false
	for line := range strings.Lines(text) {
		fence, fenced := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case inBlock && fenced:
			add(strings.Join(block, ""))
			block, inBlock = nil, false
		case inBlock:
			block = append(block, line)
		case fenced && fence == "!":
			inBlock = true
		default:
			for _, part := range strings.Split(line, "!`")[1:] {
				if command, _, closed := strings.Cut(part, "`"); closed && command != "" {
					add(command)
				}
			}
		}
	}
	if inBlock {
		add(strings.Join(block, ""))
	}
	return all
}

// skillText reads the text of a skill or a command of the project's or the user's; "" if there is none.
func skillText(cwd, name string) string {
	if name = strings.TrimPrefix(name, "/"); name == "" || !filepath.IsLocal(name) {
		return ""
	}
	var roots []string
	for dir := cwd; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		roots = append(roots, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, home)
	}
	for _, root := range roots {
		for _, file := range []string{"skills/" + name + "/SKILL.md", "commands/" + strings.ReplaceAll(name, ":", "/") + ".md"} {
			path := filepath.Join(root, ".claude", filepath.FromSlash(file))
			if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxRecord {
				continue
			}
			if text, err := os.ReadFile(path); err == nil {
				return string(text)
			}
		}
	}
	return ""
}

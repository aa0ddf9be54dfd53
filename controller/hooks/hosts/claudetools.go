package hosts

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// skillCommand is the event before a command that the text of a skill runs. The
// command is not a call of the agent, and no event follows it.
const skillCommand = "PreSkillShellCommand"

// workflowAgent is the type of the agents that a workflow starts.
const workflowAgent = "workflow-subagent"

// scheduledTasks is the file in which Claude Code keeps durable prompts that it
// runs later.
const scheduledTasks = ".claude/scheduled_tasks.json"

// refineClaudeTool describes the calls whose effect depends on their arguments.
func refineClaudeTool(e *Event, in Object) {
	if in.Text("hook_event_name") == skillCommand {
		e.Skill = true
	}
	switch e.Tool {
	case "ExitWorktree": // without discard_changes the client keeps a worktree that has changes
		if e.Args.Text("action") == "remove" && e.Args.Flag("discard_changes") {
			e.actAsCommand("git worktree remove --force .")
		}
	case "CronCreate":
		if e.Args.Flag("durable") {
			e.Action, e.Paths = admission.Write, []string{scheduledTasks}
		}
	case "Workflow":
		e.DelegateTo, e.Text = workflowAgent, e.Args.Text("script")
	case "REPL", "JavaScript":
		for _, key := range codeArguments {
			if line := joinArgument(e.Args[key], "node -e "); line != "" {
				e.actAsCommand(line)
			}
		}
	case "RemoteTrigger":
		if line := joinArgument(e.Args["action"], "claude remote-trigger "); line != "" && !slices.Contains(remoteReads[:], e.Args.Text("action")) {
			e.actAsCommand(line)
		}
	}
}

// remoteReads lists the actions of RemoteTrigger that only read. All further
// actions create or start a remote agent.
var remoteReads = [...]string{"list", "get", "list_runs", "get_run_log"}

// ReadSkill gives a call that loads a skill the effect of the commands in the
// text of the skill. Versions of Claude Code before 2.1.332 send no event for
// these commands. config is the folder of the user's settings.
func (e *Event) ReadSkill(config string) {
	if e.Type != BeforeTool || e.Host != "claude" || e.Tool != "Skill" {
		return
	}
	if commands := skillCommands(skillText(e.Cwd, config, e.Args.Text("skill")), e.Args.Text("args")); len(commands) > 0 {
		e.actAsCommand(strings.Join(commands, "\n"))
	}
}

// actAsCommand gives a call the effect of the command line.
func (e *Event) actAsCommand(line string) {
	e.Action, e.OutcomeUnknown = admission.Shell, true
	e.SetCommand(line)
}

// skillCommands returns the commands that the text of a skill runs, with the
// arguments of the call filled in. A command has one of two forms: !`command`
// in a line, or a block of lines between ```! and ```.
func skillCommands(text, args string) (all []string) {
	// The first argument is $0. A placeholder without an argument is left unchanged.
	var pairs []string
	words := strings.Fields(args)
	names := argumentNames(text)
	for i := min(len(words), maxPlaces) - 1; i >= 0; i-- { // $10 before $1
		n, word := strconv.Itoa(i), strings.Trim(words[i], `"'`)
		pairs = append(pairs, "$ARGUMENTS["+n+"]", word, "$"+n, word)
		if i < len(names) {
			pairs = append([]string{"$" + names[i], word}, pairs...)
		}
	}
	text = strings.NewReplacer(append(pairs, "$ARGUMENTS", args)...).Replace(text)
	var block []string
	inBlock := false
	for line := range strings.Lines(text) {
		fence, fenced := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case inBlock && fenced:
			all = append(all, strings.Join(block, ""))
			block, inBlock = nil, false
		case inBlock:
			block = append(block, line)
		case fenced && fence == "!":
			inBlock = true
		default:
			for _, part := range strings.Split(line, "!`")[1:] {
				if command, _, closed := strings.Cut(part, "`"); closed && command != "" {
					all = append(all, command)
				}
			}
		}
	}
	if inBlock {
		all = append(all, strings.Join(block, ""))
	}
	return all
}

// maxPlaces limits the number of arguments of a skill that have a placeholder.
const maxPlaces = 64

// argumentNames returns the names in the header of a skill: "arguments: a b" or
// "arguments: [a, b]".
func argumentNames(text string) []string {
	head, _, _ := strings.Cut(strings.TrimPrefix(text, "---"), "\n---")
	for line := range strings.Lines(head) {
		if names, found := strings.CutPrefix(strings.TrimSpace(line), "arguments:"); found {
			return strings.FieldsFunc(names, func(r rune) bool { return strings.ContainsRune(" ,[]\"'", r) })
		}
	}
	return nil
}

// skillText reads the text of a skill or a command from the project, the user's
// settings or a plugin. It returns an empty text if no file is found.
func skillText(cwd, config, name string) string {
	if name = strings.TrimPrefix(name, "/"); name == "" || !filepath.IsLocal(name) {
		return ""
	}
	var folders []string
	for dir := cwd; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		folders = append(folders, filepath.Join(dir, ".claude"))
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if config != "" {
		folders = append(folders, config)
	}
	if text := textIn(folders, name); text != "" {
		return text
	}
	plugin, skill, of := strings.Cut(name, ":")
	if !of || config == "" || !filepath.IsLocal(skill) {
		return ""
	}
	return textIn(pluginFolders(config, plugin), skill)
}

// textIn returns the text of a skill or a command from the first folder that
// holds one.
func textIn(folders []string, name string) string {
	for _, folder := range folders {
		for _, file := range []string{"skills/" + name + "/SKILL.md", "commands/" + strings.ReplaceAll(name, ":", "/") + ".md"} {
			if text := readSmall(filepath.Join(folder, filepath.FromSlash(file))); text != nil {
				return string(text)
			}
		}
	}
	return ""
}

// readSmall reads a regular file of at most maxRecord bytes. It returns nil for any
// other file.
func readSmall(file string) []byte {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRecord {
		return nil
	}
	text, _ := os.ReadFile(file)
	return text
}

// pluginFolders returns the folders in which a plugin is installed, from Claude
// Code's list of installed plugins.
func pluginFolders(config, plugin string) (all []string) {
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if json.Unmarshal(readSmall(filepath.Join(config, "plugins", "installed_plugins.json")), &list) != nil {
		return nil
	}
	type install struct {
		Path string `json:"installPath"`
	}
	for _, key := range slices.Sorted(maps.Keys(list.Plugins)) {
		if name, _, _ := strings.Cut(key, "@"); name != plugin {
			continue
		}
		var several []install
		if raw := list.Plugins[key]; json.Unmarshal(raw, &several) != nil { // the first version of the list has one installation a plugin
			several = make([]install, 1)
			_ = json.Unmarshal(raw, &several[0])
		}
		for _, in := range several {
			if filepath.IsAbs(in.Path) {
				all = append(all, in.Path)
			}
		}
	}
	return all
}

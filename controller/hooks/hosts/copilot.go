package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// GitHub Copilot runs the hooks of a repository's .claude/settings*.json as well: it drops "args",
// and sends other arguments and takes other answers than Claude Code. Until it has an adapter,
// iDumb has no opinion on its events.

// claudeMarks are members of Claude Code's events that Copilot CLI does not send.
var claudeMarks = [...]string{"permission_mode", "prompt_id", "tool_use_id"}

// isCopilot reports whether Copilot sent an event to Claude Code's hook. The event decides, never
// the environment: a Claude Code that was started in a shell of Copilot's inherits COPILOT_CLI.
// Copilot CLI 1.0.102 stamps every event with the time. It calls the session sessionId, or
// session_id where the entry has Claude Code's name of the event.
func isCopilot(in Object) bool {
	has := func(key string) bool { _, found := in[key]; return found }
	if !has("timestamp") {
		return false
	}
	if has("sessionId") && !has("session_id") {
		return true
	}
	return !slices.ContainsFunc(claudeMarks[:], has)
}

// ClaudeSettings are the files of a repository whose hooks Claude Code and Copilot run.
var ClaudeSettings = [...]string{".claude/settings.json", ".claude/settings.local.json"}

// SplitSettings returns those of ClaudeSettings in the repository at root that start iDumb's hook
// with "args", as earlier versions installed it. Copilot runs such an entry without them: `sh`
// then reads the event, which holds the user's prompt, as a script.
func SplitSettings(root string) []string { return settingsWith(root, splitsCommand) }

// HooksOff returns those of ClaudeSettings in the repository at root that turn all hooks off.
func HooksOff(root string) []string { return settingsWith(root, DisablesHooks) }

// DisablesHooks reports whether settings of Claude Code turn all hooks off.
func DisablesHooks(text []byte) bool {
	var s struct {
		DisableAllHooks bool `json:"disableAllHooks"`
	}
	return json.Unmarshal(text, &s) == nil && s.DisableAllHooks
}

// settingsWith returns those of ClaudeSettings in the repository at root whose text has a property.
func settingsWith(root string, has func(text []byte) bool) (files []string) {
	for _, file := range ClaudeSettings {
		path := filepath.Join(root, filepath.FromSlash(file))
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxRecord {
			continue
		}
		if text, err := os.ReadFile(path); err == nil && has(text) {
			files = append(files, file)
		}
	}
	return files
}

// splitsCommand reports whether an action of settings has "args" and starts a program of iDumb.
func splitsCommand(text []byte) bool {
	settings, err := ReadObject(text)
	if err != nil {
		return false
	}
	for _, event := range settings.Object("hooks") {
		for _, group := range objectsIn(event) {
			for _, action := range objectsIn(group["hooks"]) {
				args := textsOf(action["args"])
				if len(args) > 0 && strings.Contains(action.Text("command")+" "+strings.Join(args, " "), "idumb") {
					return true
				}
			}
		}
	}
	return false
}

// objectsIn returns the objects of a list.
func objectsIn(list []byte) (all []Object) {
	for _, item := range Items(list) {
		if o, err := ReadObject(item); err == nil {
			all = append(all, o)
		}
	}
	return all
}

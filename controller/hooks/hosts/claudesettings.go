package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// GitHub Copilot also runs the hooks of a repository's .claude/settings*.json.
// It drops "args", and its arguments and answers differ from Claude
// Code's. The entries of Claude Code therefore give no answer to its events: the
// entries of Copilot answer them.

// claudeMarks lists members of Claude Code's events that Copilot CLI does not
// send.
var claudeMarks = [...]string{"permission_mode", "prompt_id", "tool_use_id"}

// isCopilot reports whether Copilot sent the event to Claude Code's hook. It
// examines only the event, not the environment: Claude Code inherits
// COPILOT_CLI if it is started in a shell of Copilot. Copilot CLI 1.0.102 adds
// a timestamp to every event. It names the session sessionId, or session_id if
// the entry uses Claude Code's name of the event.
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

// ClaudeSettings lists the files of a repository with hooks of both Claude Code
// and Copilot.
var ClaudeSettings = [...]string{".claude/settings.json", ".claude/settings.local.json"}

// SplitSettings returns the files of ClaudeSettings under root that start
// iDumb's hook with "args", as earlier versions installed it. Copilot runs such
// an entry without the arguments. The program `sh` then runs the event, which
// holds the user's prompt, as a script.
func SplitSettings(root string) []string { return settingsWith(root, splitsCommand) }

// HooksOff returns the files of ClaudeSettings under root that disable all
// hooks.
func HooksOff(root string) []string { return settingsWith(root, DisablesHooks) }

// DisablesHooks reports whether settings of Claude Code disable all hooks.
func DisablesHooks(text []byte) bool {
	var s struct {
		DisableAllHooks bool `json:"disableAllHooks"`
	}
	return json.Unmarshal(text, &s) == nil && s.DisableAllHooks
}

// settingsWith returns the files of ClaudeSettings under root for which has
// returns true.
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

// splitsCommand reports whether an action of the settings has "args" and starts
// a program of iDumb.
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

// objectsIn returns the elements of a JSON list that are objects.
func objectsIn(list []byte) (all []Object) {
	for _, item := range Items(list) {
		if o, err := ReadObject(item); err == nil {
			all = append(all, o)
		}
	}
	return all
}

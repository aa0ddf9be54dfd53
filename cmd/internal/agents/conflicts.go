package agents

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Conflict is a setting that disables the gate.
type Conflict struct{ File, Reason, Remedy string }

// Conflicts returns the settings of a host that disable the gate. It reads the repository's
// settings, and for Claude Code also the user's.
func Conflicts(h Host, root string) (found []Conflict) {
	switch h.Name {
	case "claude":
		for _, file := range hosts.ClaudeSettings {
			found = append(found, claudeConflicts(root, file)...)
		}
		found = append(found, SplitHooks(root)...)
		if dir := userConfigDir("CLAUDE_CONFIG_DIR", ".claude"); dir != "" { // the user's settings apply in all repositories
			found = append(found, claudeConflicts("", filepath.Join(dir, "settings.json"))...)
		}
	case "opencode":
		found = openCodeConflicts(root, openCodeSettingsIn(root))
	case "codex":
		found = codexConflicts(h, root)
	}
	return found
}

// userConfigDir returns a directory of the user's settings: the value of a variable, or a directory in
// their home, empty if unknown.
func userConfigDir(variable, inHome string) string {
	if dir := os.Getenv(variable); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, inHome)
}

// claudeConflicts returns the settings in a file of Claude Code that keep iDumb from working.
func claudeConflicts(root, file string) (found []Conflict) {
	var s struct {
		Disabled []string `json:"disabledMcpjsonServers"`
	}
	text, err := readFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return nil
	}
	if hosts.DisablesHooks(text) {
		found = append(found, Conflict{file, "disableAllHooks is true: no hook runs, so calls are not governed", "take it out"})
	}
	for _, name := range s.Disabled {
		if name == "idumb" {
			found = append(found, Conflict{file, "disabledMcpjsonServers names idumb: agents have no governance tools", "take it out"})
		}
	}
	return found
}

// SplitHooks returns the files of a repository that contain iDumb's hooks with "args", with the
// reason and the remedy.
func SplitHooks(root string) (found []Conflict) {
	for _, file := range hosts.SplitSettings(root) {
		remedy := `run "idumb upgrade"`
		if file != hosts.ClaudeSettings[0] { // a file that Install does not write
			remedy = `write each of iDumb's hooks there as one string without "args", as in ` + hosts.ClaudeSettings[0]
		}
		found = append(found, Conflict{file, `has iDumb's hooks in an earlier form, with "args": GitHub Copilot CLI runs them without, and a shell executes text of your prompts`, remedy})
	}
	return found
}

// openCodeConflicts returns the settings in a file of OpenCode that keep iDumb from working.
func openCodeConflicts(root, file string) []Conflict {
	text, err := readFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil
	}
	d, err := parse(text, true)
	if err != nil {
		return nil
	}
	if decoded(d, []string{"mcp", "idumb", "enabled"}) == false {
		return []Conflict{{file, "mcp.idumb.enabled is false: agents have no governance tools", "set it to true"}}
	}
	return nil
}

// codexConflicts reports hooks that are missing in the main working tree. In a linked working tree
// Codex reads the hooks of the main one and ignores the tree's (openai/codex#21969).
func codexConflicts(h Host, root string) []Conflict {
	main := layout.MainTree(root)
	if main == "" || Status(h, main, FindCommands(h.Name)).Files[0].Present {
		return nil
	}
	return []Conflict{{".codex/hooks.json", "in a linked worktree Codex reads the hooks of the main worktree, which has no iDumb hooks: calls are not governed", "run \"idumb -C " + main + " hook install codex\" as well"}}
}

package agents

import (
	"os"
	"path/filepath"
)

// openCodeOffline says what a person can do against OpenCode's wait for npm in their
// own folder of settings, which is not ours to write in; "" if there is none.
// OpenCode installs @opencode-ai/plugin into each folder of settings, and with any
// plugin it waits for that at every start until it has worked once.
func openCodeOffline() string {
	folder := os.Getenv("XDG_CONFIG_HOME")
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		folder = filepath.Join(home, ".config")
	}
	folder = filepath.Join(folder, "opencode")
	npmrc := filepath.Join(folder, ".npmrc")
	text, _ := readFile(npmrc)
	_, err := os.Stat(filepath.Join(folder, "node_modules", "@opencode-ai", "plugin"))
	if err == nil || fetchRetries.Match(text) {
		return ""
	}
	return "until OpenCode has been started once with a network, each start without one waits 70 seconds for npm; the line fetch-retries=0 in " + npmrc + " ends that"
}

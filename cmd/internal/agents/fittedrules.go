package agents

import (
	"path/filepath"
	"slices"
	"strings"
)

// sharedRules is the file that hosts read for themselves which have no profiles of ours in files of their own:
// the lines about the repository stand there for them. It is a person's; we make it where there is none.
const sharedRules = "AGENTS.md"

// rulesReaders are these hosts, with a file that names us where one is set up.
func rulesReaders() map[string]string {
	return map[string]string{"opencode": ".opencode/plugin/idumb.js", "codex": ".codex/hooks.json"}
}

// rulesRead reports whether such a host is set up in the repository at root.
func rulesRead(root string) bool {
	for _, file := range rulesReaders() {
		if text, err := readFile(filepath.Join(root, filepath.FromSlash(file))); err == nil && strings.Contains(string(text), "idumb") {
			return true
		}
	}
	return false
}

// madeWith is what a file begins with that is made when it gets its lines, and goes when nothing else stands in it.
func madeWith(file string) (head string, made bool) {
	if slices.ContainsFunc(fittedCommands(), func(c fittedCommand) bool { return c.file == file }) {
		return fittedHead, true
	}
	return "", file == sharedRules
}

// fittedFor are the files that go with a host: its commands, and with the last that reads them the shared rules.
func fittedFor(h Host, root string) (files []string) {
	for _, c := range fittedCommands() {
		if c.host == h.Name {
			files = append(files, c.file)
		}
	}
	if rulesReaders()[h.Name] != "" && !rulesRead(root) {
		files = append(files, sharedRules)
	}
	return files
}

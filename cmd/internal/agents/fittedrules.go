package agents

import (
	"path/filepath"
	"strings"
)

// sharedRules is the file with lines about the repository for hosts that have no profiles in
// separate files. It belongs to the user; WriteFitted creates it if it does not exist.
const sharedRules = "AGENTS.md"

// rulesReaders maps each host that reads sharedRules to a file that names idumb if the host is set
// up.
func rulesReaders() map[string]string {
	return map[string]string{"opencode": ".opencode/plugin/idumb.js", "codex": ".codex/hooks.json"}
}

// rulesInUse reports whether a host that reads sharedRules is set up in a repository.
func rulesInUse(root string) bool {
	for _, file := range rulesReaders() {
		if text, err := readFile(filepath.Join(root, filepath.FromSlash(file))); err == nil && strings.Contains(string(text), "idumb") {
			return true
		}
	}
	return false
}

// initialText reports whether WriteFitted creates a missing file, and returns the text with which
// it begins. Such a file is removed when it contains no other text.
func initialText(file string) (head string, made bool) {
	for _, c := range fittedFiles() {
		if c.file == file {
			return c.kind.head(), true
		}
	}
	return "", file == sharedRules
}

// fittedFor returns the files that are removed with a host: its commands and skills, and the shared rules if
// no other host reads them.
func fittedFor(h Host, root string) (files []string) {
	for _, c := range fittedFiles() {
		if c.host == h.Name {
			files = append(files, c.file)
		}
	}
	if rulesReaders()[h.Name] != "" && !rulesInUse(root) {
		files = append(files, sharedRules)
	}
	return files
}

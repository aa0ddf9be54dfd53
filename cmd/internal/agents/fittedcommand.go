package agents

import (
	"errors"
	"os"
	"path/filepath"
)

// fittedCommand is a command of a host for one repository. Its file is not shipped.
type fittedCommand struct {
	host string // name of the host
	file string // relative to the root
	mark string // path that exists if the host was set up, relative to the root
}

// fittedHead is the initial text of such a file.
const fittedHead = "---\ndescription: Lint, check, build and test this repository\n---\n"

// fittedCommands lists all fitted commands.
func fittedCommands() []fittedCommand {
	return []fittedCommand{
		{"claude", ".claude/commands/idumb-verify.md", ".claude/commands/idumb"},
		{"opencode", ".opencode/command/idumb-verify.md", ".opencode/plugin/idumb.js"},
	}
}

// CommandsToFit returns the command files of a repository without the current FittedText of lines,
// for the hosts that are set up. Files that a user wrote or changed are skipped.
func CommandsToFit(root, lines string) (files []string, err error) {
	for _, c := range fittedCommands() {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(c.mark))); err != nil || lines == "" {
			continue
		}
		text, _, err := readProfile(root, c.file)
		if err != nil {
			return nil, err
		}
		_, there := cutFitted(text)
		if text == nil || len(there) > 0 && string(there) != FittedText(lines) && !EditedFit(string(there)) {
			files = append(files, c.file)
		}
	}
	return files, nil
}

// takeFitted removes the fitted lines from the files of a host, unless a user changed them.
func takeFitted(h Host, root string) error {
	for _, file := range fittedFor(h, root) {
		if err := WriteFitted(root, file, ""); err != nil && !errors.Is(err, ErrEditedFit) {
			return err
		}
	}
	return nil
}

package agents

import (
	"errors"
	"os"
	"path/filepath"
)

// fittedCommand is a command that a host gets for the repository itself. The file is no part of what ships.
type fittedCommand struct {
	host string // its name
	file string // from the root
	mark string // a file or folder that is there where the host was set up, from the root
}

// fittedHead is what such a file begins with when it is made.
const fittedHead = "---\ndescription: Lint, check, build and test this repository\n---\n"

// fittedCommands is the one table of them.
func fittedCommands() []fittedCommand {
	return []fittedCommand{
		{"claude", ".claude/commands/idumb-verify.md", ".claude/commands/idumb"},
		{"opencode", ".opencode/command/idumb-verify.md", ".opencode/plugin/idumb.js"},
	}
}

// CommandsToFit are the commands of the repository at root, for the hosts that are set up there, in which
// lines do not stand as FittedText has them. A file that a person wrote, or changed, is left to them.
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

// takeFitted takes the lines out of the files that go with a host, but not those that a person changed.
func takeFitted(h Host, root string) error {
	for _, file := range fittedFor(h, root) {
		if err := Fit(root, file, ""); err != nil && !errors.Is(err, ErrEditedFit) {
			return err
		}
	}
	return nil
}

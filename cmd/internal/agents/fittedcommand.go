package agents

import (
	"errors"
	"os"
	"path/filepath"
)

// fittedFile is a command or a skill of a host for one repository. Its file is not shipped.
type fittedFile struct {
	kind Fitting
	host string // name of the host
	file string // relative to the root
	mark string // path that exists if the host was set up, relative to the root
}

// Fitting is the kind of a fitted file.
type Fitting string

// Fittings.
const (
	VerifyCommand   Fitting = "command" // lints, checks, builds and tests the repository
	SharedFileSkill Fitting = "skill"   // describes changes of files that many others import
)

// head returns the initial text of a fitted file.
func (f Fitting) head() string {
	if f == SharedFileSkill {
		return "---\nname: idumb-shared-files\ndescription: Lists the files that many files of this repository import. Use it before you change what one of them exports.\n---\n"
	}
	return "---\ndescription: Lint, check, build and test this repository\n---\n"
}

// fittedFiles lists all fitted files.
func fittedFiles() []fittedFile {
	return []fittedFile{
		{VerifyCommand, "claude", ".claude/commands/idumb-verify.md", ".claude/commands/idumb"},
		{VerifyCommand, "opencode", ".opencode/command/idumb-verify.md", ".opencode/plugin/idumb.js"},
		{SharedFileSkill, "claude", ".claude/skills/idumb-shared-files/SKILL.md", ".claude/commands/idumb"},
	}
}

// FittedFiles returns the fitted files of a kind without the current FittedText of lines, for the
// hosts that are set up. It skips files that a user wrote or changed.
func FittedFiles(root string, kind Fitting, lines string) (files []string, err error) {
	for _, c := range fittedFiles() {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(c.mark))); err != nil || lines == "" || c.kind != kind {
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

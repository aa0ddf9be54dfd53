package onboarding

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// maxCommands is the maximal number of commands in a block, because agents read it every time.
const maxCommands = 16

// BlockOf returns the section about a repository for agents, in Markdown: its commands, and the
// directories of source, tests and plans. It contains only names and commands of plain characters
// (see technologies.IsPlain), so that no file of the repository can instruct the agent. It is empty if nothing was
// found.
func BlockOf(f ScanResult) string {
	var b strings.Builder
	for i, c := range preferredCommands(f.Commands) {
		if i == maxCommands {
			break
		}
		b.WriteString("- to " + c.Purpose + ": `" + c.Run + "`" + dirSuffix(c.Dir) + "\n")
	}
	for _, part := range []struct {
		name     string
		patterns []string
	}{{"source", f.Sources}, {"tests", f.Tests}, {"plans", plans(f.Documents)}} {
		if len(part.patterns) > 0 {
			b.WriteString("- " + part.name + ": `" + strings.Join(part.patterns, "`, `") + "`\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## This repository\n\nFound by a scan; the commands were not run. If a task gives other instructions, follow the task.\n\n" + b.String()
}

// VerifyOf returns the instructions by which an agent verifies its work, in Markdown: the commands
// that lint, check, build and test the repository, restricted to plain characters as in BlockOf. It
// is empty if there are no such commands.
func VerifyOf(f ScanResult) string {
	var b strings.Builder
	commands := preferredCommands(f.Commands)
	for _, purpose := range []string{technologies.ToLint, technologies.ToCheck, technologies.ToBuild, technologies.ToTest} {
		for _, c := range commands {
			if c.Purpose == purpose && strings.Count(b.String(), "\n") < maxCommands {
				b.WriteString("- " + c.Purpose + ": `" + c.Run + "`" + dirSuffix(c.Dir) + "\n")
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "Run these from the root of the repository, in this order:\n\n" + b.String() +
		"\nStop at the first that fails and show the lines that say why. Change no file to make one pass.\nSay of each whether it passed, failed, or was not run.\n"
}

// plans returns the directories of planning documents.
func plans(all []documents.Document) (folders []string) {
	for _, d := range all {
		if _, planning := rank(d.Class); !planning && d.Class != documents.ADR {
			continue
		}
		pattern := path.Dir(d.Path) + "/**"
		if path.Dir(d.Path) == "." {
			pattern = d.Path
		}
		if technologies.IsPlain(pattern) && !slices.Contains(folders, pattern) && len(folders) < maxPlaces {
			folders = append(folders, pattern)
		}
	}
	return folders
}

package onboarding

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// maxRules is the maximal number of rules files that are read.
const maxRules = 200

// rulesAtRoot reports whether the root has a rules file that every agent's host finds.
func rulesAtRoot(all []documents.Document) bool {
	return slices.ContainsFunc(all, func(d documents.Document) bool { return d.Path == "AGENTS.md" || d.Path == "CLAUDE.md" })
}

// rulesFiles lists the existing rules files, including skills.
func rulesFiles(all []documents.Document) (files []string) {
	for _, d := range all {
		if d.Class == documents.Rules {
			files = append(files, "there is "+d.Path)
		}
	}
	return files
}

// contradictions lists places in rules files that name deleted files, or a package manager other
// than the repository's.
func contradictions(files project.Files, f ScanResult) (all []string) {
	manager, read := managerOf(f.Commands), 0
	for _, d := range f.Documents {
		if d.Class != documents.Rules || read == maxRules {
			continue
		}
		read++
		for _, link := range d.DeadLinks {
			all = append(all, fmt.Sprintf("%s:%d names %s, which does not exist", d.Path, link.Line, link.Path))
		}
		if manager == "" {
			continue
		}
		data, err := files.Read(d.Path)
		if err != nil {
			continue
		}
		all = append(all, otherManagers(d.Path, string(data), manager)...)
	}
	return all
}

// managers are package managers that are alternatives to each other.
var managers = [...]string{"npm", "pnpm", "yarn", "bun"}

// managerOf returns the package manager of all commands. It is empty if there is not exactly one.
func managerOf(commands []technologies.Command) (manager string) {
	for _, c := range commands {
		word, _, _ := strings.Cut(c.Run, " ")
		if !slices.Contains(managers[:], word) || word == manager {
			continue
		}
		if manager != "" {
			return ""
		}
		manager = word
	}
	return manager
}

// otherManagers lists the lines of a text with code that begins with another package manager.
func otherManagers(file, text, manager string) (all []string) {
	fenced, number := false, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		spans := strings.Split(line, "`")
		for i, span := range spans {
			if isCodeSpan := i%2 == 1 && i < len(spans)-1; !isCodeSpan && !fenced {
				continue
			}
			if other := managerIn(span); other != "" && other != manager {
				all = append(all, fmt.Sprintf("%s:%d names %s, but the repository uses %s", file, number, other, manager))
				break
			}
		}
	}
	return all
}

// managerIn returns the package manager that a command begins with, if its verb is one that all
// package managers have; otherwise "".
func managerIn(command string) string {
	fields := strings.Fields(command)
	if len(fields) < 2 || !slices.Contains(managers[:], path.Base(fields[0])) {
		return ""
	}
	if !slices.Contains([]string{"install", "i", "ci", "run", "test", "build", "lint", "start"}, fields[1]) {
		return ""
	}
	return path.Base(fields[0])
}

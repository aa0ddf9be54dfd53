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

// mostRules is how many rules files are read.
const mostRules = 200

// rulesAtRoot reports whether there is a rules file that every agent's host finds.
func rulesAtRoot(all []documents.Document) bool {
	return slices.ContainsFunc(all, func(d documents.Document) bool { return d.Path == "AGENTS.md" || d.Path == "CLAUDE.md" })
}

// rulesFiles are the rules files that there are, skills among them.
func rulesFiles(all []documents.Document) (files []string) {
	for _, d := range all {
		if d.Class == documents.Rules {
			files = append(files, "there is "+d.Path)
		}
	}
	return files
}

// contradictions are places in rules files that name files that are gone, or another package manager
// than the one that the repository has.
func contradictions(files project.Files, f Found) (all []string) {
	manager, read := managerOf(f.Commands), 0
	for _, d := range f.Documents {
		if d.Class != documents.Rules || read == mostRules {
			continue
		}
		read++
		for _, link := range d.Gone {
			all = append(all, fmt.Sprintf("%s:%d names %s, which is not there", d.Path, link.Line, link.Path))
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

// managers are the package managers that are typed in the place of each other.
var managers = [...]string{"npm", "pnpm", "yarn", "bun"}

// managerOf is the one that all commands are typed with; "" where there is none, or several.
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

// otherManagers are the lines of a text whose code begins with another package manager.
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
				all = append(all, fmt.Sprintf("%s:%d says %s, and it is built with %s", file, number, other, manager))
				break
			}
		}
	}
	return all
}

// managerIn is the package manager that a command begins with, where it does what all of them do.
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

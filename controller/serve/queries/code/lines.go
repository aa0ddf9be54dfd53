package code

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Maximum number of elements in a line for agents.
const (
	maxLanguages    = 4
	maxTechnologies = 8
	maxWorkspaces   = 6
	maxCommands     = 6
	maxPlans        = 4
	maxLine         = 160 // in characters
)

// Lines summarizes the project in a few lines that change only with the
// project. The content comes from the repository's files, so the caller must
// sanitize it.
func (o *Overview) Lines() (lines []string) {
	add := func(name string, parts []string, most int) {
		if len(parts) == 0 {
			return
		}
		if more := len(parts) - most; more > 0 {
			parts = append(slices.Clone(parts[:most]), fmt.Sprintf("%d more", more))
		}
		text := []rune(name + ": " + strings.Join(parts, ", "))
		if len(text) > maxLine {
			text = append(text[:maxLine-1], '…')
		}
		lines = append(lines, string(text))
	}
	var languages, stack, workspaces, commands, frameworks, plans []string
	for _, l := range o.Languages {
		languages = append(languages, l.Name)
	}
	for _, t := range o.Technologies {
		if t.Role == technologies.Runtime && t.Main() {
			stack = append(stack, strings.TrimSpace(t.Name+" "+t.Version))
		}
	}
	for _, w := range o.Workspaces {
		workspaces = append(workspaces, w.Dir)
	}
	for _, c := range o.Commands {
		if c.Dir == "." {
			commands = append(commands, c.Purpose+" `"+c.Run+"`")
		}
	}
	for _, f := range o.Frameworks {
		frameworks = append(frameworks, f.Name)
	}
	for _, d := range o.Plans {
		plans = append(plans, d.Path)
	}
	add("Code", languages, maxLanguages)
	add("Stack", stack, maxTechnologies)
	if len(workspaces) > 1 {
		add("Workspaces", workspaces, maxWorkspaces)
	}
	add("Commands", commands, maxCommands)
	add("Planning", frameworks, maxPlans)
	if len(frameworks) < 2 {
		add("Plans in effect", plans, maxPlans)
	} else {
		lines = append(lines, "Several planning frameworks are used here; planning.primary of .idumb/config.json names the one in effect. Ask the user before you follow the plans of another framework.")
	}
	return lines
}

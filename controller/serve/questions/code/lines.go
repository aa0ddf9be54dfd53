package code

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// How much of a list stands in one of the lines that an agent is told.
const (
	fewLanguages    = 4
	fewTechnologies = 8
	fewWorkspaces   = 6
	fewCommands     = 6
	fewPlans        = 4
	maxLine         = 160 // characters
)

// Lines tell what the project is in a few lines that change with the project, not with the day. What
// stands in them comes from its files: whoever shows them makes them safe.
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
			commands = append(commands, c.For+" `"+c.Run+"`")
		}
	}
	for _, f := range o.Frameworks {
		frameworks = append(frameworks, f.Name)
	}
	for _, d := range o.Plans {
		plans = append(plans, d.Path)
	}
	add("Code", languages, fewLanguages)
	add("Stack", stack, fewTechnologies)
	if len(workspaces) > 1 {
		add("Workspaces", workspaces, fewWorkspaces)
	}
	add("Commands", commands, fewCommands)
	add("Planning", frameworks, fewPlans)
	if len(frameworks) < 2 {
		add("Plans that hold", plans, fewPlans)
	} else {
		lines = append(lines, "Several frameworks plan here; planning.primary of .idumb/config.json says which one rules. Ask the person before you follow another one's plans.")
	}
	return lines
}

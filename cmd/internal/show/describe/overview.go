package describe

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
)

// Limits of the lists on the screen.
const (
	maxWorkspaces   = 8
	maxTechnologies = 24
	maxCommands     = 6
	maxPlans        = 8
	width           = 100
)

// PrintMap writes an overview.
func PrintMap(w io.Writer, o *code.Overview, now time.Time) error {
	p := mapPrinter{bufio.NewWriter(w)}
	p.line("Languages", languages(o))
	p.line("Workspaces", workspaces(o))
	p.list("Stack", stack(o))
	p.list("Commands", commands(o))
	p.line("Planning", frameworks(o))
	p.list("Plans", plans(o))
	p.line("Documents", counts(o.Classes))
	p.list("Hot spots", hotSpots(o))
	p.line("Knots", knots(o))
	p.line("Notes", counts(o.Notes))
	p.line("Looked at", fmt.Sprintf("%d files, %d of them code, %s", o.Scope.Files, o.Scope.Code, ago(now.Sub(o.Scope.Level))))
	return p.Flush()
}

// mapPrinter writes the sections of an overview.
type mapPrinter struct{ *bufio.Writer }

// line writes a name and a folded text. It writes nothing if the text is empty.
func (p mapPrinter) line(name, text string) {
	if text != "" {
		const indent = "            "
		fmt.Fprintf(p, "%-12s%s\n", name, terminal.Wrap(terminal.EscapeLine(text), width-len(indent), indent))
	}
}

// list writes a name and a list, one entry a line.
func (p mapPrinter) list(name string, all []string) {
	for _, text := range all {
		p.line(name, text)
		name = ""
	}
}

// languages returns the languages with their numbers of files and lines.
func languages(o *code.Overview) string {
	var parts []string
	for _, l := range o.Languages {
		parts = append(parts, fmt.Sprintf("%s (%d files, %d lines)", l.Name, l.Files, l.Lines))
	}
	return strings.Join(parts, ", ")
}

// workspaces returns the first maxWorkspaces workspaces with their kinds.
func workspaces(o *code.Overview) string {
	var parts []string
	for _, w := range o.Workspaces {
		parts = append(parts, fmt.Sprintf("%s (%s)", w.Dir, w.Kind))
	}
	if more := len(parts) - maxWorkspaces; more > 0 {
		parts = append(parts[:maxWorkspaces:maxWorkspaces], fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// stack returns the technologies, one line for each category.
func stack(o *code.Overview) (lines []string) {
	at := map[string]int{}
	for _, t := range o.Technologies[:min(len(o.Technologies), maxTechnologies)] {
		text := t.String()
		if n, met := at[t.Category]; met {
			lines[n] += ", " + text
			continue
		}
		at[t.Category] = len(lines)
		lines = append(lines, t.Category+": "+text)
	}
	if more := len(o.Technologies) - maxTechnologies; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: idumb get tech", more))
	}
	return lines
}

// commands returns a line for each of the first maxCommands commands: purpose, command line,
// directory.
func commands(o *code.Overview) (lines []string) {
	for _, c := range o.Commands[:min(len(o.Commands), maxCommands)] {
		text := c.Purpose + ": " + c.Run
		if c.Dir != "." {
			text += " (in " + c.Dir + ")"
		}
		lines = append(lines, text)
	}
	return lines
}

// frameworks returns the names of the planning frameworks.
func frameworks(o *code.Overview) string {
	var parts []string
	for _, f := range o.Frameworks {
		parts = append(parts, f.Name)
	}
	return strings.Join(parts, ", ")
}

// plans returns a line for each of the first maxPlans planning documents: path, class, state,
// progress.
func plans(o *code.Overview) (lines []string) {
	for _, d := range o.Plans[:min(len(o.Plans), maxPlans)] {
		text := d.Path + " (" + d.Class
		if d.State != "" {
			text += ", " + d.State
		}
		if all := d.BoxesDone + d.BoxesOpen; all > 0 {
			text += fmt.Sprintf(", %d of %d done", d.BoxesDone, all)
		}
		lines = append(lines, text+")")
	}
	if more := len(o.Plans) - maxPlans; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: idumb get docs", more))
	}
	return lines
}

// hotSpots returns a line for each of the files that most other files import.
func hotSpots(o *code.Overview) (lines []string) {
	for _, h := range o.HotSpots {
		lines = append(lines, fmt.Sprintf("%s (%d files and %d tests import it)", h.Path, h.Dependents.Direct, h.Dependents.Test))
	}
	return lines
}

// knots returns the number of import cycles and the size of the largest. It returns "" if none
// exists.
func knots(o *code.Overview) string {
	if len(o.Knots) == 0 {
		return ""
	}
	return fmt.Sprintf("%d, of %d files at most: idumb map cycles", len(o.Knots), o.Knots[0])
}

// counts formats names with their counts.
func counts(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, of[name]))
	}
	return strings.Join(parts, ", ")
}

// ago returns how long ago something was, rounded to seconds.
func ago(d time.Duration) string {
	if d < time.Second {
		return "just now"
	}
	return d.Round(time.Second).String() + " ago"
}

package technologies

import (
	"bytes"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/admission/packages"
)

// recipe is where lines of shell stand: what they install and run is what that needs.
type recipe struct {
	file   string
	dir    string // of the workspace
	role   role
	source source
}

// continued are lines that end in a backslash, as one.
type continued struct{ text strings.Builder }

// line adds one, and returns the whole where it ends.
func (c *continued) line(text string) (whole string, ended bool) {
	if before, goesOn := strings.CutSuffix(text, `\`); goesOn && c.text.Len() < command.MaxLine {
		c.text.WriteString(before + " ")
		return "", false
	}
	c.text.WriteString(text)
	whole = c.text.String()
	c.text.Reset()
	return whole, true
}

// nearby is how far behind a command the next one is looked for, in bytes.
const nearby = 2 << 10

// script reads lines of shell, the first of which has that number. Of what is no shell, and of what the
// lines themselves do not say, nothing is read.
func (r recipe) script(text string, number int) []dependency {
	if len(text) > command.MaxLine {
		return nil
	}
	text = withoutExpressions(text)
	var all []dependency
	add := func(ecosystem, name, version string) {
		all = append(all, dependency{ecosystem: ecosystem, name: name, version: version, role: r.role, dir: r.dir, file: r.file, line: number, source: r.source})
	}
	line, _ := command.Parse(text)
	for _, c := range line.Commands {
		if at := strings.Index(text[:min(len(text), nearby)], strings.Join(c.Words[:min(2, len(c.Words))], " ")); at >= 0 { // they come in order
			number, text = number+strings.Count(text[:at], "\n"), text[at+1:]
		}
		words := command.Unwrapped(c.Words)
		for _, name := range programs(words) {
			add("command", name, "")
		}
		found, file := packages.Added(words)
		for _, p := range found {
			add(ecosystemOf[file], p.Name, strings.TrimPrefix(p.Version, "=="))
		}
		if ecosystem, name, version := fetched(words); name != "" {
			add(ecosystem, name, version)
		}
	}
	return all
}

// withoutExpressions is a script with what a workflow fills in (${{ }}) as a variable of the shell.
func withoutExpressions(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		_, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			return out.String() + text
		}
		out.WriteString(before + "$_")
		text = after
	}
}

// makefile reads the recipes of make and just: lines that are indented.
func (s *scan) makefile(file string) []dependency {
	r := recipe{file, s.workspaceOf(dirOf(file)), Build, fromFile}
	var all []dependency
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ") {
			all = append(all, r.script(strings.TrimLeft(line, "\t @-+"), number)...)
		}
	})
	return all
}

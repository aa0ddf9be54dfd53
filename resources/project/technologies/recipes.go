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
type continued struct {
	text  strings.Builder
	quote string // that is open
}

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

// script adds a line of shell; a text in quotes may go on with the next.
func (c *continued) script(text string) (whole string, ended bool) {
	switch {
	case c.quote == "":
		c.quote = quoteOpen(text)
	case strings.Count(text, c.quote)%2 == 1:
		c.quote = ""
	}
	if c.quote != "" && c.text.Len() < command.MaxLine {
		c.text.WriteString(text + " ")
		return "", false
	}
	c.quote = ""
	return c.line(text)
}

// quoteOpen is the quote that a line leaves open, as far as it has none within others; "" for none.
func quoteOpen(line string) string {
	double := strings.Count(line, `"`) - strings.Count(line, `\"`)
	switch {
	case double%2 == 1:
		return `"`
	case double == 0 && strings.Count(line, "'")%2 == 1 && !strings.HasPrefix(line, "#"):
		return "'"
	}
	return ""
}

// script reads lines of shell, the first of which has that number. What stands in a document (<<) is
// data; what the line itself does not say is left out.
func (r recipe) script(text string, number int) []dependency {
	var all []dependency
	var begun continued
	document := "" // the line that ends it
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if document == "" {
			if whole, ended := begun.script(line); ended {
				all = append(all, r.line(whole, number)...)
				document = endOfDocument(whole)
			}
		} else if line == document {
			document = ""
		}
		number++
	}
	return all
}

// endOfDocument is the word behind << that ends what follows a line; "" if nothing does.
func endOfDocument(line string) string {
	_, word, found := strings.Cut(line, "<<")
	if !found || strings.HasPrefix(word, "<") {
		return ""
	}
	return strings.Trim(firstOf(strings.TrimSpace(strings.TrimPrefix(word, "-")), " "), `"'`)
}

// line reads one line of shell.
func (r recipe) line(text string, number int) []dependency {
	if text == "" || text[0] == '#' || len(text) > command.MaxLine {
		return nil
	}
	var all []dependency
	add := func(ecosystem, name, version string) {
		all = append(all, dependency{ecosystem: ecosystem, name: name, version: version, role: r.role, dir: r.dir, file: r.file, line: number, source: r.source})
	}
	line, _ := command.Parse(withoutExpressions(text)) // of what is no shell, what was read of it
	for _, c := range line.Commands {
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

// withoutExpressions is a line with what a workflow fills in (${{ }}) as a variable of the shell.
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
			all = append(all, r.line(strings.TrimLeft(line, "\t @-+"), number)...)
		}
	})
	return all
}

package backlog

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// sections lists the sections of a task's text: the heading, the mark, the name in
// annotations, and the heading in a task's notes (empty if the section is not part of the
// notes).
var sections = [...]struct{ heading, mark, name, within string }{
	{"", "", preamble, ""},
	{"Description", "SECTION:DESCRIPTION", "description", ""},
	{"Acceptance Criteria", "AC", "acceptance", ""},
	{"Implementation Plan", "SECTION:PLAN", "plan", "Plan"},
	{"Implementation Notes", "SECTION:NOTES", "notes", migrate.NotesHeading},
	{"Final Summary", "SECTION:FINAL_SUMMARY", "final_summary", "Final summary"},
	{"Definition of Done", "DOD", "definition_of_done", "Definition of done"},
	{"Comments", "COMMENTS", "comments", ""},
}

// mark matches a line that begins or ends a section.
var mark = migrate.Pattern(`^<!-- ([A-Z:_]+):(BEGIN|END) -->$`)

// preamble is the name of the text before the first heading.
const preamble = "preamble"

// split splits a text into sections. A repeated heading appends to its section.
func split(body string) map[string]string {
	parts := map[string]string{}
	at, fenced, inside := preamble, false, ""
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		if m := mark().FindStringSubmatch(text); m != nil && named(m[1]) != "" {
			inside = ""
			if m[2] == "BEGIN" {
				at, inside, fenced = named(m[1]), m[1], false
			}
			continue
		}
		if strings.HasPrefix(text, "```") {
			fenced = !fenced
		}
		if name := headed(text); name != "" && !fenced && inside == "" {
			at = name
			continue
		}
		parts[at] += line
	}
	for name, text := range parts {
		if parts[name] = strings.Trim(text, "\n"); strings.TrimSpace(text) == "" {
			delete(parts, name)
		}
	}
	return parts
}

// named returns the name of the section that a mark begins, or "".
func named(mark string) string {
	for _, s := range sections {
		if s.mark == mark {
			return s.name
		}
	}
	return ""
}

// headed returns the name of the section whose heading a line is, or "".
func headed(line string) string {
	for _, s := range sections {
		if title, ok := strings.CutPrefix(line, "## "); ok && s.heading != "" && strings.EqualFold(strings.TrimRight(strings.TrimSpace(title), ":"), s.heading) {
			return s.name
		}
	}
	return ""
}

// numbered matches the number before a criterion.
var numbered = migrate.Pattern(`(?m)^(- \[[ xX]\] )#\d+ `)

// criteria returns acceptance criteria without their running numbers.
func criteria(text string) string { return numbered().ReplaceAllString(strings.TrimSpace(text), "$1") }

// commentHead matches the start of a comment.
var commentHead = migrate.Pattern(`^\n*author:(.*)\n+created:(.*)\n?`)

// comments converts a section of comments to a list of {author, created_at, text}. A
// section in another format is returned unchanged.
func comments(section string) string {
	var all [][3]string
	for part := range strings.SplitSeq("\n"+section+"\n", "\n---\n") {
		text, last := strings.TrimSpace(part), len(all)-1
		if head := commentHead().FindStringSubmatch(part); head != nil {
			all = append(all, [3]string{strings.TrimSpace(head[1]), strings.TrimSpace(head[2]), strings.TrimSpace(part[len(head[0]):])})
		} else if text != "" && last < 0 {
			return section
		} else if text != "" { // a comment that contains a separator
			all[last][2] = strings.TrimPrefix(all[last][2]+"\n---\n"+text, "\n---\n")
		}
	}
	if len(all) == 0 {
		return section
	}
	list := migrate.Value{Type: migrate.List}
	for _, c := range all {
		list.Items = append(list.Items, migrate.Made("author", c[0], "created_at", c[1], "text", c[2]).Value)
	}
	return list.Plain()
}

// inOrder returns the non-empty sections in the order of the table.
func inOrder(parts map[string]string) []migrate.Passage {
	var all []migrate.Passage
	for _, s := range sections {
		if parts[s.name] != "" {
			all = append(all, migrate.Passage{Heading: s.name, Text: parts[s.name]})
		}
	}
	return all
}

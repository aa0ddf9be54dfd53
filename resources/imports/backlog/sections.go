package backlog

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// sections is the table of parts of a task's text: its heading, the marks around it, what it is called in annotations, and
// its heading within a task's notes, "" for what stands elsewhere.
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

// mark is a line that begins or ends a section.
var mark = migrate.Pattern(`^<!-- ([A-Z:_]+):(BEGIN|END) -->$`)

// preamble is what stands before the first heading.
const preamble = "preamble"

// split takes a text apart; a heading that comes twice adds to its section.
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

// named is the section with these marks, "" if there is none.
func named(mark string) string {
	for _, s := range sections {
		if s.mark == mark {
			return s.name
		}
	}
	return ""
}

// headed is the section with this heading, "" if there is none.
func headed(line string) string {
	for _, s := range sections {
		if title, ok := strings.CutPrefix(line, "## "); ok && s.heading != "" && strings.EqualFold(strings.TrimRight(strings.TrimSpace(title), ":"), s.heading) {
			return s.name
		}
	}
	return ""
}

// numbered is the number that Backlog.md puts before a criterion.
var numbered = migrate.Pattern(`(?m)^(- \[[ xX]\] )#\d+ `)

// criteria are acceptance criteria without their numbers, which only count them.
func criteria(text string) string { return numbered().ReplaceAllString(strings.TrimSpace(text), "$1") }

// commentHead is what a comment begins with.
var commentHead = migrate.Pattern(`^\n*author:(.*)\n+created:(.*)\n?`)

// comments turns a section of comments into a list of {author, created_at, text}; one that is written otherwise stays.
func comments(section string) string {
	var all [][3]string
	for part := range strings.SplitSeq("\n"+section+"\n", "\n---\n") {
		text, last := strings.TrimSpace(part), len(all)-1
		if head := commentHead().FindStringSubmatch(part); head != nil {
			all = append(all, [3]string{strings.TrimSpace(head[1]), strings.TrimSpace(head[2]), strings.TrimSpace(part[len(head[0]):])})
		} else if text != "" && last < 0 {
			return section
		} else if text != "" { // the comment goes on behind a line
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

// inOrder are the parts that say something, in the order of the table.
func inOrder(parts map[string]string) []migrate.Passage {
	var all []migrate.Passage
	for _, s := range sections {
		if parts[s.name] != "" {
			all = append(all, migrate.Passage{Heading: s.name, Text: parts[s.name]})
		}
	}
	return all
}

package backlog

import (
	"regexp"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// sections is the table of parts of a task's text: its heading, the marks around it, what it is called in annotations, and
// its heading within a task's notes, "" for what stands elsewhere.
var sections = [...]struct{ heading, mark, name, within string }{
	{"Description", "SECTION:DESCRIPTION", "description", ""},
	{"Acceptance Criteria", "AC", "acceptance", ""},
	{"Implementation Plan", "SECTION:PLAN", "plan", "Plan"},
	{"Implementation Notes", "SECTION:NOTES", "notes", migrate.NotesHeading},
	{"Final Summary", "SECTION:FINAL_SUMMARY", "final_summary", "Final summary"},
	{"Definition of Done", "DOD", "definition_of_done", "Definition of done"},
	{"Comments", "COMMENTS", "comments", ""},
}

// mark is a line that begins or ends a section.
var mark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<!-- ([A-Z:_]+):(BEGIN|END) -->$`)
})

// split takes a text apart. Text before the first heading is "preamble"; a heading that comes twice adds to
// its section.
func split(body string) map[string]string {
	parts := map[string]string{}
	at, fenced, inside := "preamble", false, ""
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
		if title, ok := strings.CutPrefix(line, "## "); ok && strings.EqualFold(strings.TrimRight(strings.TrimSpace(title), ":"), s.heading) {
			return s.name
		}
	}
	return ""
}

// numbered is the number that Backlog.md puts before a criterion.
var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(- \[[ xX]\] )#\d+ `)
})

// criteria are acceptance criteria without their numbers, which only count them.
func criteria(text string) string { return numbered().ReplaceAllString(strings.TrimSpace(text), "$1") }

// commentHead is what a comment begins with.
var commentHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\n*author:(.*)\n+created:(.*)\n?`)
})

// comments turns a section of comments into a list of {author, created_at, text}; false if it is written otherwise.
func comments(section string) (migrate.Value, bool) {
	list := migrate.Value{Type: migrate.List}
	for part := range strings.SplitSeq("\n"+section+"\n", "\n---\n") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		said := part
		if head := commentHead().FindStringSubmatch(part); head != nil {
			said = part[len(head[0]):]
			list.Items = append(list.Items, comment(strings.TrimSpace(head[1]), strings.TrimSpace(head[2])))
		}
		last := len(list.Items) - 1
		if last < 0 {
			return migrate.Value{}, false
		}
		add(&list.Items[last], strings.TrimSpace(said))
	}
	return list, len(list.Items) > 0
}

func comment(author, created string) migrate.Value {
	return migrate.Value{Type: migrate.Object, Fields: []migrate.Field{
		{Name: "author", Value: migrate.Text(author)}, {Name: "created_at", Value: migrate.Text(created)}, {Name: "text", Value: migrate.Text("")},
	}}
}

// add adds to the text of a comment.
func add(comment *migrate.Value, text string) {
	if text == "" {
		return
	}
	have := &comment.Fields[2].Value
	if have.Text != "" {
		text = have.Text + "\n---\n" + text
	}
	have.Text = text
}

// sorted returns the names of parts, in the order of the table, the preamble first.
func sorted(parts map[string]string) []string {
	var names []string
	if parts["preamble"] != "" {
		names = append(names, "preamble")
	}
	for _, s := range sections {
		if parts[s.name] != "" {
			names = append(names, s.name)
		}
	}
	return names
}

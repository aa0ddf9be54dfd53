package gsd

import (
	"regexp"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Lines of a plan that are marks: <name>text</name>, <tasks> and </tasks>.
var (
	oneLine = migrate.Pattern(`^\s*<([a-z][a-z_-]*)(?:\s[^<>]*)?>(.*)</([a-z][a-z_-]*)>\s*$`)
	opening = migrate.Pattern(`^(\s*)<([a-z][a-z_-]*)(?:\s[^<>]*)?>\s*(.*)$`)
	closing = migrate.Pattern(`</([a-z][a-z_-]*)>\s*$`)
)

// ours are parts of a plan that only say where GSD keeps its own files.
var ours = map[string]bool{"execution_context": true, "output": true}

// parts of the text of a plan.
type parts struct {
	text      string // as Markdown: a mark is a heading, or the name before a text
	first     string // the first heading that is no mark
	paragraph string // the first line that is text
}

// partsOf turns the marks of a plan into headings, which stay when a long text has to be cut.
func partsOf(body string) parts {
	fenced, skip, out := false, "", []string(nil)
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		kept, begins, ends := line, "", ""
		if !fenced {
			kept, begins, ends = unmarked(line)
		}
		if ours[begins] && skip == "" {
			skip = begins
		}
		if skip == "" && (kept != "" || line == "") {
			out = append(out, kept)
		}
		if ends == skip {
			skip = ""
		}
	}
	p := parts{text: strings.TrimSpace(blank().ReplaceAllString(strings.Join(out, "\n"), "\n\n"))}
	p.begin()
	return p
}

// objective and criteria are what stands between two marks.
var (
	objective = migrate.Pattern(`(?ms)^<objective\b[^<>]*>(.*?)(?:</objective>|\z)`)
	criteria  = migrate.Pattern(`(?ms)^<success_criteria\b[^<>]*>(.*?)(?:</success_criteria>|\z)`)
)

// between is the first text that a pattern finds.
func between(pattern func() *regexp.Regexp, text string) string {
	if m := pattern().FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

var blank = migrate.Pattern(`\n(?:\s*\n)+`)

// unmarked is a line without its marks, and which part begins or ends with it.
func unmarked(line string) (kept, begins, ends string) {
	if m := oneLine().FindStringSubmatch(line); m != nil && m[1] == m[3] {
		if m[1] == "name" {
			return "### " + strings.TrimSpace(m[2]), "", ""
		}
		text := strings.TrimSpace(m[2])
		if inner := oneLine().FindStringSubmatch(text); inner != nil && inner[1] == inner[3] {
			text = inner[2] // <verify><automated>go test</automated></verify>
		}
		return "**" + words(m[1]) + "**: " + text, "", ""
	}
	kept = line
	if m := closing().FindStringSubmatch(kept); m != nil {
		kept, ends = strings.TrimRight(kept[:len(kept)-len(m[0])], " "), m[1]
	}
	m := opening().FindStringSubmatch(kept)
	switch {
	case m == nil:
		return kept, "", ends
	case m[2] == "task" || m[2] == "tasks":
		return m[3], m[2], ends
	case m[1] == "":
		return strings.TrimRight("## "+words(m[2])+"\n\n"+m[3], "\n "), m[2], ends
	}
	return strings.TrimSpace("**" + words(m[2]) + "**: " + m[3]), m[2], ends
}

// words is the name of a mark as people write it: success_criteria is Success criteria.
func words(mark string) string {
	text := strings.NewReplacer("_", " ", "-", " ").Replace(mark)
	return strings.ToUpper(text[:1]) + text[1:]
}

// begin finds what the text could be called after.
func (p *parts) begin() {
	for line := range strings.SplitSeq(p.text, "\n") {
		text := strings.TrimSpace(strings.TrimLeft(line, "#> "))
		switch heading := strings.HasPrefix(line, "#"); {
		case text == "" || text == "---":
		case heading && p.first == "" && strings.HasPrefix(line, "# "):
			p.first = text
		case !heading && p.paragraph == "":
			p.paragraph = strings.ReplaceAll(text, "**", "")
		}
	}
}

// outcome is what a summary says came out.
type outcome struct {
	said  string // in a sentence, with what was done in a list
	tests string // what was run, and how it ended
	text  string // all of it
}

// outcomeOf takes the text of a summary apart.
func outcomeOf(doc markdown.Document) (o outcome) {
	const most = 1500 // of a part: all of it is in the notes
	o.text = strings.TrimSpace(doc.Body)
	list := ""
	for _, s := range doc.Sections() {
		text, title := s.Text(), strings.ToLower(s.Title)
		switch {
		case text == "":
		case o.said == "" && (s.Level < 2 || strings.HasPrefix(title, "one-line")):
			o.said = sentence(text)
		case list == "" && (strings.Contains(title, "accomplish") || strings.HasPrefix(title, "what was") || strings.HasPrefix(title, "what changed")):
			list = text
		case o.tests == "" && (strings.HasPrefix(title, "verification") || strings.HasPrefix(title, "test")):
			o.tests = migrate.Beginning(text, most)
		}
	}
	o.said = strings.TrimSpace(o.said + "\n" + migrate.Beginning(list, most))
	return o
}

// sentence is the first paragraph of a text, without what makes it bold.
func sentence(text string) string {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if line := strings.Trim(strings.Join(strings.Fields(paragraph), " "), "*_"); line != "" && line != "---" {
			return line
		}
	}
	return ""
}

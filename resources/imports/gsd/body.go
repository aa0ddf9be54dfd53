package gsd

import (
	"regexp"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Lines with tags in a plan: <name>text</name>, <tasks> and </tasks>.
var (
	oneLine = migrate.Pattern(`^\s*<([a-z][a-z_-]*)(?:\s[^<>]*)?>(.*)</([a-z][a-z_-]*)>\s*$`)
	opening = migrate.Pattern(`^(\s*)<([a-z][a-z_-]*)(?:\s[^<>]*)?>\s*(.*)$`)
	closing = migrate.Pattern(`</([a-z][a-z_-]*)>\s*$`)
)

// ours lists sections that only refer to GSD's own files.
var ours = map[string]bool{"execution_context": true, "output": true}

// parts is the converted text of a plan.
type parts struct {
	text      string // Markdown text; a tag becomes a heading, or a name before a text
	first     string // first heading that is not a tag
	paragraph string // first line of text
}

// partsOf converts the tags of a plan to headings, which remain if a long text
// is truncated. It omits the sections in ours.
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
	// A title can be made from the first heading and the first paragraph.
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
	return p
}

// objective and criteria match the content of two tags.
var (
	objective = migrate.Pattern(`(?ms)^<objective\b[^<>]*>(.*?)(?:</objective>|\z)`)
	criteria  = migrate.Pattern(`(?ms)^<success_criteria\b[^<>]*>(.*?)(?:</success_criteria>|\z)`)
)

// firstMatch returns the first group of the first match of a pattern, trimmed,
// or "".
func firstMatch(pattern func() *regexp.Regexp, text string) string {
	if m := pattern().FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

var blank = migrate.Pattern(`\n(?:\s*\n)+`)

// unmarked returns a line without its tags, and the section that begins or ends in it.
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

// words converts a tag name to a heading: success_criteria becomes Success criteria.
func words(mark string) string {
	text := strings.NewReplacer("_", " ", "-", " ").Replace(mark)
	return strings.ToUpper(text[:1]) + text[1:]
}

// outcome is the result in a summary.
type outcome struct {
	said  string // one sentence, followed by a list of the completed work
	tests string // tests with their results
	text  string // full text
}

// outcomeOf extracts the result from a summary.
func outcomeOf(doc markdown.Document) (o outcome) {
	const most = 1500 // limit of a section; the notes contain the full text
	o.text = strings.TrimSpace(doc.Body)
	list := ""
	for _, s := range doc.Sections() {
		switch text, title := s.Text(), strings.ToLower(s.Title); {
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

// sentence returns the first paragraph of a text without emphasis.
func sentence(text string) string {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if line := strings.Trim(strings.Join(strings.Fields(paragraph), " "), "*_"); line != "" && line != "---" {
			return line
		}
	}
	return ""
}

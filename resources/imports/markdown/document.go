// Package markdown parses the Markdown files of other trackers: YAML front matter, headings
// and lists. All functions are pure. The input is untrusted: damage is tolerated and
// reported.
package markdown

import (
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/resources/migrate"
	"github.com/idumb-dev/idumb/resources/source"
)

// Document is a Markdown file.
type Document struct {
	Head   migrate.Value // front matter, an object
	Body   string        // text; each line ends with \n
	Line   int           // first line of Body in the file, from 1
	Damage string        // invalid YAML in the front matter; empty if it is valid
	Plain  bool          // there is no front matter
	// Remarks means that the front matter contains YAML comments, which Head omits.
	Remarks bool
}

// Parse parses a file. Without front matter, Head is an empty object.
func Parse(data []byte) Document {
	text := strings.ReplaceAll(string(migrate.Text8(data)), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.ToValidUTF8(text, "\ufffd")
	head, body, found := cutHead(text)
	if !found {
		return Document{Head: migrate.Value{Type: migrate.Object}, Body: text, Line: 1, Plain: true}
	}
	value, damage := parseHead(head)
	return Document{
		Head: value, Body: body, Line: 1 + strings.Count(text[:len(text)-len(body)], "\n"), Damage: damage,
		Remarks: damage == "" && remark().MatchString(head),
	}
}

// cutHead separates the front matter between two lines of three dashes. Without the second
// line, everything is front matter.
func cutHead(text string) (head, body string, found bool) {
	rest, found := strings.CutPrefix(strings.TrimLeft(text, " \t\n"), "---\n")
	if !found {
		return "", "", false
	}
	if strings.HasPrefix(rest, "---\n") {
		return "", rest[4:], true
	}
	if head, body, ok := strings.Cut(rest, "\n---\n"); ok {
		return head, body, true
	}
	return strings.TrimSuffix(rest, "\n---"), "", true
}

// bare matches values that YAML does not allow without quotes, but that users write: @name.
var bare = migrate.Pattern("(?m)^(\\s*(?:[A-Za-z_][\\w-]*:|-)\\s+)([@`%][^\\n]*)$")

// remark matches YAML comments.
var remark = migrate.Pattern(`(?m)^\s*#|^[^'"\n]*\s#`)

// parseHead parses YAML. If it is invalid, each field is parsed separately, an invalid
// field becomes a text, and damage describes the problem.
func parseHead(head string) (v migrate.Value, damage string) {
	if v, ok := readYAML(head); ok {
		return v, ""
	}
	v.Type = migrate.Object
	for _, block := range strings.Split(begins().ReplaceAllString(head, "\x00$1"), "\x00") {
		name, text, isField := strings.Cut(block, ":")
		if one, ok := readYAML(strings.ReplaceAll(block, "\t", "  ")); ok && isField {
			v.Fields = append(v.Fields, one.Fields...)
		} else if text = strings.Join(strings.Fields(text), " "); isField {
			v.Fields = append(v.Fields, migrate.Field{Name: name, Value: migrate.Text(text)})
		} else if name = strings.TrimSpace(name); name != "" {
			v.Fields = append(v.Fields, migrate.Field{Name: "line", Value: migrate.Text(name)})
		}
	}
	return v, "its front matter is not valid YAML and was read line by line"
}

// begins matches the first line of a field.
var begins = migrate.Pattern(`(?m)^([^\s:-][^:\n]*:)`)

// readYAML parses an object, or nothing, and allows values that YAML does not allow without
// quotes.
func readYAML(text string) (migrate.Value, bool) {
	text = bare().ReplaceAllStringFunc(text, func(line string) string {
		m := bare().FindStringSubmatch(line)
		return m[1] + "'" + strings.ReplaceAll(strings.TrimSpace(m[2]), "'", "''") + "'"
	})
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return migrate.Value{}, false
	}
	v, _, err := migrate.Parse(data)
	if err == nil && v.Type == migrate.Null {
		v.Type = migrate.Object
	}
	return v, err == nil && v.Type == migrate.Object
}

// Section is a heading with the text below it, up to the next heading of any level.
type Section struct {
	Level int // heading level, from 1; 0 for the text before the first heading
	Title string
	Line  int // line of the heading in the file
	Lines []string
}

// Text returns the text below the heading.
func (s Section) Text() string { return strings.TrimSpace(strings.Join(s.Lines, "\n")) }

// Sections splits the text at its headings. HTML comments become empty lines. Lines in
// fenced code are not headings.
func (d Document) Sections() []Section {
	lines := strings.Split(withoutRemarks(d.Body), "\n")
	all, from := []Section{{Line: d.Line}}, 0
	for _, h := range source.Headings(lines) {
		all[len(all)-1].Lines = lines[from:h.Line]
		all, from = append(all, Section{Level: h.Level, Title: h.Text, Line: d.Line + h.Line}), h.Line+1
	}
	all[len(all)-1].Lines = lines[from:]
	return all
}

// withoutRemarks replaces HTML comments with empty lines.
func withoutRemarks(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		b.WriteString(before)
		remark, behind, closed := strings.Cut(rest, "-->")
		if !found || !closed {
			return b.String() + text[len(before):]
		}
		b.WriteString(strings.Repeat("\n", strings.Count(remark, "\n")))
		text = behind
	}
}

// Package markdown takes apart the Markdown files that trackers write: YAML before the text, headings, lists. Everything in it
// is a pure function of bytes that strangers wrote: it bears damage, and says so.
package markdown

import (
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// Document is a Markdown file.
type Document struct {
	Head   migrate.Value // what stands before the text, an object
	Body   string        // the text, with \n behind each line
	Line   int           // of the file, from 1, that Body begins with
	Damage string        // what was not as YAML has it; "" if all was
	Plain  bool          // there is no YAML before the text
	// Remarks: there are remarks in that YAML, which Head does not have.
	Remarks bool
}

// Parse takes a file apart. One without YAML before its text has an empty head.
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

// cutHead separates what stands between two lines of three dashes. Without the second one all is head.
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

// bare are values that YAML does not let stand without quotes, and that people write: @name.
var bare = migrate.Pattern("(?m)^(\\s*(?:[A-Za-z_][\\w-]*:|-)\\s+)([@`%][^\\n]*)$")

// remark is a remark in YAML, which reading it drops.
var remark = migrate.Pattern(`(?m)^\s*#|^[^'"\n]*\s#`)

// parseHead reads YAML. Where it is broken, each field is read by itself, what cannot be read as a text, and damage says so.
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
	return v, "what stands before its text is no YAML; it was read line by line"
}

// begins are the lines that a field begins with.
var begins = migrate.Pattern(`(?m)^([^\s:-][^:\n]*:)`)

// readYAML reads an object, or nothing at all, also with values that YAML does not let stand without quotes.
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

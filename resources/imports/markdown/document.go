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

// parseHead reads YAML; what cannot be read as such is read line by line, and damage says so.
func parseHead(head string) (migrate.Value, string) {
	quoted := bare().ReplaceAllStringFunc(head, func(line string) string {
		m := bare().FindStringSubmatch(line)
		return m[1] + "'" + strings.ReplaceAll(strings.TrimSpace(m[2]), "'", "''") + "'"
	})
	if data, err := yaml.YAMLToJSON([]byte(quoted)); err == nil {
		v, _, err := migrate.Parse(data)
		if err == nil && v.Type == migrate.Object {
			return v, ""
		}
		if err == nil && v.Type == migrate.Null {
			return migrate.Value{Type: migrate.Object}, ""
		}
	}
	return byLines(head), "what stands before its text is no YAML; it was read line by line"
}

// byLines reads "name: value" and lists of "- item".
func byLines(head string) migrate.Value {
	v := migrate.Value{Type: migrate.Object}
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\n")
		name, value, ok := strings.Cut(line, ":")
		last := len(v.Fields) - 1
		switch {
		case strings.TrimSpace(line) == "":
		case ok && name == strings.TrimSpace(name) && name != "" && !strings.HasPrefix(name, "-"):
			v.Fields = append(v.Fields, migrate.Field{Name: name, Value: scalar(value)})
		case last >= 0:
			addLine(&v.Fields[last].Value, line)
		default:
			v.Fields = append(v.Fields, migrate.Field{Name: "line", Value: migrate.Text(line)})
		}
	}
	return v
}

// addLine adds a line to the value of the field before it.
func addLine(v *migrate.Value, line string) {
	if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && (v.Nothing() || v.Type == migrate.List) {
		v.Type, v.Items = migrate.List, append(v.Items, scalar(item))
		return
	}
	if v.Type == migrate.List {
		v.Items = append(v.Items, migrate.Text(strings.TrimSpace(line)))
		return
	}
	*v = migrate.Text(strings.TrimSpace(v.Text + " " + strings.TrimSpace(line)))
}

// scalar is a value that stands on one line.
func scalar(text string) migrate.Value {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		v := migrate.Value{Type: migrate.List}
		for item := range strings.SplitSeq(strings.TrimSuffix(inner, "]"), ",") {
			if item = strings.TrimSpace(item); item != "" {
				v.Items = append(v.Items, scalar(item))
			}
		}
		return v
	}
	for _, quote := range []string{`"`, "'"} {
		if len(text) > 1 && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote) {
			return migrate.Text(text[1 : len(text)-1])
		}
	}
	return migrate.Text(text)
}

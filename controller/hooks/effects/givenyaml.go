package effects

import (
	"strings"
	"unicode/utf8"
)

// givenInYAML reads the plain lines of YAML documents: "kind: Task", "name: x",
// "state: y". sure is false if the text uses a feature that can spell a kind in
// another way: an escape in a key, an alias, a merge, a tag, or a list in one
// line. The hook has no complete YAML parser. It needs none, because plans are
// not written with these features.
func givenInYAML(text, place string) (all []object, sure bool) {
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\u0085\u2028\u2029\ufeff") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
		return nil, false // other encodings, and other line ends
	}
	var doc []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.HasPrefix(line, "---") {
			doc = append(doc, line)
			continue
		}
		more, ok := givenInDocument(doc, place)
		if all = append(all, more...); !ok || strings.TrimLeft(line, "- ") != "" && !strings.HasPrefix(strings.TrimLeft(line, "- "), "#") {
			return all, false
		}
		doc = doc[:0]
	}
	more, ok := givenInDocument(doc, place)
	return append(all, more...), ok && len(all) < maxGiven
}

// givenInDocument reads the lines of one document. sure is false if a line is
// not plain.
func givenInDocument(lines []string, place string) (all []object, sure bool) {
	d := yamlDocument{top: -1, block: -1}
	for _, line := range lines {
		if text, indent, plain := d.content(line); !plain || text != "" && !d.readKey(text, indent, place) {
			return d.all, false
		}
	}
	if d.top < 0 || d.listed {
		return d.all, true
	}
	return append(d.all, objectOf(d.kind, d.name, d.state, d.metCount, place)...), true
}

// yamlDocument is the state of the parser after some lines of a document.
type yamlDocument struct {
	top, block                 int // the indentation of its keys, and of the key with the current block text; -1 for no key
	listed                     bool
	kind, name, state, section string
	metCount                   int
	all                        []object
}

// content returns the text of a line and its indentation. The text is empty for
// a comment, and for a line of a block text. plain is false if the line is
// indented with a tab.
func (d *yamlDocument) content(line string) (text string, indent int, plain bool) {
	if strings.Contains(line, "\t") && strings.TrimLeft(line, " \t") != strings.TrimLeft(line, " ") {
		return "", 0, false
	}
	text = strings.ReplaceAll(strings.TrimLeft(line, " "), "\t", " ") // a tab after a colon is treated as a blank
	indent = len(line) - len(text)
	if text == "" || text[0] == '#' || d.block >= 0 && indent > d.block {
		return "", indent, true
	}
	d.block = -1
	for strings.HasPrefix(text, "- ") {
		rest := strings.TrimLeft(text[2:], " ")
		indent += len(text) - len(rest)
		text = rest
	}
	if d.top < 0 {
		d.top = indent
	}
	return text, indent, true
}

// readKey reads a key and its value. It returns false if they cannot be
// determined.
func (d *yamlDocument) readKey(text string, indent int, place string) bool {
	key, value, plain := parseKey(text)
	if !plain {
		return false
	}
	if strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">") {
		d.block = indent
		return key != "kind"
	}
	outer := indent <= d.top
	if outer {
		d.section = key
	}
	switch {
	case key == "kind" && (outer || d.listed):
		return d.takeKind(value, place)
	case key == "metadata" && outer:
		d.name = flowName(value)
	case key == "name" && d.section == "metadata":
		d.name = value
	case key == "met" && d.section == "spec":
		d.metCount = 1
	case key == "state" && d.section == "spec":
		d.state = value
	case key == "items":
		return value == "" && (!outer || d.kind != "") // the kind of a list must precede its items, because otherwise the list looks like an object
	}
	return true
}

// takeKind reads the kind of the document, or of an item if the document is a
// list.
func (d *yamlDocument) takeKind(value, place string) bool {
	switch {
	case value == "" || strings.Trim(value, letters) != "":
		return false
	case d.listed:
		d.all = append(d.all, objectOf(value, "", "", 0, place)...)
		return true
	case d.kind != "":
		return false
	}
	d.kind, d.listed = value, strings.HasSuffix(value, "List")
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"

// parseKey parses a plain "key: value". A line without a key is part of a text or
// an item of a list; its key is empty. plain is false if the line may be any
// key or value.
func parseKey(text string) (key, value string, plain bool) {
	switch text[0] {
	case '"', '\'':
		end := strings.IndexByte(text[1:], text[0])
		if end < 0 || strings.Contains(text[:end+2], `\`) {
			return "", "", false
		}
		rest := strings.TrimLeft(text[end+2:], " ")
		if !strings.HasPrefix(rest, ":") {
			return "", "", true // a text in a list
		}
		key, value = text[1:end+1], rest[1:]
	case '?', '!', '&', '*', '%', '<', '{', '[', ']', '}':
		return "", "", false
	default:
		colon := strings.Index(text+" ", ": ")
		if colon < 0 {
			return "", "", true
		}
		key, value = strings.TrimRight(text[:colon], " "), text[min(colon+1, len(text)):]
	}
	value = strings.TrimSpace(value)
	if cut := strings.Index(value, " #"); cut >= 0 {
		value = strings.TrimSpace(value[:cut])
	}
	if value != "" && strings.IndexByte("&*!", value[0]) >= 0 {
		return "", "", false
	}
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		if key == "kind" && strings.Contains(value, `\`) {
			return "", "", false
		}
		value = value[1 : n-1]
	}
	return strings.ToLower(key), value, true
}

// flowName returns the name x in a YAML mapping on one line, such as "{name: x,
// labels: {a: b}}". It returns "" if there is no name.
func flowName(flow string) string {
	_, rest, found := strings.Cut(flow, "name:")
	end := strings.IndexAny(rest, ",}")
	if !found || end < 0 {
		return ""
	}
	return strings.Trim(strings.TrimSpace(rest[:end]), `"'`)
}

package packer

import (
	"slices"
	"strings"
)

// A statement is an entry of a rendered pack: its position and its text, as written, so that
// nothing has to be escaped again.
type statement struct {
	position position
	text     string // without the final newline; further lines are indented
}

// position is the section and the group of a statement; both are empty for an overflow notice.
type position struct{ section, group string }

// omittedSection holds the omitted entries. It gives no statements, because it changes with every
// irrelevant mem.
const omittedSection = "left_out"

// groups lists the elements inside a section.
var groups = [...]string{"chain", "next", "done", "plan_ahead", "delegation", "warnings", "active_task", commentsGroup}

// statements parses a pack, in its order and without duplicates. ok is false for a text that Build
// does not write, because a stored pack may have been edited.
func statements(pack []byte) (list []statement, ok bool) {
	text, framed := strings.CutPrefix(string(pack), opening)
	text, closed := strings.CutSuffix(text, closing)
	if !framed || !closed || clean(text) != text {
		return nil, false
	}
	var open tags
	seen := map[statement]bool{}
	for text != "" {
		end := strings.IndexByte(text, '\n')
		if end <= 0 {
			return nil, false
		}
		for strings.HasPrefix(text[end+1:], "  ") { // the entry continues
			more := strings.IndexByte(text[end+1:], '\n')
			if more <= len("  ") {
				return nil, false
			}
			end += 1 + more
		}
		l := text[:end]
		text = text[end+1:]
		if strings.HasPrefix(l, "<") && !strings.HasPrefix(l, "<overflow>") {
			if !open.follow(l) {
				return nil, false
			}
			continue
		}
		s := statement{open.position(), l}
		if !s.wellFormed() {
			return nil, false
		}
		if !seen[s] && s.position.section != omittedSection {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list, len(open) == 0
}

// tags lists the open tags while a pack is parsed, outermost first.
type tags []string

// position returns the section and the group that the open tags name.
func (t tags) position() (p position) {
	if len(t) > 0 {
		p.section = t[0]
	}
	if len(t) > 1 {
		p.group = t[1]
	}
	return p
}

// follow opens or closes a tag. It returns false if a pack cannot have the tag there.
func (t *tags) follow(l string) bool {
	open := *t
	if last := len(open) - 1; strings.HasPrefix(l, "</") {
		*t = open[:max(0, last)]
		return last >= 0 && l+"\n" == closeTag(open[last])
	}
	tag, whole := strings.CutSuffix(l[1:], ">")
	name, attributes, _ := strings.Cut(tag, " ")
	*t = append(open, tag)
	switch {
	case !whole || strings.ContainsAny(tag, "<>\n") || !attributesFit(attributes):
		return false
	case len(open) == 0:
		return tag == omittedSection || slices.Contains(sectionNames[:], tag)
	}
	return len(open) == 1 && slices.Contains(groups[:], name) && (attributes == "") == (name != "active_task")
}

// wellFormed reports whether a statement is escaped as Build does it, and has a section unless it
// is an overflow notice.
func (s statement) wellFormed() bool {
	if !strings.HasPrefix(s.text, "<") {
		return s.position.section != "" && isEscaped(s.text)
	}
	content, closed := strings.CutSuffix(strings.TrimPrefix(s.text, "<overflow>"), "</overflow>")
	return closed && isEscaped(content)
}

// isEscaped reports whether text is escaped as by escapeText: all reserved characters of XML are written as entities.
func isEscaped(text string) bool {
	return !strings.ContainsAny(text, `<>&`) || escapeText.Replace(unescapeText.Replace(text)) == text
}

// attributesFit reports whether text consists of attributes as Build writes them; "" does.
func attributesFit(text string) bool {
	for text != "" {
		name, rest, ok := strings.Cut(text, `="`)
		value, rest, closed := strings.Cut(rest, `"`)
		if !ok || !closed || escapeAttribute.Replace(unescapeText.Replace(value)) != value || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return false
		}
		if text = strings.TrimPrefix(rest, " "); text != "" && text == rest {
			return false
		}
	}
	return true
}

// labels lists the prefixes of lines of which a position has at most one, so that a new line
// replaces the old one.
var labels = [...]string{
	"Plan ", "Stage: ", intentLabel, "Today: ", "Title: ", "Expected output: ", beforeLabel, descriptionLabel, notesLabel, "<overflow>",
	"Write only files that match: ", "Locked for this task: ", "Use only these tools: ", "- Language: ", "Progress: ",
}

// key identifies the subject of a statement. Of two statements with one key in one position, the
// later one is a change of the earlier one. The default is the whole text.
func (s statement) key() string {
	if id := s.object(); id != "" {
		return "- " + id
	}
	if s.position.section == code.String() {
		file, _, _ := strings.Cut(s.text, ": ")
		return file
	}
	switch s.position.group {
	case "chain", "next", "done", "plan_ahead", "delegation":
		return "- " + s.name()
	}
	for _, label := range labels {
		if strings.HasPrefix(s.text, label) {
			return label
		}
	}
	return s.text
}

// name returns the name at the beginning of a list's line.
func (s statement) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(s.text, "- "), " ")
	return strings.TrimSuffix(name, ":")
}

package packer

import (
	"slices"
	"strings"
)

// statement is one entry of a pack that was rendered: where it stands and what it
// says, both as they were written, so that nothing has to be escaped again.
type statement struct {
	position position
	text     string // without the last newline; further lines are indented
}

// position is the section and the group that a statement stands in; an overflow
// notice stands in neither.
type position struct{ section, group string }

// leftOutSection holds what a pack has no room for. It is no statement: it moves with every mem that
// has little to do with the reader.
const leftOutSection = "left_out"

// groups are the elements that stand inside a section.
var groups = [...]string{"chain", "next", "done", "plan_ahead", "delegation", "warnings", "active_task", commentsGroup}

// statements reads a pack back, in its own order and without repetitions. ok is
// false for what Build does not write: what was kept in a file may have been changed there.
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
		for strings.HasPrefix(text[end+1:], "  ") { // the line goes on
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
		if !seen[s] && s.position.section != leftOutSection {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list, len(open) == 0
}

// tags are those that are open while a pack is read, outermost first.
type tags []string

// position is where a statement stands.
func (t tags) position() (p position) {
	if len(t) > 0 {
		p.section = t[0]
	}
	if len(t) > 1 {
		p.group = t[1]
	}
	return p
}

// follow opens or closes a tag; false if no pack has it there.
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
		return tag == leftOutSection || slices.Contains(sectionNames[:], tag)
	}
	return len(open) == 1 && slices.Contains(groups[:], name) && (attributes == "") == (name != "active_task")
}

// wellFormed reports whether a statement is escaped as Build does it, and stands in a section
// if it is no overflow notice.
func (s statement) wellFormed() bool {
	if !strings.HasPrefix(s.text, "<") {
		return s.position.section != "" && isEscaped(s.text)
	}
	content, closed := strings.CutSuffix(strings.TrimPrefix(s.text, "<overflow>"), "</overflow>")
	return closed && isEscaped(content)
}

// isEscaped reports whether text has nothing that XML reserves.
func isEscaped(text string) bool {
	return !strings.ContainsAny(text, `<>&`) || escaped.Replace(unescaped.Replace(text)) == text
}

// attributesFit reports whether text is attributes as Build writes them, none included.
func attributesFit(text string) bool {
	for text != "" {
		name, rest, ok := strings.Cut(text, `="`)
		value, rest, closed := strings.Cut(rest, `"`)
		if !ok || !closed || quoted.Replace(unescaped.Replace(value)) != value || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return false
		}
		if text = strings.TrimPrefix(rest, " "); text != "" && text == rest {
			return false
		}
	}
	return true
}

// labels are the beginnings of lines of which there is one in a place, so that
// another one takes its place.
var labels = [...]string{
	"Plan ", "Stage: ", intentLabel, "Today: ", "Title: ", "Expected output: ", beforeLabel, descriptionLabel, notesLabel, "<overflow>",
	"Write only files that match: ", "Locked for this task: ", "Use only these tools: ", "- Language: ", "Progress: ",
}

// key is what a statement is about: of two with one key in one place, the later one
// is the earlier one changed. A statement that is about nothing else than itself is
// its own key.
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

// name is the name that a line of a list begins with.
func (s statement) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(s.text, "- "), " ")
	return strings.TrimSuffix(name, ":")
}

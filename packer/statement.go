package packer

import (
	"slices"
	"strings"
)

// statement is one entry of a pack that was rendered: where it stands and what it
// says, both as they were written, so that nothing has to be escaped again.
type statement struct {
	place place
	text  string // without the last newline; further lines are indented
}

// place is the section and the group that a statement stands in; an overflow
// notice stands in neither.
type place struct{ section, group string }

// leftOutSection holds the names of what a pack has no room for. Its counts are no
// statement: they move with every mem that has nothing to do with the reader.
const leftOutSection = "left_out"

// groups are the elements that stand inside a section.
var groups = [...]string{"chain", "next", "done", "plan_ahead", "delegation", "warnings", "active_task"}

// statements reads a pack back, in its own order and without repetitions. ok is
// false for what Build does not write.
func statements(pack []byte) (list []statement, ok bool) {
	text, framed := strings.CutPrefix(string(pack), opening)
	if !framed || !strings.HasSuffix(text, closing) || clean(text) != text {
		return nil, false
	}
	r := reader{seen: map[statement]bool{}}
	for l := range strings.Lines(strings.TrimSuffix(text, closing)) {
		if !r.line(strings.TrimSuffix(l, "\n")) {
			return nil, false
		}
	}
	return r.list, r.close() && len(r.open) == 0
}

// reader is what is known while a pack is read, line by line.
type reader struct {
	open    []string // tags, outermost first
	pending string   // a statement that may go on with the next line; "" if none does
	list    []statement
	seen    map[statement]bool
}

// line takes in the next line; false if no pack has it there.
func (r *reader) line(l string) bool {
	if rest, more := strings.CutPrefix(l, "  "); more {
		if r.pending == "" || rest == "" {
			return false
		}
		r.pending += "\n" + l
		return true
	}
	if !r.close() {
		return false
	}
	switch {
	case l == "":
		return false
	case !strings.HasPrefix(l, "<"), isElement(l):
		r.pending = l
		return len(r.open) > 0 || strings.HasPrefix(l, "<overflow>")
	case strings.HasPrefix(l, "</"):
		return r.leave(l)
	}
	return r.enter(l)
}

// close ends the statement that was being read.
func (r *reader) close() bool {
	if r.pending == "" {
		return true
	}
	s := statement{text: r.pending}
	r.pending = ""
	if len(r.open) > 0 {
		s.place.section = r.open[0]
	}
	if len(r.open) > 1 {
		s.place.group = r.open[1]
	}
	if !s.wellFormed() {
		return false
	}
	if !r.seen[s] {
		r.seen[s] = true
		r.list = append(r.list, s)
	}
	return true
}

func (r *reader) leave(l string) bool {
	if len(r.open) == 0 || l+"\n" != closeTag(r.open[len(r.open)-1]) {
		return false
	}
	r.open = r.open[:len(r.open)-1]
	return true
}

func (r *reader) enter(l string) bool {
	tag, whole := strings.CutSuffix(l[1:], ">")
	name, attributes, _ := strings.Cut(tag, " ")
	switch {
	case !whole || strings.ContainsAny(tag, "<>"):
		return false
	case name == leftOutSection && len(r.open) == 0:
		r.open = append(r.open, name)
	case !attributesFit(attributes):
		return false
	case slices.Contains(sectionNames[:], tag) && len(r.open) == 0,
		slices.Contains(groups[:], name) && len(r.open) == 1 && (attributes == "") == (name != "active_task"):
		r.open = append(r.open, tag)
	default:
		return false
	}
	return true
}

// isElement reports whether a line begins a statement that is an element by itself.
func isElement(l string) bool {
	return strings.HasPrefix(l, "<mem ") || strings.HasPrefix(l, "<anchor ") || strings.HasPrefix(l, "<overflow>")
}

// wellFormed reports whether a statement is escaped as Build does it: what was kept
// in a file may have been changed there.
func (s statement) wellFormed() bool {
	if !strings.HasPrefix(s.text, "<") {
		return isEscaped(s.text)
	}
	head, rest, _ := strings.Cut(s.text[1:], ">")
	name, attributes, _ := strings.Cut(head, " ")
	content, closed := strings.CutSuffix(rest, "</"+name+">")
	return closed && isEscaped(content) && attributesFit(attributes) && (attributes != "") == (name != "overflow")
}

// isEscaped reports whether text has nothing that XML reserves, but quotes.
func isEscaped(text string) bool {
	if strings.ContainsAny(text, "<>") {
		return false
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "&")
		if !found {
			return true
		}
		entity, _, _ := strings.Cut(after, ";")
		if !slices.Contains([]string{"amp", "lt", "gt", "quot", "apos"}, entity) {
			return false
		}
		rest = after
	}
}

// attributesFit reports whether text is attributes as Build writes them, none included.
func attributesFit(text string) bool {
	for text != "" {
		name, rest, ok := strings.Cut(text, `="`)
		value, rest, closed := strings.Cut(rest, `"`)
		if !ok || !closed || !isEscaped(value) || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
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
	"Plan ", "Stage: ", "Intent: ", "Today: ", "Session: ", "Title: ", "Expected output: ",
	"Write only files that match: ", "Locked for this task: ", "Use only these tools: ", "- Language: ", "Progress: ",
}

// key is what a statement is about: of two with one key in one place, the later one
// is the earlier one changed. A statement that is about nothing else than itself is
// its own key.
func (s statement) key() string {
	if isElement(s.text) {
		return s.text[:strings.IndexByte(s.text, '>')][:firstAttribute(s.text)]
	}
	switch s.place.group {
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

// firstAttribute is where the first attribute of an element ends: its id.
func firstAttribute(text string) int {
	end := strings.IndexByte(text, '>')
	if start := strings.Index(text[:end], `="`); start >= 0 {
		if length := strings.IndexByte(text[start+2:end], '"'); length >= 0 {
			return start + 2 + length
		}
	}
	return end
}

// name is the name that a line of a list begins with.
func (s statement) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(s.text, "- "), " ")
	return strings.TrimSuffix(name, ":")
}

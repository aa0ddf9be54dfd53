package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/source"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// Labels of a task's long texts, and of the reason for which it was handed back.
const (
	beforeLabel      = "Handed back or abandoned before: "
	descriptionLabel = "Description: "
	notesLabel       = "Notes: "
)

// bodyOf returns a task's description and notes as a pack renders them, with at most the given
// number of tokens together. Each may use half of them, and the part that the other one leaves. A
// text is "" if it is empty or does not fit at all.
func bodyOf(t *resources.Task, tokens int) (description, notes string) {
	room, name := tokens*1000, line(t.Metadata.Name)
	cut := "  [cut; all of it: `idumb describe task " + name + "`, or govern_task status " + name + "]"
	description, notes = block(t.Spec.Description), block(t.Spec.Notes)
	description = fitOutline(descriptionLabel, description, cut, room-min(room/2, lineSize(notesLabel+notes)))
	return description, fitOutline(notesLabel, notes, cut, room-lineSize(description))
}

// lineSize returns the size of a line, in thousandths of a token.
func lineSize(text string) int {
	if text == "" {
		return 0
	}
	return tokens.Measure(text + "\n").Milli
}

// fitOutline renders a Markdown text, as block writes it, after its label. It
// returns the whole text if it fits into room, in thousandths of a token.
// Otherwise it keeps the headings, then as many lines as fit, from the
// beginning, and appends cut. It returns "" if the text is empty or label and
// cut alone do not fit.
func fitOutline(label, text, cut string, room int) string {
	switch {
	case text == "":
		return ""
	case lineSize(label+text) <= room:
		return label + text
	}
	lines := strings.Split(text, "\n")
	o := outline{lines: lines, included: make([]bool, len(lines)), room: room - lineSize(label) - lineSize(cut)}
	if o.room < 0 {
		return ""
	}
	o.keepHeadings()
	o.keepBeginning()
	return label + strings.TrimSpace(strings.Join(append(o.text(), cut), "\n"))
}

// An outline selects lines of a text.
type outline struct {
	lines    []string // as block writes them
	included []bool
	room     int // in thousandths of a token
}

// keepHeadings keeps the headings that fit, from the beginning.
func (o *outline) keepHeadings() {
	plain := slices.Clone(o.lines)
	for i := range plain[1:] {
		plain[i+1] = strings.TrimPrefix(plain[i+1], "  ") // the indent of block
	}
	for _, h := range source.Headings(plain) {
		if !o.keep(h.Line) {
			return
		}
	}
}

// keepBeginning keeps the other lines up to the first that does not fit, and the beginning of that
// one.
func (o *outline) keepBeginning() {
	for i := range o.lines {
		if !o.included[i] && !o.keep(i) {
			o.lines[i] = o.prefix(o.lines[i])
			o.included[i] = o.lines[i] != ""
			return
		}
	}
}

// keep keeps a line if it fits, and reports whether it does.
func (o *outline) keep(i int) bool {
	size := lineSize(o.lines[i])
	if o.included[i] = size <= o.room; o.included[i] {
		o.room -= size
	}
	return o.included[i]
}

// prefix returns the words of a line that fit, empty if they are fewer than five.
func (o *outline) prefix(text string) string {
	const few, more = 5, " ..."
	words := strings.SplitAfter(text, " ")
	fits := func(n int) bool { return lineSize(strings.TrimRight(strings.Join(words[:n], ""), " ")+more) <= o.room }
	n := 0
	for step := len(words); step > 0; step /= 2 {
		for n+step <= len(words) && fits(n+step) {
			n += step
		}
	}
	if n < few {
		return ""
	}
	return strings.TrimRight(strings.Join(words[:n], ""), " ") + more
}

// text returns the included lines, in order.
func (o *outline) text() []string {
	var told []string
	for i, l := range o.lines {
		if o.included[i] {
			told = append(told, l)
		}
	}
	return told
}

package packer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

const (
	opening = "<idumb_context>\n"
	closing = "</idumb_context>\n"
)

// frame returns the lines that open and close an element; tag may have attributes.
func frame(tag string) string { return openTag(tag) + closeTag(tag) }

// openTag returns the line that opens an element; tag may have attributes.
func openTag(tag string) string { return "<" + tag + ">\n" }

// closeTag returns the line that closes an element; it ignores the attributes of tag.
func closeTag(tag string) string {
	name, _, _ := strings.Cut(tag, " ")
	return "</" + name + ">\n"
}

// writer writes the included entries between the tags of their sections and groups.
type writer struct {
	strings.Builder
	open []string // tags, outermost first
}

// render returns the pack's text. The section on omitted entries precedes the task, which is last
// and changes most often.
func render(all candidates, notice, left string) string {
	w := &writer{}
	w.WriteString(opening + notice)
	for i := range all {
		if !all[i].in {
			continue
		}
		if all[i].section == task && left != "" {
			w.enter()
			w.WriteString(left)
			left = ""
		}
		w.enter(all[i].section.String(), all[i].group)
		w.WriteString(all[i].text)
	}
	w.enter()
	w.WriteString(left + closing)
	return w.String()
}

// enter closes and opens tags until exactly the given ones are open.
func (w *writer) enter(tags ...string) {
	tags = slices.DeleteFunc(tags, func(tag string) bool { return tag == "" })
	same := 0
	for same < len(tags) && same < len(w.open) && tags[same] == w.open[same] {
		same++
	}
	for _, tag := range slices.Backward(w.open[same:]) {
		w.WriteString(closeTag(tag))
	}
	for _, tag := range tags[same:] {
		w.WriteString(openTag(tag))
	}
	w.open = tags
}

// digest returns 64 bits of the SHA-256 of a text, enough to distinguish packs.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// noticeText returns the element at the start of a pack that states how many reserved entries did
// not fit.
func noticeText(lost int, b Budget) string {
	return "<overflow>" + line(overflowNotice(lost, b)) + "</overflow>\n"
}

// overflowNotice returns the warning that lost of the reserved entries did not
// fit into a pack, with the budget and what to change. noticeText puts it in
// front of the entries that fit.
func overflowNotice(lost int, b Budget) string {
	return fmt.Sprintf("CONTEXT OVERFLOW: %d parts that must be in this context do not fit into its limit (%s). "+
		"Run idumb context --explain to see which; shorten the task's expectedOutput, unset critical on anchors, or raise contextShare in .idumb/config.json.", lost, b)
}

// String describes the budget for people.
func (b Budget) String() string {
	if b.Limit > 0 {
		return fmt.Sprintf("%d characters allowed by the host, %d tokens or %d characters by config", b.Limit, b.Tokens, b.Characters)
	}
	return fmt.Sprintf("%d tokens or %d characters allowed by config", b.Tokens, b.Characters)
}

package packer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// commentsGroup holds the unresolved comments of people on the active tasks.
const commentsGroup = "comments"

// Limits on the comments of a pack.
const (
	maxInstructions = 5
	maxInstruction  = 700 // characters of each
)

// comments adds the comments that bind an agent on the active tasks, oldest first.
func (g *gatherer) comments() {
	for _, name := range g.in.Active {
		for _, c := range status.CommentsOn(resources.Key{Kind: resources.Tasks, Name: name}, g.source) {
			if status.CommentBinds(c, g.source) {
				g.in.Comments = append(g.in.Comments, Remark{c.Metadata.Name, admission.CommentLine(c, g.source)})
			}
		}
	}
	slices.SortFunc(g.in.Comments, func(a, b Remark) int { return strings.Compare(a.Name, b.Name) })
}

// A Remark is a comment that binds the reader, as rendered.
type Remark struct{ Name, Text string }

// comments offers the instructions of people, next to their task.
func (d *packing) comments() {
	told := d.in.Comments[:min(maxInstructions, len(d.in.Comments))]
	for i, c := range told {
		d.comment(c.Name, instructionScore-i, c.Text)
	}
	if rest := d.in.Comments[len(told):]; len(rest) > 0 {
		names := make([]string, len(rest))
		for i, c := range rest {
			names[i] = c.Name
		}
		d.comment("more", instructionScore-maxInstructions, fmt.Sprintf("%d comments more: %s; idumb describe comment NAME", len(rest), listed(names)))
	}
}

// instructions returns the lines of the comments that are rendered in full.
func (d *packing) instructions() (lines []string) {
	for _, c := range d.in.Comments[:min(maxInstructions, len(d.in.Comments))] {
		lines = append(lines, shorten(c.Text, maxInstruction))
	}
	return lines
}

// comment offers a line. A long comment is cut and marked as cut. It then does not count as
// delivered, and the whole text is delivered outside the pack.
func (d *packing) comment(name string, score int, text string) {
	if tokens.Measure(text).Characters > maxInstruction {
		text = shorten(strings.Replace(text, "("+name+")", "("+name+", cut)", 1), maxInstruction)
	}
	d.candidates.add(candidate{section: task, group: commentsGroup, id: commentIDs + name, tier: reserved, score: score, text: line(text)})
}

// commentIDs is the prefix of the ID of a comment.
const commentIDs = resources.Comments + "/"

// comment returns the ID of the comment in a statement, empty if there is no comment.
func (s statement) comment() string {
	_, rest, ok := strings.Cut(s.text, " (c-")
	name, _, closed := strings.Cut(rest, ")")
	if s.position.group != commentsGroup || !ok || !closed || strings.ContainsAny(name, " (") {
		return ""
	}
	return commentIDs + "c-" + name
}

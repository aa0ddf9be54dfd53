package packer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// commentsGroup holds what people said about the active tasks, and is not settled.
const commentsGroup = "comments"

// Bounds of what is told of comments in a pack.
const (
	maxInstructions = 5
	maxInstruction  = 700 // characters of each
)

// comments takes in what binds whoever works on the active tasks, the oldest first.
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

// Remark is a comment that binds the reader, as it is told.
type Remark struct{ Name, Text string }

// comments offers the instructions of people, beside the task that they are about.
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

// instructions are the lines of those that are told in full.
func (d *packing) instructions() (lines []string) {
	for _, c := range d.in.Comments[:min(maxInstructions, len(d.in.Comments))] {
		lines = append(lines, shortened(c.Text, maxInstruction))
	}
	return lines
}

// comment offers a line. What is long is cut, and says so where its name stands: then it does not count as
// told, and is told as a whole beside the pack.
func (d *packing) comment(name string, score int, text string) {
	if measure(text).characters > maxInstruction {
		text = shortened(strings.Replace(text, "("+name+")", "("+name+", cut)", 1), maxInstruction)
	}
	d.all.offer(candidate{section: task, group: commentsGroup, id: commentIDs + name, tier: reserved, score: score, text: line(text)})
}

// commentIDs begins the ID of a comment.
const commentIDs = resources.Comments + "/"

// comment is the ID of the comment that a statement tells, "" for none.
func (s statement) comment() string {
	_, rest, ok := strings.Cut(s.text, " (c-")
	name, _, closed := strings.Cut(rest, ")")
	if s.position.group != commentsGroup || !ok || !closed || strings.ContainsAny(name, " (") {
		return ""
	}
	return commentIDs + "c-" + name
}

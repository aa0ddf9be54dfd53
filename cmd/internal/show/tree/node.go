package tree

import (
	"bufio"
	"io"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// node is a line with the lines below it.
type node struct {
	text     string // unescaped; draw escapes it
	phase    string // printed in brackets, with colour; empty for no brackets
	note     string // printed after the phase
	children []*node
}

// add adds a line below the node.
func (n *node) add(child *node) { n.children = append(n.children, child) }

// branches are the line segments of a tree.
type branches struct{ tee, corner, bar, blank string }

var (
	unicodeBranches = branches{"├── ", "└── ", "│   ", "    "}
	asciiBranches   = branches{"|-- ", "`-- ", "|   ", "    "}
)

// colours maps phases to terminal colours.
var colours = map[string]string{
	"completed": "32", "active": "36;1", "review": "35", "blocked": "33", "failed": "31", "Invalid": "31;1", "missing": "31", "archived": "31", "abandoned": "2",
}

// treeWriter writes nodes as lines.
type treeWriter struct {
	w      *bufio.Writer
	lines  branches
	colour bool
}

// draw writes nodes with their descendants. It reports false if nodes is empty.
func draw(w io.Writer, nodes []*node, look Look) (bool, error) {
	p := &treeWriter{w: bufio.NewWriter(w), lines: unicodeBranches, colour: look.Colour}
	if look.ASCII {
		p.lines = asciiBranches
	}
	for _, n := range nodes {
		p.line(n)
		p.draw(n, "")
	}
	return len(nodes) > 0, p.w.Flush()
}

// draw writes the descendants of n, each after prefix and its branch.
func (p *treeWriter) draw(n *node, prefix string) {
	for i, child := range n.children {
		branch, below := p.lines.tee, p.lines.bar
		if i == len(n.children)-1 {
			branch, below = p.lines.corner, p.lines.blank
		}
		p.w.WriteString(prefix)
		p.w.WriteString(branch)
		p.line(child)
		p.draw(child, prefix+below)
	}
}

// line writes the text, phase and note of a node.
func (p *treeWriter) line(n *node) {
	p.w.WriteString(terminal.EscapeLine(n.text))
	if n.phase != "" {
		p.w.WriteByte(' ')
		p.w.WriteString(p.paint("["+terminal.EscapeLine(n.phase)+"]", colours[n.phase]))
	}
	if n.note != "" {
		p.w.WriteString("  ")
		p.w.WriteString(terminal.EscapeLine(n.note))
	}
	p.w.WriteByte('\n')
}

// paint returns s in a terminal colour, or unchanged if the writer uses none.
func (p *treeWriter) paint(s, colour string) string {
	if !p.colour || colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

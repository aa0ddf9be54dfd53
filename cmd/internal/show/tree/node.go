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
		text := "[" + terminal.EscapeLine(n.phase) + "]"
		if p.colour {
			text = terminal.PaintPhase(text, n.phase)
		}
		p.w.WriteString(text)
	}
	if n.note != "" {
		p.w.WriteString("  ")
		p.w.WriteString(terminal.EscapeLine(n.note))
	}
	p.w.WriteByte('\n')
}

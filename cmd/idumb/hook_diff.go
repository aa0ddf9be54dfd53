package main

import (
	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// printChanges prints what would change, in the form of diff -u.
func (a *app) printChanges(done []agents.Change) {
	for _, c := range done {
		if !c.Changed() {
			continue
		}
		before, after := "a/"+c.File, "b/"+c.File
		if c.OldContent == nil {
			before = "/dev/null"
		}
		if c.NewContent == nil {
			after = "/dev/null"
		}
		text := agents.Unified(before, after, c.OldContent, c.NewContent)
		if terminal.Is(a.stdout) {
			text = terminal.Escape(text)
		}
		a.outf("%s", text)
	}
}

// wrapped breaks a note into lines that fit any terminal.
func wrapped(text string) string { return terminal.Wrap(text, 78, "  ") }

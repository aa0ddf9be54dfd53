package hook

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// unjudged is a call with what it might write, from what it says alone: the repository is
// what could not be looked at in time. A repository that brings so many files that the
// gate gives up must not open the gate to commands by that.
func unjudged(e Event) admission.Call {
	c := admission.Call{Tool: e.Tool, Action: e.Action, Command: e.Command, Paths: given(e.Paths)}
	if e.Command == "" || e.Action != admission.Shell && e.Action != admission.Governance {
		return c
	}
	c.Action = admission.Shell
	reading := shell.Read(e.Command, shell.Options{Dir: e.Cwd, Root: e.Cwd})
	line := shell.Line{Commands: reading.Commands, Writes: reading.Writes}
	reach := admission.ReachOf(line)
	for _, command := range reach.Commands {
		c.Commands = append(c.Commands, strings.Join(command.Words, " "))
	}
	for _, w := range line.Writes {
		c.Paths = append(c.Paths, admission.Path{Given: w.Path})
	}
	for _, t := range reach.Touches {
		c.Paths = append(c.Paths, admission.Path{Given: t.Word.Text})
	}
	if reading.Verdict.Verdict != shell.Allow || len(reach.Changes) > 0 || reach.TooLong || admission.Governed(c) {
		c.Paths = append(c.Paths, admission.Path{Given: "what it changes"})
	}
	return c
}

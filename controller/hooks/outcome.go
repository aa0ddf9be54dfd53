package hooks

import (
	"cmp"

	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/testoutput"
)

// commandOutcomes returns the outcome of each command of a line, for example " (4
// passed, 0 failed)", or an empty text if it is unknown. A line has one output.
// It is read for the last command that ran, and for the last git command.
func (h *handler) commandOutcomes(ran []command.Command) []string {
	came := make([]string, len(ran))
	printed := cmp.Or(h.event.Output, h.event.Printed)
	read := map[bool]bool{} // whether git's output was read
	for i := len(ran) - 1; i >= 0 && printed != ""; i-- {
		git := command.Unwrapped(ran[i].Words)[0] == "git"
		if read[git] || h.outcome(ran[i]) == nil && !h.event.OutcomeUnknown {
			continue
		}
		read[git] = true
		what := testoutput.OfCommand
		if git {
			what = testoutput.OfGit
		}
		if text := what(printed); text != "" {
			came[i] = " (" + text + ")"
		}
	}
	return came
}

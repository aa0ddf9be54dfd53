package hooks

import (
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// unjudged returns a call with its possible writes, using only the event,
// because the repository could not be read in time. A repository with many
// files must not open the gate for commands by a timeout.
func unjudged(e hosts.Event) admission.Call {
	c := admission.Call{Tool: e.Tool, Action: e.Action, Command: e.Command, Paths: fromPaths(e.Paths)}
	if e.Command == "" || e.Action != admission.Shell && e.Action != admission.Governance {
		return c
	}
	c.Action = admission.Shell
	line := command.Read(e.Command, command.Options{Dir: e.Cwd, Root: e.Cwd})
	c.Runs = line.Runs
	for _, f := range line.Files {
		c.Paths = append(c.Paths, admission.Path{Given: f.Word.Text})
	}
	if line.Verdict.Verdict != command.Allow || len(admission.Changes(line, true)) > 0 || line.Truncated || admission.Governed(c) {
		c.Paths = append(c.Paths, admission.Path{Given: "the files that it changes"})
	}
	return c
}

// undecided denies a write that cannot be judged, including a command line that
// may write. For every other event the answer is empty.
func undecided(k partialResult, cause string) hosts.Answer {
	e := k.event
	if e.Type != hosts.BeforeTool {
		return hosts.Answer{}
	}
	v := admission.Undecided(unjudged(e), k.mode, cause,
		"Run `idumb doctor` to see the problem, and tell the user.")
	if v.Outcome != admission.Deny {
		return hosts.Answer{}
	}
	return hosts.Answer{Deny: v.Reason.Text()}
}

// fromPaths converts paths as given in a call, without resolving them.
func fromPaths(paths []string) []admission.Path {
	var all []admission.Path
	for _, p := range paths {
		all = append(all, admission.Path{Given: p})
	}
	return all
}

package admission

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// shellGate: what a command line would do that cannot be taken back, and the same of files
// that a tool writes outside the repository. What a person may decide is asked only if no
// other rule denies the call.
func shellGate(e *evaluation) *Reason {
	v := e.call.Gate
	if v == nil || v.Verdict == command.Allow {
		return nil
	}
	r := &Reason{
		Rule:       "shell-gate",
		What:       "You tried to run " + quote(v.Part) + ", which " + shortWhy(v.Why) + ".",
		Why:        []string{"The rule " + quote(v.Rule) + " of the shell gate denies it, however it is spelt."},
		UseInstead: v.UseInstead,
		Evidence:   []string{"part of the command = " + quote(v.Part), "rule = " + v.Rule + "; `idumb shell check -- COMMAND` says what the gate makes of a command"},
	}
	if e.call.Action == Write {
		r.What = tried(e.call) + ", which " + shortWhy(v.Why) + "."
		r.Evidence = []string{"path, links resolved = " + v.Part, "rule = " + v.Rule}
	}
	if v.Verdict == command.Deny {
		return r
	}
	r.Why = []string{"The rule " + quote(v.Rule) + " of the shell gate leaves it to a person; where nobody can be asked, it is denied."}
	e.asks = r
	return nil
}

// shortWhy is a reason as the end of a sentence.
func shortWhy(why string) string { return strings.TrimRight(why, ".") }

package admission

import "github.com/idumb-dev/idumb/resources/admission/command"

// shellGate: what a command line would do that cannot be taken back, and the same of files
// that a tool writes outside the repository. What a person may decide is asked only if no
// other rule denies the call.
func shellGate(j *judgement) *Reason {
	v := j.call.Gate
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
	if j.call.Action == Write {
		r.What = tried(j.call) + ", which " + shortWhy(v.Why) + "."
		r.Evidence = []string{"path, links resolved = " + v.Part, "rule = " + v.Rule}
	}
	if v.Verdict == command.Deny {
		return r
	}
	r.Why = []string{"The rule " + quote(v.Rule) + " of the shell gate leaves it to a person; where nobody can be asked, it is denied."}
	j.asks = r
	return nil
}

// shortWhy is a reason as the end of a sentence.
func shortWhy(why string) string {
	for len(why) > 0 && why[len(why)-1] == '.' {
		why = why[:len(why)-1]
	}
	return why
}

// shellRules are those of the rules that are about what a command line does, whatever
// work is going on.
var shellRules = [...]rule{
	{"governed-shell", governedShell},
	{"governed-path", governedPath},
	{"governed-command", governedCommand},
	{"shell-gate", shellGate},
	{"role-shell", roleShell},
	{"role-paths", rolePaths},
}

// DecideShell judges a command line alone, as if no plan, task or delegation were in
// the way, and in no mode but enforce.
func DecideShell(call Call, view View) Verdict {
	j := &judgement{call: call, view: view}
	for _, r := range shellRules {
		if reason := r.check(j); reason != nil {
			reason.Rule = r.name
			return j.denied(ModeEnforce, *reason)
		}
	}
	if j.asks != nil {
		v := j.denied(ModeEnforce, *j.asks)
		v.Outcome = AskPerson
		return v
	}
	return Verdict{}
}

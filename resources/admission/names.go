package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// NamesOnly returns the reason with only the names from files of a repository that the
// person does not trust. Titles, reasons, patterns and names of assignees can contain
// instructions of strangers. Object names consist of letters, digits, dots and hyphens, or
// their files are not read. why replaces the removed text.
func (r Reason) NamesOnly(call Call, why string) Reason {
	about := aboutOf(r.Rule)
	what, instead := about&ownWhat != 0, about&ownInstead != 0
	if call.Gate != nil && r.Rule == "shell-gate" {
		what = call.Gate.Rule != command.RepositoryRule // built-in rules have our own sentences
		instead = what
	}
	if !what {
		r.What = triedText(call) + " but the rule " + quote(r.Rule) + " denies it."
	}
	if !instead {
		r.UseInstead = "Tell the user what you need; the reason is shown after the user runs `idumb trust`."
	}
	r.Why, r.Evidence = []string{why}, []string{"rule = " + r.Rule}
	r.Chain = r.Chain.namesOnly()
	return r
}

// QuotesRules reports whether a reason may quote governing files like roles and rules, and
// not only tasks and similar objects.
func (r Reason) QuotesRules(call Call) bool {
	if r.Rule == "shell-gate" {
		return call.Gate == nil || call.Gate.Rule == command.RepositoryRule
	}
	return aboutOf(r.Rule)&tasksOnly == 0
}

// aboutOf returns the scope of a rule, or 0 for unknown rules.
func aboutOf(name string) ruleScope {
	if name == undecided {
		return ownWords | tasksOnly
	}
	if i := slices.IndexFunc(rules[:], func(r rule) bool { return r.name == name }); i >= 0 {
		return rules[i].scope
	}
	return 0
}

// namesOnly keeps names, phases and the notes of this package.
func (c Chain) namesOnly() Chain {
	c.Links = slices.Clone(c.Links)
	for i, l := range c.Links {
		if !slices.Contains([]string{"", "ready", "blocking", "your task"}, l.Note) { // assignee
			c.Links[i].Note = ""
		}
	}
	return c
}

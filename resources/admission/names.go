package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// NamesOnly is the reason without what the repository's files say, but for names: for a
// repository that the person does not trust. Titles, reasons, patterns and the names of
// assignees may be sentences of strangers; names of objects are letters, digits, dots and
// hyphens, or their files are not read at all. why takes the place of what is left out.
func (r Reason) NamesOnly(call Call, why string) Reason {
	about := aboutOf(r.Rule)
	what, instead := about&ownWhat != 0, about&ownInstead != 0
	if call.Gate != nil && r.Rule == "shell-gate" {
		what = call.Gate.Rule != command.RepositoryRule // the shipped rules have our own sentences
		instead = what
	}
	if !what {
		r.What = tried(call) + " but the rule " + quote(r.Rule) + " denies it."
	}
	if !instead {
		r.UseInstead = "Tell the user what you need; the reason is shown after the user runs `idumb trust`."
	}
	r.Why, r.Evidence = []string{why}, []string{"rule = " + r.Rule}
	r.Chain = r.Chain.namesOnly()
	return r
}

// QuotesRules reports whether a reason may quote files that govern: roles and rules, and
// not tasks and the like only.
func (r Reason) QuotesRules(call Call) bool {
	if r.Rule == "shell-gate" {
		return call.Gate == nil || call.Gate.Rule == command.RepositoryRule
	}
	return aboutOf(r.Rule)&tasksOnly == 0
}

// aboutOf is what a rule's reasons hold; nothing for one that is not known.
func aboutOf(name string) about {
	if name == undecided {
		return ownWords | tasksOnly
	}
	if i := slices.IndexFunc(rules[:], func(r rule) bool { return r.name == name }); i >= 0 {
		return rules[i].about
	}
	return 0
}

// namesOnly keeps names, phases and this package's own notes.
func (c Chain) namesOnly() Chain {
	c.Links = slices.Clone(c.Links)
	for i, l := range c.Links {
		if !slices.Contains([]string{"", "ready", "blocking", "your task"}, l.Note) { // whom it is assigned to
			c.Links[i].Note = ""
		}
	}
	return c
}

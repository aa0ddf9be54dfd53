package admission

// NamesOnly is the reason without what the repository's files say, but for names: for a
// repository that the person does not trust. Titles, reasons, patterns and the names of
// assignees may be sentences of strangers; names of objects are letters, digits, dots and
// hyphens, or their files are not read at all. why takes the place of what is left out.
func (r Reason) NamesOnly(call Call, why string) Reason {
	what, instead := plainParts(r.Rule)
	if call.Gate != nil && r.Rule == "shell-gate" {
		what = call.Gate.Rule != "shell.json" // the shipped rules have our own sentences
		instead = what
	}
	if !what {
		r.What = tried(call) + " but the rule " + quote(r.Rule) + " objects."
	}
	if !instead {
		r.UseInstead = "Tell the person what you need; `idumb trust` lets you see the reason."
	}
	r.Why, r.Evidence = []string{why}, []string{"rule = " + r.Rule}
	r.Chain = r.Chain.namesOnly()
	return r
}

// QuotesRules reports whether a reason may quote files that govern: roles and rules, and
// not tasks and the like only.
func (r Reason) QuotesRules(call Call) bool {
	switch r.Rule {
	case "recalled", "governed-shell", "governed-path", "governed-command", "own-terms", "depth", "todo", "write-gate", "assignee", "task-phase",
		"allowed-tools", "delegated-tools", "task-paths", "file-lock", "undecided":
		return false
	case "shell-gate":
		return call.Gate == nil || call.Gate.Rule == "shell.json"
	}
	return true
}

// plainParts tells which sentences of a rule's reasons hold nothing but this package's own
// words, names of objects, and what the call itself says. Those of a rule that is not
// listed may pass on what files say.
func plainParts(rule string) (what, instead bool) {
	switch rule {
	case "recalled", "governed-shell", "governed-path", "governed-command", "role-known", "role-tools", "role-shell", "role-paths",
		"own-terms", "depth", "write-gate", "task-phase", "task-paths", "file-lock", "undecided", "first-tool", "may-start", "todo", "halted":
		return true, true
	case "assignee": // names the assignee
		return false, true
	case "allowed-tools", "delegated-tools": // list the tools that a file names
		return true, false
	}
	return false, false
}

// namesOnly keeps names, phases and this package's own notes.
func (c Chain) namesOnly() Chain {
	links := make([]Link, 0, len(c.Links))
	for _, l := range c.Links {
		switch l.Note {
		case "", "ready", "blocking", "your task":
		default: // whom it is assigned to
			l.Note = ""
		}
		links = append(links, l)
	}
	c.Links = links
	return c
}

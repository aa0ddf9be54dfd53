package command

import "strings"

// gitBrings checks commands that apply commits. The changed files must satisfy the same
// rules as files written by tools.
func (m *interpreter) gitBrings(verb string, args []field, c *invocation) {
	takes, known := map[string]string{
		"pull":        listOf("git-pull"),
		"merge":       "-m --message -F --file -s --strategy -X --strategy-option --into-name --cleanup",
		"rebase":      "--onto -s --strategy -X --strategy-option -x --exec",
		"revert":      "-m --mainline --strategy -X --strategy-option --cleanup",
		"cherry-pick": "-m --mainline --strategy -X --strategy-option --cleanup",
	}[verb]
	o := parseOptions(args, getopt, takes)
	if ours, _ := o.value("-s --strategy"); !known || ours == "ours" || o.has("--abort --continue --quit --skip --edit-todo --show-current-patch") {
		return
	}
	revisions := o.operands
	if len(revisions) == 0 && (verb == "merge" || verb == "rebase") {
		revisions = fieldsOf([]string{"@{upstream}"})
	}
	if verb == "pull" {
		m.pulls(revisions, c)
		return
	}
	if onto, moved := o.value("--onto"); verb == "rebase" {
		revisions = revisions[:min(1, len(revisions))] // the second is the moved branch
		if moved {
			for _, f := range revisions { // commits that HEAD already has are excluded
				m.brings(f.text, onto, c)
			}
			revisions = fieldsOf([]string{onto})
		}
	}
	for _, f := range revisions {
		from, to, ranged := strings.Cut(f.text, "..")
		switch {
		case f.text == "FETCH_HEAD" && m.fetched != nil:
			m.pulls(m.fetched, c)
			continue
		case verb == "merge" || verb == "rebase":
			m.brings("", f.text, c)
			continue
		case ranged && to == "":
			to = "HEAD"
		case !ranged:
			from, to = f.text+"^", f.text
		}
		if to = strings.TrimPrefix(to, "."); verb == "revert" {
			from, to = to, from
		}
		m.brings(from, to, c)
	}
}

// pulls checks commits that come from a repository, given with its branches. What a remote has is
// not known and passes. Commits of this repository are checked like a merge; those of
// another directory need approval, because the agent may have made them.
func (m *interpreter) pulls(from []field, c *invocation) {
	if len(from) == 0 {
		return
	}
	name := strings.TrimPrefix(from[0].text, "file://")
	switch {
	case m.absolute(name) == m.opts.Root:
		for _, f := range from[1:] {
			branch, _, _ := strings.Cut(strings.TrimPrefix(f.text, "+"), ":")
			m.brings("", branch, c)
		}
	case hasAnyPrefix(name, "/", "./", "../", "~/"), name == "..", m.exists(name):
		m.report("plan-commits", c.part(), "its commits are known only when it runs")
	}
}

// brings checks that the difference between two revisions may be applied. See
// Options.Brings.
func (m *interpreter) brings(base, theirs string, c *invocation) {
	if m.opts.Brings == nil {
		return
	}
	if !isKnown(base) || !isKnown(theirs) {
		m.report("plan-commits", c.part(), "which commits is only known when it runs")
		return
	}
	if file := m.opts.Brings(base, theirs); file != "" {
		m.report("plan-commits", c.part(), file)
	}
}

package command

import "strings"

// gitBrings checks commands that apply commits. The changed files must satisfy the same
// rules as files written by tools.
func (m *interpreter) gitBrings(verb string, args []field, c *invocation) {
	takes, known := map[string]string{
		"pull":        "-s --strategy -X --strategy-option --depth --deepen --upload-pack -j --jobs --refmap -o --server-option --negotiation-tip --shallow-since --shallow-exclude",
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
	if verb == "pull" { // of this repository, it is a merge; what a remote has is not known
		if len(revisions) < 2 || m.absolute(revisions[0].text) != m.opts.Root {
			return
		}
		verb, revisions = "merge", revisions[1:]
		for i, f := range revisions {
			from, _, _ := strings.Cut(strings.TrimPrefix(f.text, "+"), ":")
			revisions[i].text = from
		}
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

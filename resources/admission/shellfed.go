package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// fed reads what xargs hands to a command that changes the files it is given: what the
// commands in front of it name. What they find in ordinary folders is of no matter, or
// no search of the repository could be followed by a change.
func (r *reader) fed(inner shell.Command) {
	name := commandName(inner.Args[0].Text)
	changes := slices.Contains([]string{"sed", "gsed", "perl", "ruby"}, name) && has(inner.Args, "-i")
	for _, row := range writers {
		changes = changes || row.name == name && !has(inner.Args, row.spares)
	}
	if !changes {
		return
	}
	r.lookedUp(Touch{By: partOf(inner)})
	for _, other := range r.all.Commands {
		if len(other.Args) == 0 {
			continue
		}
		for _, w := range plain(other.Args[1:], "") {
			r.touch(Touch{Word: w, Tree: hidden(w.Text), Unsure: true, By: partOf(inner)}, other)
		}
	}
}

// hidden reports whether a path leads into a folder that is called .something, as those
// of agents' settings are.
func hidden(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool {
		return len(name) > 2 && name[0] == '.' && name[1] != '.'
	})
}

// gitSetting reads a setting that git is given for one command.
func (r *reader) gitSetting(w shell.Word, c shell.Command) {
	if name, _, _ := strings.Cut(w.Text, "="); strings.EqualFold(name, "core.hooksPath") {
		r.reach.Changes = append(r.reach.Changes, Change{Part: partOf(c), Why: gitHooksWhy})
	}
}

const gitHooksWhy = "It decides which of git's hooks run."

// gitHooks reads whether git is told to look for its hooks elsewhere.
func (r *reader) gitHooks(words []shell.Word, c shell.Command) {
	if words[0].Text != "config" || len(plain(words[1:], "-f --file --blob --type --default")) < 2 && !has(words, "--unset --unset-all") {
		return
	}
	for _, w := range words[1:] {
		if strings.EqualFold(w.Text, "core.hooksPath") {
			r.reach.Changes = append(r.reach.Changes, Change{Part: partOf(c), Why: gitHooksWhy})
		}
	}
}

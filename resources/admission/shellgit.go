package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// gitWriters is the table of git's commands that write, move or remove files of the
// working tree that they are given by name.
var gitWriters = [...]struct {
	verb   string
	takes  string
	unsure bool   // what is named may be a branch or a commit
	spares string // options with which it touches nothing of the working tree
	whole  string // "always", or the options with which it reaches everything if nothing is named
}{
	{verb: "rm", spares: "--cached -n --dry-run"},
	{verb: "mv", spares: "-n --dry-run"},
	{verb: "restore", takes: "-s --source", spares: "--staged -S"},
	{verb: "checkout", takes: "-b -B --orphan", unsure: true},
	{verb: "clean", takes: "-e --exclude", spares: "-n --dry-run", whole: "-f --force"},
	{verb: "stash", unsure: true, spares: "list show", whole: "-u --include-untracked -a --all"},
}

// git reads what a command of git does to files.
func (r *reader) git(c shell.Command) {
	words := c.Args[1:]
	for len(words) > 0 && isOption(words[0].Text) {
		switch words[0].Text {
		case "-C":
			if len(words) > 1 && words[1].Literal {
				c.Dir = within(c.Dir, words[1].Text)
			}
			words = words[min(2, len(words)):]
		case "-c":
			if len(words) > 1 {
				r.gitSetting(words[1], c)
			}
			words = words[min(2, len(words)):]
		case "--git-dir", "--work-tree", "--namespace":
			words = words[min(2, len(words)):]
		default:
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return
	}
	r.gitHooks(words, c)
	if words[0].Text == "apply" && !has(words, "--check --stat --numstat --summary --cached") {
		r.unpacked(values(words, "--directory"), c)
	}
	for _, row := range gitWriters {
		if row.verb != words[0].Text || has(words, row.spares) && !has(words, "-W --worktree") || slices.ContainsFunc(words[1:], func(w shell.Word) bool {
			return slices.Contains(strings.Fields(row.spares), w.Text) && !isOption(w.Text)
		}) {
			continue
		}
		named := plain(words[1:], row.takes)
		sure := !row.unsure || slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text == "--" })
		if row.verb == "stash" {
			named = nil
		}
		for _, w := range named {
			r.touch(Touch{Word: w, Tree: true, Unsure: !sure || w.Text == "HEAD"}, c)
		}
		if len(named) == 0 && has(words, row.whole) {
			r.touch(Touch{Word: shell.Word{Text: ".", Literal: true, Pattern: "."}, Tree: true, Unsure: true}, c)
		}
	}
}

package command

// gitFileTable is the table of git's commands that write, move or remove files of the
// working tree that they are given by name.
var gitFileTable = [...]struct {
	verb   string
	takes  string
	unsure bool   // what is named may be a branch or a commit
	spares string // options, and first words, with which it touches nothing of the working tree
	whole  string // the options with which it reaches everything if nothing is named
}{
	{verb: "rm", spares: "--cached -n --dry-run"},
	{verb: "mv", spares: "-n --dry-run"},
	{verb: "restore", takes: "-s --source", spares: "--staged -S"},
	{verb: "checkout", takes: "-b -B --orphan", unsure: true},
	{verb: "clean", takes: "-e --exclude", spares: "-n --dry-run", whole: "-f --force"},
	{verb: "stash", unsure: true, spares: "list show", whole: "-u --include-untracked -a --all"},
}

// gitFiles keeps what a command of git does to files, from the folder on that it is told to
// run in.
func (m *machine) gitFiles(verb string, args []field, c *invocation) {
	at := *c
	at.dir = m.dir
	if verb == "apply" {
		if o := parseOptions(args, "--directory"); !o.has("--check --stat --numstat --summary --cached") {
			m.unpacked(o.files("--directory"), &at)
		}
	}
	for _, row := range gitFileTable {
		if row.verb != verb {
			continue
		}
		o := parseOptions(args, row.takes)
		if o.has(row.spares) && !o.has("-W --worktree") || len(o.operands) > 0 && hasWord(row.spares, o.operands[0].text) {
			return
		}
		files := o.operands
		if verb == "stash" {
			files = nil
		}
		for _, f := range files {
			m.file(File{Word: f.word(), Tree: true, Unsure: row.unsure && o.dashes < 0 || f.text == "HEAD"}, &at)
		}
		if len(files) == 0 && o.has(row.whole) {
			m.file(File{Word: field{text: "."}.word(), Tree: true, Unsure: true}, &at)
		}
	}
}

package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// ungatedRow is what of one host's program gets around its hooks.
type ungatedRow struct {
	name    string
	options string
	verbs   string // its first words, several ways with commas
}

// ungated is the table of what starts another agent without its hooks, or changes
// which it has: a program, and options or first words of its own. A trailing "=" asks
// for the value to hold what follows it.
var ungated = [...]ungatedRow{
	{"claude", "--settings --setting-sources --bare --safe-mode", "config,mcp remove idumb,mcp add idumb,mcp add-json idumb"},
	{"codex", "--disable=hooks -c=hooks --config=hooks", "mcp remove idumb,mcp add idumb,features disable hooks"},
	{"opencode", "--pure", "mcp remove idumb,mcp add idumb"},
}

// otherAgents reads whether an agent is started that nothing would hold.
func (r *reader) otherAgents(name string, c shell.Command) {
	for _, row := range ungated {
		if row.name != name || !row.startsUngated(c.Args) && !row.changesHooks(c.Args) {
			continue
		}
		r.reach.Changes = append(r.reach.Changes, Change{
			Part: partOf(c), Why: "An agent that is started so is not held to the plan by hooks, or has others from then on.",
			Instead: "Start " + name + " without that, or hand the work to a subagent.",
		})
	}
}

func (row *ungatedRow) startsUngated(args []shell.Word) bool {
	for _, option := range strings.Fields(row.options) {
		flag, wanted, valued := strings.Cut(option, "=")
		if !valued && slices.ContainsFunc(args[1:], func(w shell.Word) bool { return w.Text == flag || strings.HasPrefix(w.Text, flag+"=") }) {
			return true
		}
		if valued && slices.ContainsFunc(values(args, flag), func(w shell.Word) bool { return strings.Contains(w.Text, wanted) }) {
			return true
		}
	}
	return false
}

func (row *ungatedRow) changesHooks(args []shell.Word) bool {
	words := plain(args[1:], "")
	for verb := range strings.SplitSeq(row.verbs, ",") {
		want := strings.Fields(verb)
		if len(words) >= len(want) && slices.EqualFunc(words[:len(want)], want, func(w shell.Word, s string) bool { return w.Text == s }) {
			return true
		}
	}
	return false
}

// programs are iDumb's own programs that agents' hosts start.
var programs = []string{"idumb-hook", "idumb-mcp"}

// asksProgram are the options with which such a program only says what it is.
var asksProgram = []string{"--version", "-version", "--help", "-help", "-h"}

// ownProgram reads whether one of them is started by hand: they believe what they are
// told of who is calling.
func (r *reader) ownProgram(name string, c shell.Command) {
	if !slices.Contains(programs, name) || len(c.Args) == 2 && slices.Contains(asksProgram, c.Args[1].Text) {
		return
	}
	r.reach.Changes = append(r.reach.Changes, Change{
		Part: partOf(c), Why: name + " is started by agents' hosts: it takes their word for who is calling.",
		Instead: "Use the tools of idumb, or its commands: `idumb next` says what is ready.",
	})
}

// looksUp reports whether a line asks where one of iDumb's programs is installed.
func looksUp(l shell.Line) bool {
	return slices.ContainsFunc(l.Commands, func(c shell.Command) bool {
		if len(c.Words) == 0 || !slices.Contains([]string{"which", "whereis", "type", "command", "whence", "realpath", "readlink"}, commandName(c.Words[0])) {
			return false
		}
		return slices.ContainsFunc(c.Args[1:], func(w shell.Word) bool { return strings.HasPrefix(commandName(w.Text), "idumb") })
	})
}

// lookedUp adds a change where a command touches a file that is not known, in a line
// that looks for iDumb's programs.
func (r *reader) lookedUp(t Touch) {
	if t.Word.Literal || t.Word.Home || t.Word.Pattern != "" || !looksUp(r.all) {
		return
	}
	r.reach.Changes = append(r.reach.Changes, Change{Part: t.By, Why: ownProgramWhy})
}

package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Change is a part of a line that changes how agents are governed, other than by a file.
type Change struct {
	Part    string // the command, as a message shows it
	Why     string // a sentence
	Instead string // one step that works as printed; "" for leaving it to the person
}

// Changes are what in a command line changes how agents are governed, files aside.
// interactive says that the host lets its agent type into what the line starts, and asks no
// gate about that.
func Changes(line command.Reading, interactive bool) []Change {
	var all []Change
	for _, s := range line.Sets {
		if why := governs(s); why != "" {
			all = append(all, Change{Part: s.By, Why: why})
		}
	}
	for _, r := range line.Runs {
		name := r.Name()
		switch {
		case slices.Contains(killers[:], name) && namesIdumb(r, line.Runs):
			all = append(all, Ending(r.Part))
		case slices.Contains(programs[:], name):
			all = append(all, ownProgram(r)...)
		case interactive && isConsole(r, line.Sets):
			all = append(all, Change{
				Part: r.Part, Why: "It reads commands from its terminal or offers a shell, and this host asks no gate about what is typed into it.",
				Instead: insteadOfConsole(r),
			})
		}
		all = append(all, otherAgents(r)...)
		all = append(all, personsDoor(r)...)
	}
	for _, name := range line.Inputs {
		if isKey(name) {
			all = append(all, Change{Part: "< " + name, Why: keyWhy, Instead: keyInstead})
		}
	}
	return append(all, lookedUp(line)...)
}

// settingsHomes are the variables that name the folder in which an agent's host looks for the user's settings.
var settingsHomes = [...]string{"CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"}

// governs says why something that a line sets changes how agents are governed, or "": it
// switches governance off for the agents that are started under it, lets a stranger's
// settings count, or says which hooks run.
func governs(s command.Setting) string {
	switch {
	case s.Name == TrustVariable:
		return TrustVariable + " says which repositories' settings count; only the user sets it, for the host that starts them."
	case s.Name == EnforceVariable && Mode(s.Value, "") != ModeEnforce:
		return EnforceVariable + " says how agents are governed; only the user sets it, for the host that starts them."
	case s.Name == command.GitHooks:
		return "It decides which of git's hooks run."
	case slices.Contains(settingsHomes[:], s.Name):
		return s.Name + " names the folder of an agent's settings, which decide which hooks it runs."
	}
	return ""
}

// killers end processes.
var killers = [...]string{"kill", "pkill", "killall", "skill", "taskkill"}

// lookers are what a line finds a process with that it then ends.
var lookers = [...]string{"pgrep", "pidof", "ps", "grep", "cat", "lsof", "fuser", "head"}

// namesIdumb reports whether it is iDumb's own process that a command would end, as far as
// names tell.
func namesIdumb(kill command.Run, runs []command.Run) bool {
	named := kill.Text()
	for _, r := range runs {
		if slices.Contains(lookers[:], r.Name()) {
			named += " " + r.Text()
		}
	}
	return strings.Contains(strings.ToLower(named), "idumb")
}

// Ends are the ids of processes that a line would end.
func Ends(line command.Reading) []string {
	var ids []string
	for _, r := range line.Runs {
		if slices.Contains(killers[:], r.Name()) {
			for _, w := range r.Operands("-s -n --signal") {
				ids = append(ids, w.Text)
			}
		}
	}
	return ids
}

// Ending is the change that ending iDumb's controller is.
func Ending(part string) Change {
	return Change{Part: part, Why: "It would end a process of iDumb: the controller keeps plans and tasks true."}
}

// promptOptions are options of shells and interpreters with which they still wait for
// what is typed.
var promptOptions = [...]string{"-i", "-l", "-il", "-li", "--login", "--interactive", "--norc", "--noprofile", "-s", "-q", "-u", "-"}

// waits reports whether a shell or interpreter is started to be typed into.
func waits(r command.Run) bool {
	if r.Name() == "php" { // its -i prints
		return len(r.Args) == 1 && !r.Reads
	}
	return r.Interprets() && !r.Reads && !slices.ContainsFunc(r.Args[1:], func(w command.Word) bool { return !slices.Contains(promptOptions[:], w.Text) })
}

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
	{"claude", "--settings --setting-sources --bare --safe-mode", "config set,config add,config remove,config unset,mcp remove idumb,mcp add idumb,mcp add-json idumb"},
	{"codex", "--disable=hooks -c=hooks --config=hooks", "mcp remove idumb,mcp add idumb,features disable hooks"},
	{"opencode", "--pure", "mcp remove idumb,mcp add idumb"},
	{"copilot", "--disable-mcp-server=idumb", "config disableAllHooks,plugin disable idumb,plugin uninstall idumb,mcp remove idumb,mcp disable idumb,mcp add idumb"},
	{"gemini", "-e=none --extensions=none", "extensions disable idumb,extensions uninstall idumb,extension disable idumb,extension uninstall idumb,mcp remove idumb,mcp disable idumb,mcp add idumb"},
	{"qwen", "--bare --safe-mode -e=none --extensions=none", "extensions disable idumb,extensions uninstall idumb,mcp remove idumb,mcp reject idumb,mcp add idumb"},
}

// otherAgents reads whether an agent is started that nothing would hold.
func otherAgents(r command.Run) []Change {
	for _, row := range ungated {
		if row.name == r.Name() && (row.startsUngated(r) || row.changesHooks(r)) {
			return []Change{{
				Part: r.Part, Why: "An agent that is started so is not held to the plan by hooks, or has others from then on.",
				Instead: "Start " + row.name + " without that, or hand the work to a subagent.",
			}}
		}
	}
	return nil
}

func (row *ungatedRow) startsUngated(r command.Run) bool {
	for option := range strings.FieldsSeq(row.options) {
		flag, wanted, valued := strings.Cut(option, "=")
		holds := func(value string) bool { return strings.Contains(value, wanted) }
		given := func(w command.Word) bool { return w.Text == flag || strings.HasPrefix(w.Text, flag+"=") }
		if valued && slices.ContainsFunc(r.Values(flag), holds) || !valued && slices.ContainsFunc(r.Args[1:], given) {
			return true
		}
	}
	return false
}

func (row *ungatedRow) changesHooks(r command.Run) bool {
	words := r.Operands("")
	isVerb := func(w command.Word, verb string) bool { return w.Text == verb }
	return slices.ContainsFunc(strings.Split(row.verbs, ","), func(verb string) bool {
		want := strings.Fields(verb)
		return len(words) >= len(want) && slices.EqualFunc(words[:len(want)], want, isVerb)
	})
}

// programs are iDumb's own programs that agents' hosts start.
var programs = [...]string{"idumb-hook", "idumb-mcp"}

// asksProgram are the options with which such a program only says what it is.
var asksProgram = [...]string{"--version", "-version", "--help", "-help", "-h"}

// ownProgram reads whether one of them is started by hand: they believe what they are
// told of who is calling.
func ownProgram(r command.Run) []Change {
	if len(r.Args) == 2 && slices.Contains(asksProgram[:], r.Args[1].Text) {
		return nil
	}
	return []Change{{
		Part: r.Part, Why: r.Name() + " is started by agents' hosts: it takes their word for who is calling.",
		Instead: "Use the tools of idumb, or its commands: `idumb next` says what is ready.",
	}}
}

// finders ask where a program is installed.
var finders = [...]string{"which", "whereis", "type", "command", "whence", "realpath", "readlink"}

// lookedUp are the commands that touch a file which is not known, or a program of iDumb's,
// in a line that looks for one.
func lookedUp(line command.Reading) []Change {
	if !slices.ContainsFunc(line.Runs, looksUp) {
		return nil
	}
	var all []Change
	for _, f := range line.Files {
		if !f.Word.Literal && f.Word.Pattern == "" && f.Patch == "" || f.Word.Literal && strings.HasPrefix(f.Word.Text, "/usr/bin/idumb") {
			all = append(all, Change{Part: f.By, Why: ownProgramWhy})
		}
	}
	return all
}

// looksUp reports whether a command asks where one of iDumb's programs is installed.
func looksUp(r command.Run) bool {
	return slices.Contains(finders[:], r.Name()) && slices.ContainsFunc(r.Args[1:], func(w command.Word) bool { return strings.HasPrefix(path.Base(w.Text), "idumb") })
}

// shellGate: what a command line would do that cannot be taken back, and the same of files
// that a tool writes outside the repository. What a person may decide is asked only if no
// other rule denies the call.
func shellGate(e *evaluation) *Reason {
	v := e.call.Gate
	if v == nil || v.Verdict == command.Allow {
		return nil
	}
	r := &Reason{
		Rule:       "shell-gate",
		What:       "You tried to run " + quote(v.Part) + ", which " + shortWhy(v.Why) + ".",
		Why:        []string{"The rule " + quote(v.Rule) + " of the shell gate denies it, however it is spelt."},
		UseInstead: v.UseInstead,
		Evidence:   []string{"part of the command = " + quote(v.Part), "rule = " + v.Rule + "; `idumb auth check-command -- COMMAND` says what the gate makes of a command"},
	}
	if e.call.Action == Write {
		r.What = tried(e.call) + ", which " + shortWhy(v.Why) + "."
		r.Evidence = []string{"path, links resolved = " + v.Part, "rule = " + v.Rule}
	}
	if e.call.Action == Shell && !e.planless() && roleShell(e) != nil { // nor would it run what is safe in its place
		r.UseInstead = "Leave it: that is not for the role " + quote(e.caller().roleName) + ". " + e.askFor("it done")
	}
	if v.Verdict == command.Deny {
		return r
	}
	r.Why = []string{"The rule " + quote(v.Rule) + " of the shell gate leaves it to a user; where nobody can be asked, it is denied."}
	e.asks = r
	return nil
}

// shortWhy is a reason as the end of a sentence.
func shortWhy(why string) string { return strings.TrimRight(why, ".") }

package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Change is a part of a command line that changes the governance of agents without writing
// a file.
type Change struct {
	Part    string // text of the command for messages
	Why     string // a sentence
	Instead string // one working step; empty if only a person can do it
}

// Changes returns the parts of a command line that change the governance of agents without
// writing a file. interactive means that the host lets its agent type into started programs
// without asking the gate.
func Changes(line command.Reading, interactive bool) []Change {
	var all []Change
	for _, s := range line.Sets {
		if why := governs(s); why != "" {
			all = append(all, Change{Part: s.By, Why: why})
		}
	}
	for _, r := range line.Runs {
		switch name := r.Name(); {
		case slices.Contains(killers[:], name) && namesIdumb(r, line.Runs):
			all = append(all, Ending(r.Part))
		case slices.Contains(programs[:], name):
			all = append(all, ownProgram(r)...)
		case interactive && isConsole(r, line.Sets):
			all = append(all, Change{
				Part: r.Part, Why: "It reads commands from its terminal, and this host does not check text that is typed there.",
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

// settingsHomes lists environment variables for the settings folder of an agent host.
var settingsHomes = [...]string{"CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"}

// governs returns the reason why a setting changes the governance of agents, or "". Such
// settings disable it for started agents, enable untrusted settings, or select the hooks to
// run.
func governs(s command.Setting) string {
	switch {
	case s.Name == TrustVariable:
		return TrustVariable + " decides which repositories are trusted; only the user sets it, for the host that starts the agents."
	case s.Name == EnforceVariable && Mode(s.Value, "") != ModeEnforce:
		return EnforceVariable + " decides how agents are governed; only the user sets it, for the host that starts the agents."
	case s.Name == command.GitHooks:
		return "It decides which git hooks run."
	case slices.Contains(settingsHomes[:], s.Name):
		return s.Name + " names the folder of an agent's settings, which decide which hooks it runs."
	}
	return ""
}

// killers lists commands that end processes.
var killers = [...]string{"kill", "pkill", "killall", "skill", "taskkill"}

// lookers lists commands that find the process to end.
var lookers = [...]string{"pgrep", "pidof", "ps", "grep", "cat", "lsof", "fuser", "head"}

// namesIdumb reports whether the words of a command show that it would end a process of
// iDumb.
func namesIdumb(kill command.Run, runs []command.Run) bool {
	named := kill.Text()
	for _, r := range runs {
		if slices.Contains(lookers[:], r.Name()) {
			named += " " + r.Text()
		}
	}
	return strings.Contains(strings.ToLower(named), "idumb")
}

// Ends returns the ids of processes that a command line would end.
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

// Ending returns the change for ending the controller.
func Ending(part string) Change {
	return Change{Part: part, Why: "It would end a process of iDumb: the controller updates plans and tasks."}
}

// promptOptions lists options of shells and interpreters that do not prevent an interactive
// prompt.
var promptOptions = [...]string{"-i", "-l", "-il", "-li", "--login", "--interactive", "--norc", "--noprofile", "-s", "-q", "-u", "-"}

// waits reports whether a shell or interpreter is started interactively.
func waits(r command.Run) bool {
	if r.Name() == "php" { // -i prints information
		return len(r.Args) == 1 && !r.Reads
	}
	return r.Interprets() && !r.Reads && !slices.ContainsFunc(r.Args[1:], func(w command.Word) bool { return !slices.Contains(promptOptions[:], w.Text) })
}

// ungatedRow describes how a program can run an agent without its hooks.
type ungatedRow struct {
	name    string
	options string
	verbs   string // first words of the program, alternatives separated by commas
}

// ungated is the table of programs, with their options or first words, that start another
// agent without its hooks or change its hooks. After a trailing "=", the value must contain
// the rest.
var ungated = [...]ungatedRow{
	{"claude", "--settings --setting-sources --bare --safe-mode", "config set,config add,config remove,config unset,mcp remove idumb,mcp add idumb,mcp add-json idumb"},
	{"codex", "--disable=hooks -c=hooks --config=hooks", "mcp remove idumb,mcp add idumb,features disable hooks"},
	{"opencode", "--pure", "mcp remove idumb,mcp add idumb"},
	{"copilot", "--disable-mcp-server=idumb", "config disableAllHooks,plugin disable idumb,plugin uninstall idumb,mcp remove idumb,mcp disable idumb,mcp add idumb"},
	{"gemini", "-e=none --extensions=none", "extensions disable idumb,extensions uninstall idumb,extension disable idumb,extension uninstall idumb,mcp remove idumb,mcp disable idumb,mcp add idumb"},
	{"qwen", "--bare --safe-mode -e=none --extensions=none", "extensions disable idumb,extensions uninstall idumb,mcp remove idumb,mcp reject idumb,mcp add idumb"},
}

// otherAgents returns the changes from starting agents without hooks.
func otherAgents(r command.Run) []Change {
	for _, row := range ungated {
		if row.name == r.Name() && (row.startsUngated(r) || row.changesHooks(r)) {
			return []Change{{
				Part: r.Part, Why: "An agent that is started like this runs without the governance hooks, or with other hooks.",
				Instead: "Start " + row.name + " without these options, or hand the work to a subagent.",
			}}
		}
	}
	return nil
}

// startsUngated reports whether a command has one of the row's options, which start an agent
// without its hooks.
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

// changesHooks reports whether a command starts with one of the row's verbs, which change the hooks
// or extensions of an agent.
func (row *ungatedRow) changesHooks(r command.Run) bool {
	words := r.Operands("")
	isVerb := func(w command.Word, verb string) bool { return w.Text == verb }
	return slices.ContainsFunc(strings.Split(row.verbs, ","), func(verb string) bool {
		want := strings.Fields(verb)
		return len(words) >= len(want) && slices.EqualFunc(words[:len(want)], want, isVerb)
	})
}

// programs lists the iDumb programs that agent hosts start.
var programs = [...]string{"idumb-hook", "idumb-mcp"}

// asksProgram lists options with which these programs only print information.
var asksProgram = [...]string{"--version", "-version", "--help", "-help", "-h"}

// ownProgram returns the changes from starting a program in programs by hand. These programs trust
// the caller's statement of its identity.
func ownProgram(r command.Run) []Change {
	if len(r.Args) == 2 && slices.Contains(asksProgram[:], r.Args[1].Text) {
		return nil
	}
	return []Change{{
		Part: r.Part, Why: r.Name() + " is started only by agent hosts: it trusts them to name the caller.",
		Instead: "Use the tools of idumb, or its commands: `idumb next` lists ready tasks.",
	}}
}

// finders lists commands that print where a program is installed.
var finders = [...]string{"which", "whereis", "type", "command", "whence", "realpath", "readlink"}

// lookedUp returns the commands that affect an unknown file or an iDumb program, in a line
// that looks up such a program.
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

// looksUp reports whether a command looks up an iDumb program.
func looksUp(r command.Run) bool {
	return slices.Contains(finders[:], r.Name()) && slices.ContainsFunc(r.Args[1:], func(w command.Word) bool { return strings.HasPrefix(path.Base(w.Text), "idumb") })
}

// shellGate checks command lines with irreversible effects, and files that tools write
// outside the repository. Approval is only requested if no other rule denies the call.
func shellGate(e *evaluation) *Reason {
	v := e.call.Gate
	if v == nil || v.Verdict == command.Allow {
		return nil
	}
	r := &Reason{
		Rule:       "shell-gate",
		What:       "You tried to run " + quote(v.Part) + ", which " + shortWhy(v.Why) + ".",
		Why:        []string{"The rule " + quote(v.Rule) + " of the shell gate denies it in any spelling."},
		UseInstead: v.UseInstead,
		Evidence:   []string{"part of the command = " + quote(v.Part), "rule = " + v.Rule + "; `idumb auth check-command -- COMMAND` prints the gate's verdict on a command"},
	}
	if e.call.Action == Write {
		r.What = triedText(e.call) + ", which " + shortWhy(v.Why) + "."
		r.Evidence = []string{"path, links resolved = " + v.Part, "rule = " + v.Rule}
	}
	if e.call.Action == Shell && !e.planless() && roleShell(e) != nil { // the role may not run the alternative either
		r.UseInstead = "Leave it: that is not for the role " + quote(e.caller().roleName) + ". " + e.askFor("it done")
	}
	if v.Verdict == command.Deny {
		if strings.Contains(r.UseInstead, "`") { // it names a command
			r.UseInstead = e.afterFirstTool(r.UseInstead)
		}
		return r
	}
	r.Why = []string{"The rule " + quote(v.Rule) + " of the shell gate leaves it to a user; if no user can answer, it is denied."}
	e.asks = r
	return nil
}

// shortWhy formats a reason as the end of a sentence.
func shortWhy(why string) string { return strings.TrimRight(why, ".") }

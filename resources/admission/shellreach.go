package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// Reach is what a command line does besides writing where it redirects to, as far
// as that can be read out of it.
type Reach struct {
	Touches []Touch
	Changes []Change
	// Commands are all commands of the line: those that other commands run (sudo,
	// xargs, sh -c, find -exec) stand behind them.
	Commands []shell.Command
	Ends     []string // ids of processes that are ended
	Prompts  []Change // commands that take further commands from whoever types into them
	TooLong  bool     // there is more of it than is read
}

// maxCommands is how many commands of a line are read, those within others included.
const maxCommands = 2000

// Touch is a file that a command writes, moves or removes.
type Touch struct {
	Word       shell.Word
	Into       []string // Word is a file, or the folder in which files of these names are written
	Dir        string   // where a relative Word stands, from the line's own folder
	DirUnknown bool
	Tree       bool // everything below it is touched as well
	// Unsure says that the command may only look at the file: it counts if governance
	// cares for the file, and is no write otherwise.
	Unsure bool
	Patch  string // in place of Word: a patch of apply_patch, whose files are written
	By     string // the command, as a message shows it
}

// Change is a part of a line that changes how agents are governed, other than by a file.
type Change struct {
	Part    string // the command, as a message shows it
	Why     string // a sentence
	Instead string // one step that works as printed; "" for leaving it to the person
}

// maxNested is how deep commands within commands are followed.
const maxNested = 8

// ReachOf reads what a command line reaches.
func ReachOf(line shell.Line) Reach {
	r := &reader{all: line}
	for _, w := range line.Writes {
		if w.Unknown {
			r.redirected(w, shell.Command{DirUnknown: true}, "> "+w.Path)
		}
	}
	r.line(line, "", false)
	return r.reach
}

// reader goes through a line and the scripts in it.
type reader struct {
	reach   Reach
	all     shell.Line // the line that is being read, for what a pipe brings
	depth   int
	scripts int
}

// maxScripts is how many scripts within a line are read.
const maxScripts = 100

// line reads a line that runs in dir.
func (r *reader) line(l shell.Line, dir string, unknown bool) {
	outer := r.all
	r.all = l
	defer func() { r.all = outer }()
	for _, text := range l.Assigns {
		r.assigned(text, text)
	}
	for _, w := range l.Unknown {
		t := Touch{Word: w, Dir: dir, DirUnknown: unknown, Unsure: !w.Literal, By: "> " + shown(w)}
		r.lookedUp(t)
		r.reach.Touches = append(r.reach.Touches, t)
	}
	for _, c := range l.Commands {
		c.Dir, c.DirUnknown = within(dir, c.Dir), unknown || c.DirUnknown
		r.command(c)
	}
}

// script reads a text that a shell would run.
func (r *reader) script(text string, c shell.Command) {
	if r.reach.TooLong = r.reach.TooLong || r.scripts >= maxScripts; r.reach.TooLong {
		return
	}
	r.scripts++
	if r.depth++; r.depth <= maxNested {
		l, _ := shell.Parse(text)
		for _, w := range l.Writes {
			r.redirected(w, c, partOf(c))
		}
		r.line(l, c.Dir, c.DirUnknown)
	}
	r.depth--
}

// redirected adds a file that a redirection writes, of a line that runs where c does.
func (r *reader) redirected(w shell.Target, c shell.Command, part string) {
	r.reach.Touches = append(r.reach.Touches, Touch{
		Word: shell.Word{Text: w.Path, Literal: true, Home: w.Home},
		Dir:  within(c.Dir, w.Dir), DirUnknown: c.DirUnknown || w.Unknown, By: part,
	})
}

// within is a folder of a nested script, from where the outer line stands.
func within(dir, next string) string {
	switch {
	case dir == "" || path.IsAbs(next):
		return next
	case next == "":
		return dir
	}
	return dir + "/" + next
}

// command reads one command, and the command that it runs, if it does.
func (r *reader) command(c shell.Command) {
	if len(c.Args) == 0 || r.reach.TooLong {
		return
	}
	if r.reach.TooLong = len(r.reach.Commands) >= maxCommands || len(r.reach.Touches) >= maxCommands; r.reach.TooLong {
		return
	}
	if words := literals(c.Args); len(words) > len(c.Words) {
		c.Words = words
	}
	r.reach.Commands = append(r.reach.Commands, c)
	if !c.Args[0].Literal {
		return
	}
	name := commandName(c.Args[0].Text)
	if inner, found := r.wrapped(name, c); found {
		if r.depth++; r.depth <= maxNested {
			r.command(inner)
			if name == "xargs" {
				r.fed(inner)
			}
		}
		r.depth--
		return
	}
	switch {
	case slices.Contains(shells, name):
		r.shell(c)
	case name == "eval":
		r.script(textOf(c.Args[1:]), c)
	case slices.Contains(exporters, name):
		for _, w := range c.Args[1:] {
			r.assigned(w.Text, partOf(c))
		}
	case slices.Contains(killers, name):
		r.kill(c)
	default:
		r.ownProgram(name, c)
		r.otherAgents(name, c)
		r.writer(name, c)
	}
}

// shells run a text as a script.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"}

// shell reads what a shell is told to run: behind -c, in a here-document, or by an
// echo in front of the pipe.
func (r *reader) shell(c shell.Command) {
	for i, w := range c.Args[1:] {
		if isOption(w.Text) && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "c") && i+2 < len(c.Args) {
			r.script(c.Args[i+2].Text, c)
			return
		}
	}
	if c.Input != "" {
		r.script(c.Input, c)
	}
	if !c.Filter {
		r.prompt(c)
		return
	}
	for _, said := range r.all.Commands {
		if len(said.Words) > 0 && (said.Words[0] == "echo" || said.Words[0] == "printf") {
			r.script(strings.ReplaceAll(textOf(said.Args[1:]), `\n`, "\n"), c)
		}
		if len(said.Words) > 0 && said.Words[0] == "cat" && said.Input != "" {
			r.script(said.Input, c)
		}
	}
}

// promptOptions are options of shells and interpreters with which they still wait for
// what is typed.
var promptOptions = []string{"-i", "-l", "-il", "-li", "--login", "--interactive", "--norc", "--noprofile", "-s", "-q", "-u", "-"}

// prompt reads whether a shell or interpreter is started to be typed into.
func (r *reader) prompt(c shell.Command) {
	if c.Filter || c.Reads || slices.ContainsFunc(c.Args[1:], func(w shell.Word) bool { return !slices.Contains(promptOptions, w.Text) }) {
		return
	}
	r.reach.Prompts = append(r.reach.Prompts, Change{
		Part: partOf(c), Why: "It waits for further commands, and this host asks no gate about what is typed into it.",
		Instead: "Run each command by itself, without " + commandName(c.Args[0].Text) + " around it.",
	})
}

// wrappers run the command behind them. What stands before it are options, the
// values of those listed, assignments, and as many operands as stated.
var wrappers = [...]struct {
	name     string
	takes    string // options with a value
	operands int
}{
	{"sudo", "-u -g -h -p -C -r -t -U -D", 0}, {"doas", "-u -C", 0},
	{"env", "-u -C -S --unset --chdir", 0}, {"nohup", "", 0}, {"setsid", "", 0}, {"nice", "-n", 0}, {"ionice", "-c -n -p", 0},
	{"timeout", "-s -k --signal --kill-after", 1}, {"time", "-f -o", 0}, {"stdbuf", "-i -o -e", 0}, {"command", "", 0}, {"builtin", "", 0}, {"exec", "-a", 0},
	{"busybox", "", 0}, {"xargs", "-I -i -n -P -L -d -E -s -a --max-args --max-procs --delimiter --replace", 0}, {"watch", "-n --interval", 0},
	{"flock", "-w -E", 1}, {"chroot", "--userspec", 1}, {"unshare", "", 0}, {"script", "-c", 1},
}

// wrapped returns the command that another one runs.
func (r *reader) wrapped(name string, c shell.Command) (shell.Command, bool) {
	for _, row := range wrappers {
		if row.name != name || name == "command" && len(c.Args) > 1 && isOption(c.Args[1].Text) && strings.ContainsAny(c.Args[1].Text, "vV") { // which only asks
			continue
		}
		rest := c.Args[1:]
		for operands := row.operands; len(rest) > 0; rest = rest[1:] {
			w := rest[0].Text
			switch {
			case strings.Contains(w, "=") && !isOption(w) && name == "env":
				r.assigned(w, partOf(c))
			case isOption(w):
				if slices.Contains(strings.Fields(row.takes), w) && len(rest) > 1 {
					rest = rest[1:]
				}
			case operands > 0:
				operands--
			default:
				inner := c
				inner.Args = rest
				inner.Words = literals(rest)
				return inner, true
			}
		}
		return shell.Command{}, false
	}
	return shell.Command{}, false
}

// literals are the words up to the first that is not literal.
func literals(args []shell.Word) []string {
	var words []string
	for _, w := range args {
		if !w.Literal {
			break
		}
		words = append(words, w.Text)
	}
	return words
}

// exporters set variables for the commands that come.
var exporters = []string{"export", "declare", "typeset", "readonly", "setenv"}

// assigned reads an assignment; the variables that count switch governance off for the
// agents that are started under them, or let a stranger's settings count.
func (r *reader) assigned(text, part string) {
	name, value, found := strings.Cut(text, "=")
	if !found {
		return
	}
	if name == TrustVariable {
		r.reach.Changes = append(r.reach.Changes, Change{
			Part: part, Why: TrustVariable + " says which repositories' settings count; only the person sets it, for the host that starts them.",
		})
	}
	if name == EnforceVariable && Mode(value, "") != ModeEnforce {
		r.reach.Changes = append(r.reach.Changes, Change{
			Part: part, Why: EnforceVariable + " says how agents are governed; only the person sets it, for the host that starts them.",
		})
	}
}

// killers end processes.
var killers = []string{"kill", "pkill", "killall", "skill", "taskkill"}

// lookers are what a line finds a process with that it then ends.
var lookers = []string{"pgrep", "pidof", "ps", "grep", "cat", "lsof", "fuser", "head"}

// kill reads whether it is iDumb's own process that would be ended.
func (r *reader) kill(c shell.Command) {
	for _, w := range plain(c.Args[1:], "-s -n --signal") {
		r.reach.Ends = append(r.reach.Ends, w.Text)
	}
	named := textOf(c.Args[1:])
	for _, other := range r.all.Commands {
		if len(other.Words) > 0 && slices.Contains(lookers, commandName(other.Words[0])) {
			named += " " + textOf(other.Args[1:])
		}
	}
	if strings.Contains(strings.ToLower(named), "idumb") {
		r.reach.Changes = append(r.reach.Changes, Ending(partOf(c)))
	}
}

// Ending is the change that ending iDumb's controller is.
func Ending(part string) Change {
	return Change{Part: part, Why: "It would end a process of iDumb: the controller keeps plans and tasks true."}
}

// commandName is what a command is called, wherever it is installed.
func commandName(word string) string { return strings.TrimSuffix(path.Base(word), ".exe") }

func isOption(w string) bool { return len(w) > 1 && w[0] == '-' }

// textOf joins words.
func textOf(words []shell.Word) string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, " ")
}

// maxPart is how much of a command a message shows, in bytes.
const maxPart = 80

// partOf shows a command in a message.
func partOf(c shell.Command) string {
	var words []string
	for _, w := range c.Args {
		words = append(words, shown(w))
	}
	text := Plain(strings.Join(words, " "))
	if len(text) > maxPart {
		text = strings.ToValidUTF8(text[:maxPart-3], "") + "..."
	}
	return text
}

// shown is a word as far as it is known.
func shown(w shell.Word) string {
	text := w.Text
	switch {
	case w.Literal:
	case w.Pattern != "":
		text = w.Pattern
	default:
		text = "..." + text
	}
	if w.Home {
		text = "~/" + text
	}
	return text
}

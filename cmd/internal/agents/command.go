package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Command is how an agent's host starts one of our programs: the program and its arguments.
type Command struct {
	Program string
	Args    []string
}

// Commands are the programs that a host's files name.
type Commands struct {
	Hook Command // answers events
	MCP  Command // serves our tools
}

// Words are the program and its arguments.
func (c Command) Words() []string { return append([]string{c.Program}, c.Args...) }

// Line is the command for hosts that hand it to a shell.
func (c Command) Line() string {
	words := c.Words()
	words[0] = filepath.ToSlash(words[0]) // shells take a backslash for a quote
	if strings.ContainsAny(words[0], " \t'\"$&();<>|`*?[]#~!") {
		words[0] = shellQuoted(words[0])
	}
	return strings.Join(words, " ")
}

// shellQuoted is a word as a shell reads it whole.
func shellQuoted(word string) string {
	if strings.Contains(word, `'`) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(word) + `"`
	}
	return `'` + word + `'`
}

// Find returns the path of the program on this machine; "" if it is not there.
func (c Command) Find() string {
	if filepath.IsAbs(c.Program) {
		if isFile(c.Program) {
			return c.Program
		}
		return ""
	}
	found, err := exec.LookPath(c.Program)
	if err != nil || !filepath.IsAbs(found) {
		return ""
	}
	return found
}

// FindCommands returns the best way to start our programs for a host on this
// machine. A bare name comes first, so that settings that a team shares hold no
// path of one machine: the program in PATH; then beside the running one. The hook
// may be idumb itself, which answers the same and starts a little slower; for the
// tools there is nothing else, and doctor says so.
func FindCommands(host string) Commands {
	c := Commands{MCP: Command{Program: "idumb-mcp"}}
	if place, found := locate("idumb-mcp"); found {
		c.MCP.Program = place
	}
	if place, found := locate("idumb-hook"); found {
		c.Hook = Command{place, []string{host}}
		return c
	}
	self, err := os.Executable()
	if err != nil || inPath("idumb") {
		self = "idumb"
	}
	c.Hook = Command{self, []string{"hook", host}}
	return c
}

// locate finds one of our programs: its bare name if that starts it, or its path
// beside the running program.
func locate(program string) (place string, found bool) {
	if inPath(program) {
		return program, true
	}
	self, err := os.Executable()
	if err != nil {
		return "", false
	}
	beside := filepath.Join(filepath.Dir(self), programName(program))
	return beside, isFile(beside)
}

// inPath reports whether a bare name starts a program, from any folder: a match
// in the current folder does not count.
func inPath(program string) bool { return Command{Program: program}.Find() != "" }

func programName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// watch says what is told where our hook gives no answer. Hosts take a hook that is
// gone, fails or hangs for one that has nothing to say, and go on: the gate is open,
// and nobody would know. Watched are the events that come once a session or a turn, so
// that no tool call waits for another process than our own.
type watch struct {
	say  string // text for the host's form of an answer; no single quote stands in it
	gone bool   // also where the hook is not on this machine: told once, at the start
}

// What the agent, or the person, is told.
const (
	goneText   = "iDumb: governance is off in this session, because idumb-hook was not found or failed. Go on, and tell the person."
	silentText = "iDumb: governance did not answer: idumb-hook is there and hangs or fails, so nobody judged the last tool calls. Stop writing and tell the person to run `idumb doctor`."
	silentStop = `{"systemMessage":"iDumb: governance did not answer in this turn: idumb-hook hangs or fails, and nobody judged the tool calls. Run idumb doctor."}`
)

// patienceSeconds is how long a watched hook may take: more than twice its own deadline,
// less than what hosts wait.
const patienceSeconds = "5"

// Around the hook in the line that watches it. A shell gives what it runs in the
// background no input of its own, hence the third file.
const (
	watchBegins = "{ "
	watchEnds   = " <&3 3<&- & "
)

// over returns a line that runs another one, kills it after patienceSeconds and says something in
// its place if it fails. The line works in every shell. Its first word is a word of the shell's
// and no program: a host that starts the first word alone starts nothing.
func (w watch) over(hook string) string {
	unless := ""
	if !w.gone {
		unless = "[ $? -eq 127 ] || " // not found: that was said at the start
	}
	line := watchBegins + hook + watchEnds + "p=$!; (sleep " + patienceSeconds + "; kill -9 $p) </dev/null >/dev/null 2>&1 3<&- & w=$!; " +
		"wait $p 2>/dev/null || " + unless + "echo '" + w.say + "'; kill $w 2>/dev/null || :; } 3<&0"
	return "exec sh -c '" + strings.ReplaceAll(line, "'", `'\''`) + "'"
}

// watchedLine takes the hook's own line out of one that watches it.
func watchedLine(line string) (hook string, watched bool) {
	_, rest, begins := strings.Cut(line, watchBegins)
	hook, _, ends := strings.Cut(rest, watchEnds)
	return strings.ReplaceAll(hook, `'\''`, "'"), begins && ends
}

package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Command is the command line that starts one of iDumb's programs.
type Command struct {
	Program string
	Args    []string
}

// Commands are the programs in a host's files.
type Commands struct {
	Hook Command // answers hook events
	MCP  Command // serves the tools
}

// Words returns the program and its arguments.
func (c Command) Words() []string { return append([]string{c.Program}, c.Args...) }

// Line returns the command as a line for a shell.
func (c Command) Line() string {
	words := c.Words()
	words[0] = filepath.ToSlash(words[0]) // shells interpret a backslash as a quote
	if strings.ContainsAny(words[0], " \t'\"$&();<>|`*?[]#~!") {
		words[0] = shellQuoted(words[0])
	}
	return strings.Join(words, " ")
}

// shellQuoted quotes a word for a shell.
func shellQuoted(word string) string {
	if strings.Contains(word, `'`) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(word) + `"`
	}
	return `'` + word + `'`
}

// Find returns the path of the program on this machine, empty if it does not exist.
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

// FindCommands returns the preferred commands of iDumb's programs for a host on this machine. It
// prefers a name in PATH, so that shared settings contain no path of one machine, then a program in
// the directory of the running one. The hook may be idumb itself, which gives the same answers and
// starts a little slower. The tools need idumb-mcp; doctor reports if it is missing.
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

// locate returns the name of one of iDumb's programs if it is in PATH, otherwise its path in the
// directory of the running program.
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

// inPath reports whether a program is in PATH. A match in the current directory does not count.
func inPath(program string) bool { return Command{Program: program}.Find() != "" }

// programName returns the file name of a program on this system.
func programName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// isFile reports whether path is a regular file or a link to one.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// watch is the message for a hook that gives no answer. A host treats a missing, failing or hanging
// hook like one without objections and continues: the gate is open without notice. Only events that
// come once a session or a turn are watched, so that no tool call waits for a further process.
type watch struct {
	message     string // text in the host's form of an answer, without single quotes
	alsoMissing bool   // also if the hook is missing on this machine; used once, at the start
}

// Messages for the agent or the user.
const (
	missingText = "iDumb: governance is off in this session, because idumb-hook was not found or failed. Continue, and tell the user."
	silentText  = "iDumb: governance did not answer: idumb-hook hangs or fails, so the last tool calls were not checked. Stop writing and ask the user to run `idumb doctor`."
	silentStop  = `{"systemMessage":"iDumb: governance did not answer in this turn: idumb-hook hangs or fails, so the tool calls were not checked. Run idumb doctor."}`
)

// contextJSON returns a message in the form in which Copilot and, in event, Gemini CLI accept context.
func contextJSON(event, message string) string {
	if event != "" {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `","additionalContext":"` + message + `"}}`
	}
	return `{"additionalContext":"` + message + `"}`
}

// watchTimeoutSeconds is the timeout of a watched hook: more than twice its internal deadline, and less
// than the host's timeout.
const watchTimeoutSeconds = "5"

// Parts of the watching line before and after the hook. A shell gives background processes no
// standard input, so the hook reads file descriptor 3.
const (
	watchBegins = "{ "
	watchEnds   = " <&3 3<&- & "
)

// wrap returns a line that runs another line, kills it after watchTimeoutSeconds and prints a message
// if it fails. The line works in every shell. Its first word is a shell builtin and not a program:
// a host that starts only the first word starts nothing.
func (w watch) wrap(hook string) string {
	unless := ""
	if !w.alsoMissing {
		unless = "[ $? -eq 127 ] || " // not found: reported at the start of the session
	}
	line := watchBegins + hook + watchEnds + "p=$!; (sleep " + watchTimeoutSeconds + "; kill -9 $p) </dev/null >/dev/null 2>&1 3<&- & w=$!; " +
		"wait $p 2>/dev/null || " + unless + "echo '" + w.message + "'; kill $w 2>/dev/null || :; } 3<&0"
	return "exec sh -c '" + strings.ReplaceAll(line, "'", `'\''`) + "'"
}

// watchedLine extracts the line of the hook from a watching line. watched is
// false if the line is not a watching line.
func watchedLine(line string) (hook string, watched bool) {
	_, rest, begins := strings.Cut(line, watchBegins)
	hook, _, ends := strings.Cut(rest, watchEnds)
	return strings.ReplaceAll(hook, `'\''`, "'"), begins && ends
}

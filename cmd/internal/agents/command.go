package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Command is how an agent's host starts one of our programs: the program and its
// arguments, without a shell in between.
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

package command

import (
	"slices"
	"strings"
)

// runners are names of calls that run a command of the system, in whatever language.
var runners = [...]string{"system", "popen", "popen2", "popen3", "Popen", "call", "check_call", "check_output", "run", "getoutput", "getstatusoutput", "exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "spawnl", "spawnlp", "spawnv", "spawnvp", "execl", "execlp", "execle", "execv", "execvp", "execvpe", "execve", "shell_exec", "passthru", "proc_open", "pcntl_exec", "capture2", "capture2e", "capture3", "create_subprocess_shell", "create_subprocess_exec", "Start-Process", "Invoke-Expression", "os.cmd", "cmd", "Command", "execute", "exec_command", "system2", "shell", "sh", "qx", "startfile"}

// codeRuns judges the commands that a code runs.
func (m *machine) codeRuns(code, part, lang string) {
	ran := false
	for _, c := range callsIn(code) {
		if !c.runsCommands(code) {
			continue
		}
		ran = true
		texts := literalsIn(c.args)
		m.codeLine(texts, part)
		if len(texts) == 0 && strings.TrimSpace(c.args) != "" || len(texts) > 0 && dynamic(c.args) {
			m.object("unknown-code", part, "")
		}
	}
	if ran = m.quotedRuns(code, part, lang) || ran; !ran && hasAny(code, "child_process", "Runtime.getRuntime", "import pty") {
		m.object("unknown-code", part, "")
	}
}

// quotedRuns judges the commands that a code runs by quotes or words of its language, and
// reports whether they are all that it runs.
func (m *machine) quotedRuns(code, part string, lang string) (ran bool) {
	switch lang {
	case "bun", "deno", "node", "tsx":
		return m.between(code, "$`", part)
	case "tclsh", "expect":
		m.tcl(code, part)
	case "perl", "ruby", "php", "julia":
		m.between(code, "`", part)
		m.quoteOperators(lang, code, part)
		if lang == "perl" {
			m.perlUnlinks(code, part)
		}
	}
	return false
}

// between runs what stands between an opening and "`", wherever it does.
func (m *machine) between(code, open, part string) (found bool) {
	for {
		_, after, opened := strings.Cut(code, open)
		body, next, closed := strings.Cut(after, "`")
		if !opened || !closed {
			return found
		}
		found = true
		m.code(body, "", part)
		code = next
	}
}

// quoteOperators runs what stands in qx{}, %x() and, where they are run, q{} and qq().
func (m *machine) quoteOperators(row, code, part string) {
	runs := strings.Contains(code, "system") || strings.Contains(code, "exec")
	for _, open := range [...]string{"qx{", "qx(", "qx/", "qx[", "%x(", "%x{", "%x[", "q(", "qq(", "q{", "qq{", "qw(", "qw/", "qw{"} {
		i := strings.Index(code, open)
		if i < 0 || open[0] == 'q' && open[1] != 'x' && (!runs || open[1] == 'w' && row != "perl") {
			continue
		}
		body := code[i+len(open):]
		if end := strings.LastIndexByte(body, closing(open[len(open)-1])); end > 0 {
			m.code(body[:end], "", part)
		}
	}
	if strings.Contains(code, "|\"") && strings.Contains(code, "open") {
		m.object("unknown-code", part, "")
	}
}

// tcl reads the commands of Tcl that run others or delete.
func (m *machine) tcl(code, part string) {
	for line := range strings.FieldsFuncSeq(code, func(r rune) bool { return r == '\n' || r == ';' || r == '[' || r == ']' }) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch _, script, _ := strings.Cut(line, " "); {
		case len(words) > 1 && (words[0] == "exec" || words[0] == "spawn"):
			m.code(script, "", part)
		case len(words) > 2 && words[0] == "file" && words[1] == "delete":
			m.removed(field{text: words[len(words)-1]}, true, false, part)
		}
	}
}

// runsCommands reports whether a call runs a command of the system.
func (c call) runsCommands(code string) bool {
	if !slices.Contains(runners[:], c.name) {
		return false
	}
	switch c.name {
	case "run", "call", "Command", "cmd", "shell", "sh", "execute": // names of much else
		return hasAny(c.before, "subprocess", "sp.", "Deno", "os.", "Kernel") || strings.Contains(code, "from subprocess") ||
			strings.Contains(code, "subprocess") && (c.name == "call" || c.name == "run") || strings.Contains(code, "import subprocess") && c.before == ""
	case "exec": // of a regular expression, or of Python's own code
		return strings.Contains(c.before, "os.") || hasAny(code, "child_process", "Kernel") || !strings.Contains(c.before, ".") && !hasAny(code, "import ", "require")
	case "spawn":
		return c.before == "" || hasAny(code, "child_process", "pty", "Bun", "Process")
	}
	return true
}

// codeLine reads the texts that a call is given as a command line: one text, or the
// words of it.
func (m *machine) codeLine(texts []stringLiteral, part string) {
	if len(texts) > 0 && strings.ContainsAny(strings.TrimSpace(texts[0].text), " ;|&") {
		m.code(texts[0].text, "", part)
		return
	}
	var args []field
	for _, t := range texts {
		if hasWord("utf8 utf-8 inherit pipe ignore", t.text) {
			continue
		}
		args = append(args, field{text: t.text})
	}
	if len(args) > 1 && args[0].text == args[1].text { // execvp('git', ['git', ...])
		args = args[1:]
	}
	if len(args) > 0 {
		m.run(args, "", false)
	}
}

package command

import (
	"slices"
	"strings"
)

// deleters are names of calls that delete: the first group whole folders.
var (
	treeDeleters = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rimraf", "rimrafSync", "removeSync", "emptyDirSync", "emptyDir", "rmdirSync", "removeDirectory", "remove_entry_secure", "remove_dir", "deleteTree", "delTree", "remove_all", "rmdir", "removedirs", "RemoveAll", "deleteDirectory", "unlink_r", "purge"}
	fileDeleters = [...]string{"unlink", "unlinkSync", "remove", "truncate", "delete", "rm"}
	writersTo    = [...]string{"writeFileSync", "writeFile", "appendFileSync", "appendFile", "file_put_contents", "write_text", "write_bytes", "createWriteStream", "copyFileSync", "copyfile", "symlink"}
)

// perlUnlinks judges perl's unlink without parentheses, of what a pattern finds or a
// variable holds.
func (m *machine) perlUnlinks(code, part string) {
	_, after, found := strings.Cut(code, "unlink ")
	if !found {
		return
	}
	after, _, _ = strings.Cut(after, ";")
	after = strings.TrimSpace(after)
	switch {
	case strings.HasPrefix(after, "glob"), strings.HasPrefix(after, "<"), strings.HasPrefix(after, "$_"), strings.HasPrefix(after, "@"), strings.HasPrefix(after, "shift"), strings.HasPrefix(after, "$ARGV"), strings.HasPrefix(after, "for "):
		pattern := strings.Trim(strings.TrimPrefix(after, "glob"), " \"'<>()qw/{}")
		if at, _ := m.locate(pattern); pattern == "" || pattern[0] == '$' || pattern[0] == '@' || pattern == "shift" || at != inBuild && at != inTemp && !narrow([]string{pattern}) {
			m.object("delete-unknown", part, "")
		}
	}
}

// codeDeletes judges what a code deletes and writes.
func (m *machine) codeDeletes(code, part string, c *invocation) {
	for _, x := range callsIn(code) {
		tree, single := x.deletes()
		switch {
		case m.sweeps(x, code, part):
		case tree || single:
			m.codeDelete(x, tree, code, c)
		case slices.Contains(writersTo[:], x.name), x.name == "write" && (strings.HasSuffix(x.before, "File.") || strings.HasSuffix(x.before, "IO.") || strings.HasSuffix(x.before, "Bun.")):
			m.codeWrites(x, c)
		case x.name == "open" || x.name == "fopen" || x.name == "openSync":
			m.codeOpens(x, c)
		case x.name == "kill" && strings.Contains(x.args, "-1"):
			m.object("end-processes", part, "")
		case x.name == "Path" && hasAny(code, ".unlink(", ".rmdir(", ".write_text(", ".write_bytes(", ".rename(", ".touch("):
			for _, t := range literalsIn(x.args) {
				m.touch(t.text, c)
				m.objectIf(m.isAt(t.text, inSystem, theRoot, aHome), "system-path", part, "")
			}
		}
	}
	m.codeHandsOn(code, part)
	if strings.Contains(code, "fork") && hasAny(code, "while", "for(;;)", "loop", "for (;;)") {
		m.object("fork-bomb", part, "")
	}
	m.objectIf(strings.Contains(code, "socket") && hasAny(code, "dup2", "/bin/sh", "/bin/bash", "pty.spawn") || strings.Contains(code, "/bin/") && hasAny(code, "TCPSocket", "fsockopen") || strings.Contains(code, "net.") && strings.Contains(code, "/bin/sh"), "reverse-shell", part, "")
}

// deletes reports whether a call deletes whole folders, or single files.
func (x call) deletes() (tree, single bool) {
	recursive := strings.Contains(x.args, "recursive")
	switch x.name {
	case "rmdir", "rmdirSync", "purge", "rmSync", "rm", "delete":
		tree = recursive
	case "remove":
		tree = recursive || strings.Contains(x.before, "fs.")
	default:
		tree = slices.Contains(treeDeleters[:], x.name)
	}
	return tree, slices.Contains(fileDeleters[:], x.name) && (x.before == "" || hasAny(x.before, "os.", "fs", "File", "Path"))
}

// codeDelete judges one call that deletes.
func (m *machine) codeDelete(x call, tree bool, code string, c *invocation) {
	found, args := literalsIn(x.args), strings.TrimSpace(x.args)
	if len(found) == 0 || dynamic(x.args) && !strings.HasPrefix(args, "'") && !strings.HasPrefix(args, `"`) {
		m.objectIf(tree || hasAny(code, "listdir", "os.walk", "glob", "scandir", "iterdir", "readdir"), "delete-unknown", c.part(), "")
	}
	if len(found) > 0 {
		m.removed(field{text: found[0].text}, tree, false, c.part())
		m.touch(found[0].text, c)
	}
}

// handedOn are names of calls that delete or run commands and mean nothing else: code
// that has them without calling them gives them another name, or to somebody who calls.
var handedOn = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rmdirSync", "unlinkSync", "removeSync", "execSync", "spawnSync", "execFileSync", "Popen", "check_output", "check_call", "os.system", "os.remove", "os.unlink", "os.popen", "shell_exec", "passthru"}

// codeHandsOn judges code that has such a name and does not call it.
func (m *machine) codeHandsOn(code, part string) {
	for _, name := range handedOn {
		uses := strings.Split(code, name)[1:]
		called := slices.ContainsFunc(uses, func(behind string) bool { return strings.HasPrefix(strings.TrimLeft(behind, " ?."), "(") })
		if len(uses) > 0 && !called {
			m.object("unknown-code", part, name+" goes by another name")
			return
		}
	}
	m.objectIf(strings.Contains(code, "unlink") && !strings.Contains(code, "unlink(") && hasAny(code, enumerators[:]...), "delete-unknown", part, "")
}

// enumerators are calls that list files.
var enumerators = [...]string{"listdir", "os.walk", "glob", "scandir", "iterdir", "readdir", "walkSync", "Dir[", "Dir.", "each_child", "File::Find", "find(sub", "<*"}

// sweeps judges a call that deletes what the code itself finds: what that is only shows
// when it runs.
func (m *machine) sweeps(x call, code, part string) bool {
	if !slices.Contains(fileDeleters[:], x.name) && !slices.Contains(treeDeleters[:], x.name) || x.name == "remove" && strings.TrimSpace(x.args) != "" && !strings.Contains(x.before, "os.") && !strings.Contains(x.before, "fs") {
		return false
	}
	if x.name != "unlink" && x.name != "unlinkSync" && x.name != "rmtree" && len(literalsIn(x.args)) > 0 {
		return false
	}
	if t := literalsIn(x.args); len(t) > 0 && !strings.ContainsAny(t[0].text, "*?") && !dynamic(x.args) {
		return false
	}
	if hasAny(code, enumerators[:]...) {
		m.object("delete-unknown", part, "")
		return true
	}
	return false
}

// codeWrites judges a call that writes the file which it is given first.
func (m *machine) codeWrites(x call, c *invocation) {
	found := literalsIn(x.args)
	if x.name == "write_text" || x.name == "write_bytes" { // what is written: the path stands in Path(...)
		return
	}
	if len(found) > 0 {
		m.writesTo(found[0].text, c)
	}
}

// codeOpens judges a call that opens a file: by a mode, or as perl does by a sign.
func (m *machine) codeOpens(x call, c *invocation) {
	found := literalsIn(x.args)
	name := ""
	switch {
	case len(found) > 1 && strings.HasPrefix(found[0].text, ">"):
		name = found[1].text
	case len(found) > 0 && strings.HasPrefix(found[0].text, ">"):
		name = strings.TrimLeft(found[0].text, "> ")
	case len(found) > 1 && strings.ContainsAny(found[1].text, "wa+>x"):
		name = found[0].text
	}
	if name != "" {
		m.writesTo(name, c)
	}
}

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
		m.objectIf(len(texts) == 0 && strings.TrimSpace(c.args) != "" || len(texts) > 0 && dynamic(c.args), "unknown-code", part, "")
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
	m.objectIf(strings.Contains(code, "|\"") && strings.Contains(code, "open"), "unknown-code", part, "")
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

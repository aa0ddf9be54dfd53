package command

import (
	"slices"
	"strings"
)

// Names of calls that delete folders and files.
var (
	treeDeleters = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rimraf", "rimrafSync", "removeSync", "emptyDirSync", "emptyDir", "rmdirSync", "removeDirectory", "remove_entry_secure", "remove_dir", "deleteTree", "delTree", "remove_all", "rmdir", "removedirs", "RemoveAll", "deleteDirectory", "unlink_r", "purge", "deleteDir", "removeDir", "removeDirectoryRecursive", "removeItem", "rm_rf"}
	fileDeleters = [...]string{"unlink", "unlinkSync", "remove", "truncate", "delete", "rm"}
)

// perlUnlinks checks unlink calls without parentheses in Perl, with a pattern or variable
// as argument.
func (m *interpreter) perlUnlinks(code, part string) {
	_, after, found := strings.Cut(code, "unlink")
	if !found || strings.HasPrefix(after, "(") {
		return
	}
	after, _, _ = strings.Cut(after, ";")
	after = strings.TrimSpace(after)
	if after == "" || hasAnyPrefix(after, "if ", "unless ", "and ", "or ") { // uses $_
		after = "$_"
	}
	pattern := strings.Trim(strings.TrimPrefix(after, "glob"), " \"'<>()qw/{}")
	named := !hasAnyPrefix(pattern, "$", "@") && pattern != "" && pattern != "shift" && (m.isAt(pattern, inBuild, inTemp) || matchesOneFileType([]string{pattern}))
	m.reportIf(!named && hasAnyPrefix(after, "glob", "<", "$_", "@", "shift", "$ARGV", "for "), "delete-unknown", part, "")
}

// codeDeletes checks the files that code deletes. It also checks code that ends
// all processes, forks without end, opens a reverse shell or hides the name of
// such a function.
func (m *interpreter) codeDeletes(calls []call, code string, c *invocation) {
	for _, x := range calls {
		tree, single := x.deletes()
		switch found := literalsIn(x.args); {
		case x.sweeps(found) && hasAny(code, enumerators[:]...):
			m.report("delete-unknown", c.part(), "")
		case tree || single:
			m.codeDelete(x, found, tree, code, c)
		case x.name == "kill":
			m.reportIf(strings.Contains(x.args, "-1"), "end-processes", c.part(), "")
		}
	}
	m.codeHandsOn(code, c.part())
	m.reportIf(strings.Contains(code, "fork") && hasAny(code, "while", "for(;;)", "loop", "for (;;)"), "fork-bomb", c.part(), "")
	connects := strings.Contains(code, "socket") && hasAny(code, "dup2", "/bin/sh", "/bin/bash", "pty.spawn") ||
		strings.Contains(code, "/bin/") && hasAny(code, "TCPSocket", "fsockopen") || strings.Contains(code, "net.") && strings.Contains(code, "/bin/sh")
	m.reportIf(connects, "reverse-shell", c.part(), "")
}

// deletes reports whether a call deletes whole folders or single files.
func (x call) deletes() (tree, single bool) {
	recursive := strings.Contains(x.args, "recursive")
	switch x.name {
	case "rmdir", "rmdirSync", "purge", "rmSync", "rm", "delete", "unlink":
		tree = recursive || x.name == "rmdir" && strings.Contains(x.args, `"s"`)
	case "remove":
		tree = recursive || strings.Contains(x.prefix, "fs.")
	default:
		tree = slices.Contains(treeDeleters[:], x.name)
	}
	return tree, slices.Contains(fileDeleters[:], x.name) && (x.prefix == "" || hasAny(x.prefix, "os.", "fs", "File", "Path", "file.", "base:"))
}

// codeDelete checks one call that deletes files. tree means that it deletes whole folders.
func (m *interpreter) codeDelete(x call, found []stringLiteral, tree bool, code string, c *invocation) {
	sure := len(found) > 0 && (!dynamic(x.args) || hasAnyPrefix(strings.TrimSpace(x.args), "'", `"`))
	lists := hasAny(code, "listdir", "os.walk", "glob", "scandir", "iterdir", "readdir", "list.files")
	m.reportIf(!sure && (tree || lists), "delete-unknown", c.part(), "")
	if len(found) > 0 {
		m.removed(field{text: found[0].text}, tree, false, c.part())
	}
}

// handedOn lists unambiguous names of functions that delete files or run commands. Code that
// uses one without calling it assigns it to another name or passes it to another function.
var handedOn = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rmdirSync", "unlinkSync", "removeSync", "execSync", "spawnSync", "execFileSync", "Popen", "check_output", "check_call", "os.system", "os.remove", "os.unlink", "os.popen", "shell_exec", "passthru"}

// codeHandsOn reports code that contains a name of handedOn without calling it, because the code
// may call it by another name. It also reports code that lists files and contains "unlink" without
// "(".
func (m *interpreter) codeHandsOn(code, part string) {
	for _, name := range handedOn {
		uses := strings.Split(code, name)[1:]
		called := slices.ContainsFunc(uses, func(behind string) bool { return strings.HasPrefix(strings.TrimLeft(behind, " ?."), "(") })
		if len(uses) > 0 && !called {
			m.report("unknown-code", part, name+" goes by another name")
			return
		}
	}
	m.reportIf(strings.Contains(code, "unlink") && !strings.Contains(code, "unlink(") && hasAny(code, enumerators[:]...), "delete-unknown", part, "")
}

// enumerators lists calls that list files.
var enumerators = [...]string{"listdir", "os.walk", "glob", "scandir", "iterdir", "readdir", "walkSync", "Dir[", "Dir.", "each_child", "list.files", "list_dir", "File::Find", "find(sub", "<*"}

// sweeps reports whether a call may delete files that the code itself enumerates. They are
// only known at run time.
func (x call) sweeps(found []stringLiteral) bool {
	if !slices.Contains(fileDeleters[:], x.name) && !slices.Contains(treeDeleters[:], x.name) {
		return false
	}
	ofList := x.name == "remove" && strings.TrimSpace(x.args) != "" && !hasAny(x.prefix, "os.", "fs")
	return !ofList && (len(found) == 0 || hasWord("unlink unlinkSync rmtree", x.name) && (strings.ContainsAny(found[0].text, "*?") || dynamic(x.args)))
}

// runners lists names of calls that run a system command, in any language.
var runners = [...]string{"system", "popen", "popen2", "popen3", "Popen", "call", "check_call", "check_output", "run", "getoutput", "getstatusoutput", "exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "spawnl", "spawnlp", "spawnv", "spawnvp", "execl", "execlp", "execle", "execv", "execvp", "execvpe", "execve", "shell_exec", "passthru", "proc_open", "pcntl_exec", "capture2", "capture2e", "capture3", "create_subprocess_shell", "create_subprocess_exec", "Start-Process", "Invoke-Expression", "os.cmd", "cmd", "Command", "execute", "exec_command", "system2", "shell", "sh", "qx", "startfile", "syscmd", "esyscmd"}

// departures lists parts of code that start a program in the background or in a new session.
var departures = [...]string{"setsid", "new_session", "preexec_fn", "process_group", "setpgrp", "setpgid", "detached", "DETACHED", "pgroup", "daemon", "fork", "unref", "Popen", "popen", "spawn", "create_subprocess", "proc_open", "process.exit"}

// codeRuns checks the commands that code runs.
func (m *interpreter) codeRuns(calls []call, code, lang string, c *invocation) {
	defer func(was bool) { m.detached = was }(m.detached)
	m.detached = m.detached || hasAny(code, departures[:]...)
	ran := false
	for _, x := range calls {
		if x.runsCommands(code) {
			ran = true
			texts := textsOf(literalsIn(x.args))
			m.codeLine(texts, c.part())
			some := strings.TrimSpace(x.args) != ""
			m.reportIf(len(texts) == 0 && some || len(texts) > 0 && dynamic(x.args), "unknown-code", c.part(), "")
		}
	}
	switch lang { // language-specific quotes and words
	case "bun", "deno", "node", "tsx":
		ran = m.runBetween(code, "$`", c.part()) || ran
	case "tclsh", "expect":
		m.tcl(code, c.part())
	case "scala", "groovy":
		for _, t := range literalsIn(code) {
			if hasAnyPrefix(strings.TrimSpace(code[min(t.end, len(code)):]), ".!", ".execute()") {
				ran = true
				m.runCode(t.text, "", c.part())
			}
		}
	case "perl", "ruby", "php", "julia":
		m.runBetween(code, "`", c.part())
		m.quoteOperators(lang, code, c.part())
		if lang == "perl" {
			m.perlUnlinks(code, c.part())
		}
	}
	m.reportIf(!ran && hasAny(code, "child_process", "Runtime.getRuntime", "import pty"), "unknown-code", c.part(), "")
}

// runBetween runs all texts between open and "`". It reports whether there is
// one.
func (m *interpreter) runBetween(code, open, part string) (found bool) {
	for {
		_, after, opened := strings.Cut(code, open)
		body, next, closed := strings.Cut(after, "`")
		if !opened || !closed {
			return found
		}
		found, code = true, next
		m.runCode(body, "", part)
	}
}

// quoteOperators runs the content of qx{} and %x(), and of q{} and qq() where code runs it.
func (m *interpreter) quoteOperators(lang, code, part string) {
	runs := hasAny(code, "system", "exec")
	for _, open := range [...]string{"qx{}", "qx()", "qx//", "qx[]", "%x()", "%x{}", "%x[]", "q()", "qq()", "q{}", "qq{}", "qw()", "qw//", "qw{}"} {
		begin, end := open[:len(open)-1], open[len(open)-1]
		_, body, found := strings.Cut(code, begin)
		if !found || open[0] == 'q' && open[1] != 'x' && (!runs || open[1] == 'w' && lang != "perl") {
			continue
		}
		if n := strings.LastIndexByte(body, end); n > 0 {
			m.runCode(body[:n], "", part)
		}
	}
	m.reportIf(strings.Contains(code, "|\"") && strings.Contains(code, "open"), "unknown-code", part, "")
}

// tcl checks Tcl commands that run other commands or delete files.
func (m *interpreter) tcl(code, part string) {
	isEnd := func(r rune) bool { return strings.ContainsRune("\n;[]", r) }
	for line := range strings.FieldsFuncSeq(code, isEnd) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch _, script, _ := strings.Cut(line, " "); {
		case len(words) > 1 && (words[0] == "exec" || words[0] == "spawn"):
			m.runCode(script, "", part)
		case len(words) > 2 && words[0] == "file" && words[1] == "delete":
			m.removed(field{text: words[len(words)-1]}, true, false, part)
		}
	}
}

// runsCommands reports whether a call runs a system command.
func (c call) runsCommands(code string) bool {
	if !slices.Contains(runners[:], c.name) {
		return false
	}
	switch c.name {
	case "run", "call", "Command", "cmd", "shell", "sh", "execute": // ambiguous names
		return hasAny(c.prefix, "subprocess", "sp.", "Deno", "os.", "os:", "System.", "Kernel") || strings.Contains(code, "from subprocess") ||
			strings.Contains(code, "subprocess") && (c.name == "call" || c.name == "run") || strings.Contains(code, "import subprocess") && c.prefix == ""
	case "exec": // of a regular expression or of Python code
		return strings.Contains(c.prefix, "os.") || hasAny(code, "child_process", "Kernel") || !strings.Contains(c.prefix, ".") && !hasAny(code, "import ", "require")
	case "spawn":
		return c.prefix == "" || hasAny(code, "child_process", "pty", "Bun", "Process")
	}
	return true
}

// codeLine interprets the string arguments of a call as a command line: one text, or a list
// of words.
func (m *interpreter) codeLine(texts []string, part string) {
	if len(texts) > 0 && strings.ContainsAny(strings.TrimSpace(texts[0]), " ;|&") {
		m.runCode(texts[0], "", part)
		return
	}
	args := fieldsOf(slices.DeleteFunc(texts, func(t string) bool { return hasWord("utf8 utf-8 inherit pipe ignore", t) }))
	if len(args) > 1 && args[0].text == args[1].text { // execvp('git', ['git', ...])
		args = args[1:]
	}
	if len(args) > 0 {
		m.run(args, "", false)
	}
}

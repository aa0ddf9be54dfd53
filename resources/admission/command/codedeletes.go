package command

import "strings"

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
		if at, _ := m.place(pattern); pattern == "" || pattern[0] == '$' || pattern[0] == '@' || pattern == "shift" || at != inBuild && at != inTemp && !narrow([]string{pattern}) {
			m.object("delete-unknown", part, "")
		}
	}
}

// codeDeletes judges what a code deletes and writes.
func (m *machine) codeDeletes(code, part string, c *invocation) {
	for _, x := range callsIn(code) {
		tree := named(treeDeleters[:], x.name)
		if x.name == "rm" || x.name == "rmSync" || x.name == "delete" || x.name == "remove" {
			tree = tree || strings.Contains(x.args, "recursive") || strings.Contains(x.before, "fs.") && x.name == "remove"
		}
		if x.name == "rmdir" || x.name == "rmdirSync" || x.name == "purge" {
			tree = strings.Contains(x.args, "recursive")
		}
		if x.name == "rmSync" && !strings.Contains(x.args, "recursive") {
			tree = false
		}
		if m.sweeps(x, code, part) {
			continue
		}
		single := named(fileDeleters[:], x.name) && (strings.Contains(x.before, "os.") || strings.Contains(x.before, "fs") || strings.Contains(x.before, "File") || x.before == "" || strings.Contains(x.before, "Path"))
		switch {
		case tree || single:
			found := literalsIn(x.args)
			if len(found) == 0 || dynamic(x.args) && !strings.HasPrefix(strings.TrimSpace(x.args), "'") && !strings.HasPrefix(strings.TrimSpace(x.args), "\"") {
				if tree || strings.Contains(code, "listdir") || strings.Contains(code, "os.walk") || strings.Contains(code, "glob") || strings.Contains(code, "scandir") || strings.Contains(code, "iterdir") || strings.Contains(code, "readdir") {
					m.object("delete-unknown", part, "")
				}
			}
			for _, t := range found[:min(1, len(found))] {
				m.removed(field{text: t.text}, tree, false, part)
				m.touch(t.text, c)
			}
		case named(writersTo[:], x.name):
			m.codeWrites(x, c)
		case x.name == "write" && (strings.HasSuffix(x.before, "File.") || strings.HasSuffix(x.before, "IO.") || strings.HasSuffix(x.before, "Bun.")):
			m.codeWrites(x, c)
		case x.name == "open" || x.name == "fopen" || x.name == "openSync":
			m.codeOpens(x, c)
		case x.name == "kill" && strings.Contains(x.args, "-1"):
			m.object("end-processes", part, "")
		case x.name == "Path" && (strings.Contains(code, ".unlink(") || strings.Contains(code, ".rmdir(") || strings.Contains(code, ".write_text(") || strings.Contains(code, ".write_bytes(") || strings.Contains(code, ".rename(") || strings.Contains(code, ".touch(")):
			for _, t := range literalsIn(x.args) {
				m.touch(t.text, c)
				if at, _ := m.place(t.text); at == inSystem || at == theRoot || at == aHome {
					m.object("system-path", part, "")
				}
			}
		}
	}
	m.codeHandsOn(code, part)
	if strings.Contains(code, "fork") && (strings.Contains(code, "while") || strings.Contains(code, "for(;;)") || strings.Contains(code, "loop") || strings.Contains(code, "for (;;)")) {
		m.object("fork-bomb", part, "")
	}
	if strings.Contains(code, "socket") && (strings.Contains(code, "dup2") || strings.Contains(code, "/bin/sh") || strings.Contains(code, "/bin/bash") || strings.Contains(code, "pty.spawn")) || strings.Contains(code, "TCPSocket") && strings.Contains(code, "/bin/") || strings.Contains(code, "fsockopen") && strings.Contains(code, "/bin/") || strings.Contains(code, "net.") && strings.Contains(code, "/bin/sh") {
		m.object("reverse-shell", part, "")
	}
}

// handedOn are names of calls that delete or run commands and mean nothing else: code
// that has them without calling them gives them another name, or to somebody who calls.
var handedOn = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rmdirSync", "unlinkSync", "removeSync", "execSync", "spawnSync", "execFileSync", "Popen", "check_output", "check_call", "os.system", "os.remove", "os.unlink", "os.popen", "shell_exec", "passthru"}

// codeHandsOn judges code that has such a name and does not call it.
func (m *machine) codeHandsOn(code, part string) {
	for _, name := range handedOn {
		called := false
		for from := 0; ; {
			i := strings.Index(code[from:], name)
			if i < 0 {
				break
			}
			from += i + len(name)
			called = called || strings.HasPrefix(strings.TrimLeft(code[from:], " ?."), "(")
		}
		if strings.Contains(code, name) && !called {
			m.object("unknown-code", part, name+" goes by another name")
			return
		}
	}
	for _, e := range enumerators {
		if strings.Contains(code, e) && strings.Contains(code, "unlink") && !strings.Contains(code, "unlink(") {
			m.object("delete-unknown", part, "")
			return
		}
	}
}

// enumerators are calls that list files.
var enumerators = [...]string{"listdir", "os.walk", "glob", "scandir", "iterdir", "readdir", "walkSync", "Dir[", "Dir.", "each_child", "File::Find", "find(sub", "<*"}

// sweeps judges a call that deletes what the code itself finds: what that is only shows
// when it runs.
func (m *machine) sweeps(x call, code, part string) bool {
	if !named(fileDeleters[:], x.name) && !named(treeDeleters[:], x.name) || x.name == "remove" && strings.TrimSpace(x.args) != "" && !strings.Contains(x.before, "os.") && !strings.Contains(x.before, "fs") {
		return false
	}
	if x.name != "unlink" && x.name != "unlinkSync" && x.name != "rmtree" && len(literalsIn(x.args)) > 0 {
		return false
	}
	if t := literalsIn(x.args); len(t) > 0 && !strings.ContainsAny(t[0].text, "*?") && !dynamic(x.args) {
		return false
	}
	for _, e := range enumerators {
		if strings.Contains(code, e) {
			m.object("delete-unknown", part, "")
			return true
		}
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
		m.overwrites(found[0].text, unknown, c.part())
		m.touch(found[0].text, c)
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
		m.overwrites(name, unknown, c.part())
		m.touch(name, c)
	}
}

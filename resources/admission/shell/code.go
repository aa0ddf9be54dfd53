package shell

import (
	"path"
	"strings"
)

// language is a program that runs code of its own language.
type language struct {
	name    string
	options string // options whose value is code
	takes   string // options with a value
}

// interpreterTable is the table of such programs.
var interpreterTable = [...]language{
	{name: "python", options: "-c", takes: "-W -X -m"}, {name: "pypy", options: "-c", takes: "-m"}, {name: "ipython", options: "-c"}, {name: "node", options: "-e --eval -p --print -pe", takes: "-r --require --import --loader"}, {name: "nodejs", options: "-e --eval -p --print"}, {name: "bun", options: "-e --eval -p --print"}, {name: "deno", options: "eval"}, {name: "tsx", options: "-e --eval"}, {name: "ts-node", options: "-e --eval -p"},
	{name: "perl", options: "-e -E", takes: "-I"}, {name: "ruby", options: "-e", takes: "-I -r"}, {name: "php", options: "-r", takes: "-d -c"}, {name: "lua", options: "-e"}, {name: "luajit", options: "-e"}, {name: "rscript", options: "-e"}, {name: "julia", options: "-e -E --eval"}, {name: "elixir", options: "-e --eval"}, {name: "erl", options: "-eval"}, {name: "ghc", options: "-e"}, {name: "scala", options: "-e"}, {name: "groovy", options: "-e"}, {name: "clojure", options: "-e"}, {name: "osascript", options: "-e"}, {name: "tclsh"}, {name: "guile", options: "-c"}, {name: "racket", options: "-e"}, {name: "sbcl", options: "--eval"}, {name: "jshell"}, {name: "pwsh", options: "-c -Command -command -C -EncodedCommand -enc -e -ec"}, {name: "powershell", options: "-c -Command -command -C -EncodedCommand -enc -e -ec"}, {name: "gawk"}, {name: "octave", options: "--eval"}, {name: "swift", options: "-e"}, {name: "dart", options: "-e"}, {name: "rails", options: "runner"}, {name: "kotlin", options: "-e"}, {name: "emacs", options: "--eval -eval --execute"},
}

// interpreter judges a program that is given code: by an option, by its input, or as a
// file that the line has written.
func (m *machine) interpreter(row language, c *invocation) {
	if row.name == "gawk" {
		return
	}
	power := row.name == "pwsh" || row.name == "powershell"
	for i, f := range c.args {
		switch {
		case hasWord(row.options, f.text) && i+1 < len(c.args):
			code := c.args[i+1].text
			if power {
				code = texts(c.args[i+1:])
				if strings.HasPrefix(strings.ToLower(f.text), "-e") {
					m.object("unknown-code", c.part(), "it is encoded")
				}
			}
			m.foreign(row, code, c)
			if power {
				return
			}
		case !power && len(f.text) > 2 && f.text[0] == '-' && f.text[1] != '-' && row.name != "deno" && row.name != "python" && bundles(row.options, f.text) && i+1 < len(c.args):
			m.foreign(row, c.args[i+1].text, c)
		case row.name == "python" && strings.HasPrefix(f.text, "-c") && len(f.text) > 2:
			m.foreign(row, f.text[2:], c)
		case row.name == "python" && len(f.text) > 2 && f.text[0] == '-' && f.text[1] != '-' && strings.HasSuffix(f.text, "c") && i+1 < len(c.args):
			m.foreign(row, c.args[i+1].text, c)
		case f.text == "-m" || f.text == "-W" || f.text == "-r" || f.text == "-I":
		}
	}
	if row.name == "python" && len(c.args) > 1 && c.args[0].text == "-m" && hasWord("timeit cProfile profile", c.args[1].text) {
		for _, f := range c.args[2:] {
			m.foreign(row, f.text, c)
		}
	}
	o := c.with(row.takes + " " + row.options)
	if len(o.operands) > 0 && o.operands[0].text != "-" {
		name := o.operands[0].text
		switch text, written := m.files[m.absolute(name)]; {
		case written:
			m.foreign(row, text, c)
		case strings.Contains(name, fetched), strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
			m.object("network-to-shell", c.part(), "")
		case !known(path.Base(name)) && row.name != "php" && !o.has(row.options):
			m.object("unknown-code", c.part(), "")
		case path.Base(name) == "artisan" || path.Base(name) == "manage.py" || path.Base(name) == "console" || path.Base(name) == "rails":
			inner := *c
			inner.name, inner.args, inner.parsed = path.Base(name), behind(c.args, name), nil
			if code, ok := parseOptions(inner.args, "-c --command").value("-c --command"); ok && inner.name == "manage.py" {
				m.foreign(row, code, c)
			}
			m.dangers(&inner)
		}
		return
	}
	if c.piped && !o.has(row.options) && !literally(c.args, "-m --version -V") && !strings.HasPrefix(texts(c.args), "-m") {
		m.foreign(row, c.stdin, c)
	}
}

// bundles reports whether a bundle of letters ends with an option for code.
func bundles(options, w string) bool {
	return strings.Trim(w[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && hasWord(options, "-"+w[len(w)-1:])
}

// behind are the arguments behind the one of that text.
func behind(args []field, text string) []field {
	for i, f := range args {
		if f.text == text {
			return args[i+1:]
		}
	}
	return nil
}

// runners are names of calls that run a command of the system, in whatever language.
var runners = [...]string{"system", "popen", "popen2", "popen3", "Popen", "call", "check_call", "check_output", "run", "getoutput", "getstatusoutput", "exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "spawnl", "spawnlp", "spawnv", "spawnvp", "execl", "execlp", "execle", "execv", "execvp", "execvpe", "execve", "shell_exec", "passthru", "proc_open", "pcntl_exec", "capture2", "capture2e", "capture3", "create_subprocess_shell", "create_subprocess_exec", "Start-Process", "Invoke-Expression", "os.cmd", "cmd", "Command", "execute", "exec_command", "system2", "shell", "sh", "qx", "startfile"}

// deleters are names of calls that delete: the first group whole folders.
var (
	treeDeleters = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rimraf", "rimrafSync", "removeSync", "emptyDirSync", "emptyDir", "rmdirSync", "removeDirectory", "remove_entry_secure", "remove_dir", "deleteTree", "delTree", "remove_all", "rmdir", "removedirs", "RemoveAll", "deleteDirectory", "unlink_r", "purge"}
	fileDeleters = [...]string{"unlink", "unlinkSync", "remove", "truncate", "delete", "rm"}
	writersTo    = [...]string{"writeFileSync", "writeFile", "appendFileSync", "appendFile", "file_put_contents", "write_text", "write_bytes", "createWriteStream", "copyFileSync", "copyfile", "symlink"}
)

// foreign judges code of another language: not its meaning, but which calls that do harm
// it makes, and whether they are given texts that stand in it.
func (m *machine) foreign(row language, code string, c *invocation) {
	part := c.part()
	if strings.Contains(code, fetched) {
		m.object("network-to-shell", part, "")
		return
	}
	if strings.Trim(code, marks+" \n\t") == "" {
		if code != "" && strings.ContainsAny(code, marks) {
			m.object("unknown-code", part, "")
		}
		return
	}
	if row.name == "pwsh" || row.name == "powershell" {
		m.script(strings.ReplaceAll(code, "\\", "/"), "")
	}
	if row.name == "osascript" {
		for _, t := range literalsIn(code) {
			if strings.Contains(code, "do shell script") {
				m.code(t.text, "", part)
			}
		}
		return
	}
	m.codeRuns(code, part, row)
	m.codeDeletes(code, part, c)
	m.codeDynamic(code, part)
	m.codeModels(code, part)
	for _, t := range literalsIn(code) {
		if rule := sqlIn(t.text); rule != "" && (strings.Contains(code, "execute") || strings.Contains(code, "query") || strings.Contains(code, ".exec") || strings.Contains(code, "connect") || strings.Contains(code, "prepare")) {
			m.object(rule, part, "")
		}
	}
}

// codeModels judges calls of frameworks that delete or change all rows of a table.
func (m *machine) codeModels(code, part string) {
	flat := strings.Join(strings.Fields(code), "")
	for _, call := range [...]string{".objects.all().delete(", ".objects.all()._raw_delete(", ".objects.delete(", ".deleteMany()", ".deleteMany({})", ".query().delete()", ".query.delete()"} {
		if strings.Contains(flat, call) {
			m.object("sql-unbounded", part, call)
			return
		}
	}
	for _, call := range [...]string{".delete_all", ".destroy_all", ".update_all"} {
		if strings.Contains(flat, call) && !strings.Contains(flat, ".where(") && !strings.Contains(flat, ".where.") {
			m.object("sql-unbounded", part, call)
			return
		}
	}
}

func sqlIn(text string) string {
	if len(text) < 8 || !strings.ContainsAny(text, " /") {
		return ""
	}
	for _, s := range statements(text) {
		if rule := sqlRule(s); rule != "" && hasWord("DROP DELETE TRUNCATE UPDATE ALTER", s[0]) {
			return rule
		}
	}
	return ""
}

// call is one call in a code: what it is called, and what stands in its parentheses.
type call struct {
	name   string // the last part: "system" of os.system
	before string // what stands in front: "os."
	args   string
}

// callsIn finds calls: name(args), and name args where a text follows at once.
func callsIn(code string) []call {
	var all []call
	for i := 0; i < len(code) && len(all) < 400; {
		c := code[i]
		switch {
		case c == '#' && (i == 0 || code[i-1] == '\n'):
			if n := strings.IndexByte(code[i:], '\n'); n > 0 {
				i += n
				continue
			}
			return all
		case c == '\'' || c == '"':
			i = endOfText(code, i)
			continue
		case !isNameByte(c) && c < 0x80:
			i++
			continue
		}
		n := i
		for n < len(code) && (isNameByte(code[n]) || code[n] == '-' && n+1 < len(code) && code[n+1] >= 'A' && code[n+1] <= 'Z') {
			n++
		}
		if n == i {
			i++
			continue
		}
		name := code[i:n]
		from := i
		for from > 0 && (isNameByte(code[from-1]) || strings.IndexByte(".:>-)('\"$", code[from-1]) >= 0) && i-from < 60 {
			from--
		}
		rest := n
		for rest < len(code) && (code[rest] == ' ' || code[rest] == '?' || code[rest] == '.' && rest+1 < len(code) && code[rest+1] == '(') {
			rest++
		}
		if rest < len(code) {
			switch code[rest] {
			case '(':
				end := endOfCall(code, rest)
				all = append(all, call{name, code[from:i], code[rest+1 : max(rest+1, end-1)]})
			case '\'', '"', '[', '{', '/', '<':
				end := strings.IndexAny(code[rest:], ";\n")
				if end < 0 {
					end = len(code) - rest
				}
				all = append(all, call{name, code[from:i], code[rest : rest+end]})
			}
		}
		i = n
	}
	return all
}

// endOfText finds the end of a text in quotes that opens at i.
func endOfText(code string, i int) int {
	quote := code[i]
	if strings.HasPrefix(code[i:], strings.Repeat(string(quote), 3)) {
		if n := strings.Index(code[i+3:], strings.Repeat(string(quote), 3)); n >= 0 {
			return i + 3 + n + 3
		}
	}
	for j := i + 1; j < len(code); j++ {
		if code[j] == '\\' {
			j++
		} else if code[j] == quote {
			return j + 1
		}
	}
	return len(code)
}

// endOfCall finds the end of the parentheses that open at i.
func endOfCall(code string, i int) int {
	depth := 0
	for j := i; j < len(code); j++ {
		switch code[j] {
		case '\'', '"', '`':
			j = endOfText(code, j) - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return len(code)
}

// quotedText is a text in quotes.
type quotedText struct {
	text string
	end  int
}

// literalsIn are the texts in quotes in a code.
func literalsIn(code string) []quotedText {
	var all []quotedText
	for i := 0; i < len(code) && len(all) < 200; {
		if c := code[i]; c != '\'' && c != '"' && c != '`' {
			i++
			continue
		}
		end := endOfText(code, i)
		body := strings.Trim(code[i:end], string(code[i]))
		all = append(all, quotedText{unescaped(body, ansiC), end})
		i = max(end, i+1)
	}
	return all
}

// dynamic reports whether what a call is given is more than texts in quotes: then it is
// only known when it runs.
func dynamic(args string) bool {
	var b strings.Builder
	for i := 0; i < len(args); {
		c := args[i]
		if c == '\'' || c == '"' || c == '`' {
			end := endOfText(args, i)
			if (c == '`' || c == '"') && strings.Contains(args[i:end], "${") || c == '"' && strings.Contains(args[i:end], "#{") {
				return true
			}
			if i > 0 && (args[i-1] == 'f' || args[i-1] == 'F') && strings.Contains(args[i:end], "{") {
				return true
			}
			i = end
			b.WriteString("'")
			continue
		}
		b.WriteByte(c)
		i++
	}
	rest := b.String()
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ,[](){}'\n\t;", r) }) {
		name, _, keyword := strings.Cut(word, "=")
		switch {
		case keyword || strings.HasSuffix(word, ":") || strings.Trim(word, "0123456789.") == "":
		case hasWord("True False None true false null nil shell check stdout stderr stdin text encoding capture_output recursive force inherit utf8 timeout cwd maxRetries ignore_errors", name), strings.HasPrefix(word, "subprocess."), word == "rb" || word == "r" || word == "b" || word == "u":
		default:
			return true
		}
	}
	return strings.Contains(rest, "+") || strings.Contains(rest, "%")
}

// codeRuns judges the commands that a code runs.
func (m *machine) codeRuns(code, part string, row language) {
	ran := false
	defer func() {
		if !ran && (strings.Contains(code, "child_process") || strings.Contains(code, "Runtime.getRuntime") || strings.Contains(code, "import pty")) {
			m.object("unknown-code", part, "")
		}
	}()
	for _, c := range callsIn(code) {
		if !runsCommands(c, code) {
			continue
		}
		ran = true
		first := c.args
		texts := literalsIn(first)
		switch {
		case len(texts) == 0:
			if strings.TrimSpace(c.args) != "" {
				m.object("unknown-code", part, "")
			}
		case dynamic(c.args) && len(texts) > 0:
			m.codeLine(texts, part)
			m.object("unknown-code", part, "")
		default:
			m.codeLine(texts, part)
		}
	}
	ran = m.quotedRuns(code, part, row) || ran
}

// quotedRuns judges the commands that a code runs by quotes or words of its language, and
// reports whether they are all that it runs.
func (m *machine) quotedRuns(code, part string, row language) (ran bool) {
	switch row.name {
	case "bun", "deno", "node", "tsx":
		return m.between(code, "$`", part)
	case "tclsh", "expect":
		m.tcl(code, part)
	case "perl", "ruby", "php", "julia":
		m.between(code, "`", part)
		m.quoteOperators(row.name, code, part)
		if row.name == "perl" {
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
		if script, ok := strings.CutPrefix(line, "exec "); ok {
			m.code(script, "", part)
		} else if script, ok := strings.CutPrefix(line, "spawn "); ok {
			m.code(script, "", part)
		} else if words := strings.Fields(line); len(words) > 2 && words[0] == "file" && words[1] == "delete" {
			m.removed(field{text: words[len(words)-1]}, true, false, part)
		}
	}
}

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

// closing is the bracket that ends what a bracket begins.
func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '{':
		return '}'
	case '[':
		return ']'
	}
	return open
}

// runsCommands reports whether a call runs a command of the system.
func runsCommands(c call, code string) bool {
	found := false
	for _, name := range runners {
		found = found || c.name == name
	}
	if !found {
		return false
	}
	switch c.name {
	case "run", "call", "Command", "cmd", "shell", "sh", "execute": // names of much else
		return strings.Contains(c.before, "subprocess") || strings.Contains(c.before, "sp.") || strings.Contains(c.before, "Deno") || strings.Contains(code, "import subprocess") && c.before == "" || strings.Contains(c.before, "('subprocess')") || strings.Contains(code, "from subprocess") || strings.Contains(c.before, "os.") || strings.Contains(c.before, "Kernel") || strings.Contains(code, "subprocess") && c.name == "call" || strings.Contains(code, "subprocess") && c.name == "run"
	case "exec": // of a regular expression, or of Python's own code
		return strings.Contains(code, "child_process") || strings.Contains(c.before, "os.") || strings.Contains(code, "Kernel") || !strings.Contains(c.before, ".") && !strings.Contains(code, "import ") && !strings.Contains(code, "require")
	case "spawn":
		return strings.Contains(code, "child_process") || strings.Contains(code, "pty") || strings.Contains(code, "Bun") || strings.Contains(code, "Process") || c.before == ""
	}
	return true
}

// codeLine reads the texts that a call is given as a command line: one text, or the
// words of it.
func (m *machine) codeLine(texts []quotedText, part string) {
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
				m.touch(t.text)
			}
		case named(writersTo[:], x.name):
			m.codeWrites(x, part)
		case x.name == "write" && (strings.HasSuffix(x.before, "File.") || strings.HasSuffix(x.before, "IO.") || strings.HasSuffix(x.before, "Bun.")):
			m.codeWrites(x, part)
		case x.name == "open" || x.name == "fopen" || x.name == "openSync":
			m.codeOpens(x, part)
		case x.name == "kill" && strings.Contains(x.args, "-1"):
			m.object("end-processes", part, "")
		case x.name == "Path" && (strings.Contains(code, ".unlink(") || strings.Contains(code, ".rmdir(") || strings.Contains(code, ".write_text(") || strings.Contains(code, ".write_bytes(") || strings.Contains(code, ".rename(") || strings.Contains(code, ".touch(")):
			for _, t := range literalsIn(x.args) {
				m.touch(t.text)
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
	_ = c
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
func (m *machine) codeWrites(x call, part string) {
	found := literalsIn(x.args)
	if x.name == "write_text" || x.name == "write_bytes" { // what is written: the path stands in Path(...)
		return
	}
	if len(found) > 0 {
		m.overwrites(found[0].text, unknown, part)
		m.touch(found[0].text)
	}
}

// codeOpens judges a call that opens a file: by a mode, or as perl does by a sign.
func (m *machine) codeOpens(x call, part string) {
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
		m.overwrites(name, unknown, part)
		m.touch(name)
	}
}

func named(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// codeDynamic judges code that makes code.
func (m *machine) codeDynamic(code, part string) {
	for _, c := range callsIn(code) {
		switch c.name {
		case "eval", "exec", "compile", "Function", "execfile", "instance_eval", "class_eval", "runInThisContext", "runInNewContext", "IEX", "iex", "loadstring", "load", "assert", "create_function":
			if c.name == "load" && strings.Contains(c.before, ".") || c.name == "compile" && strings.Contains(c.before, "re.") || c.name == "exec" && strings.HasSuffix(c.before, ".") || c.name == "assert" && !strings.Contains(code, "$") || c.name == "compile" && c.before == "" && !strings.Contains(code, "exec") && !strings.Contains(code, "eval") || c.name == "eval" && strings.HasSuffix(c.before, "model.") {
				continue
			}
			if strings.Contains(code, "urlopen") || strings.Contains(code, "requests.get") || strings.Contains(code, "http.get") || strings.Contains(code, "fetch(") || strings.Contains(code, "file_get_contents(\"http") || strings.Contains(code, "file_get_contents('http") || strings.Contains(code, "DownloadString") {
				m.object("network-to-shell", part, "")
			} else {
				m.object("unknown-code", part, "")
			}
		case "getattr", "__import__", "import_module", "send", "__getattribute__":
			if c.name == "send" && !strings.Contains(c.args, "system") && !strings.Contains(c.args, "exec") || c.name != "send" && !strings.Contains(c.args, "+") && !strings.Contains(c.args, "[::-1]") && !strings.Contains(c.args, "chr(") && !strings.Contains(c.args, "decode") && !strings.Contains(c.args, "join") && c.name != "getattr" {
				continue
			}
			m.object("unknown-code", part, "")
		case "b64decode", "atob", "fromhex", "unhexlify", "decode64", "base64_decode", "fromCharCode", "unpack", "DownloadString", "DownloadFile":
			if strings.Contains(code, "exec") || strings.Contains(code, "eval") || strings.Contains(code, "system") || strings.Contains(code, "spawn") || strings.Contains(code, "subprocess") || strings.HasPrefix(c.name, "Download") {
				m.object("unknown-code", part, "")
			}
		}
	}
	if strings.Contains(code, "globals()[") || strings.Contains(code, "__builtins__") || strings.Contains(code, "__dict__[") || strings.Contains(code, "constructor.constructor") || strings.Contains(code, "process.binding") || strings.Contains(code, "['child_'") || strings.Contains(code, "require(") && strings.Contains(code, "'+'") {
		m.object("unknown-code", part, "")
	}
}

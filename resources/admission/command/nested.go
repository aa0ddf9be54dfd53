package command

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// byName checks commands that need more than the table. Most can run other commands by an
// option or in their own language.
func (m *interpreter) byName(c *invocation) {
	m.runOptions(c, c.part())
	switch c.name {
	case "dd":
		m.copiesBlocks(c)
	case "kill", "skill", "pkill", "killall":
		m.ends(c)
	case "crontab":
		m.schedules(c)
	case "git":
		m.git(c)
	case "nc", "ncat", "netcat", "telnet", "openssl", "curl", "wget", "http", "xh", "ftp", "tftp", "sftp", "aria2c", "iwr", "invoke-webrequest":
		m.network(c)
	case "lftp":
		for _, script := range c.optionsTaking("-c -e -u -p").values("-c -e") {
			m.transfers(script, c)
		}
		m.transfers(c.stdin, c)
	case "vim", "vi", "nvim", "ex", "ed", "less", "man":
		m.editor(c)
	case "emacs":
		m.foreign("emacs", texts(c.args), c)
	case "make", "gmake":
		m.makefile(c)
	case "sed", "gsed":
		m.sed(c)
	case "awk", "gawk", "mawk", "nawk":
		m.awk(c)
	case "zip", "7z", "tar", "bsdtar", "gtar":
		m.packs(c)
	case "npm", "pnpm", "yarn", "bun", "pip", "pip3":
		m.installs(c)
	case "invoke-expression", "iex":
		m.runCode(texts(c.args)+c.stdin, "", c.part())
	}
}

// runOptions runs the command lines in options of a command. If the row has fronts, only values
// with such a prefix count.
func (m *interpreter) runOptions(c *invocation, part string) {
	for _, r := range rows("told", c.name) {
		for _, line := range c.optionsTaking(r.get("takes") + " " + r.get("code")).values(r.get("code")) {
			fronts := strings.Split(r.get("front"), "|")
			if i := slices.IndexFunc(fronts, func(front string) bool {
				return len(line) >= len(front) && strings.EqualFold(line[:len(front)], front)
			}); i >= 0 {
				m.program(line[len(fronts[i]):], part)
			}
		}
	}
}

// codes runs texts that a command passes to a shell.
func (m *interpreter) codes(scripts []string, c *invocation) {
	for _, script := range scripts {
		m.runCode(script, "", c.part())
	}
}

// packs checks archivers that delete the packed files.
func (m *interpreter) packs(c *invocation) {
	o, skip := c.optionsTaking("-x -i -t -b -d -P -p -o"), 1
	if c.name == "7z" {
		skip = 2
	}
	if strings.HasSuffix(c.name, "tar") {
		o, skip = c.optionsTaking(listOf("tar")), 0
	}
	if c.name == "zip" && o.has("-m --move") || c.name == "7z" && literally(c.args, "-sdel") || skip == 0 && o.has("--remove-files") {
		m.removesAll(o.operands[min(skip, len(o.operands)):], c)
	}
}

// removesAll checks the deletion of folders with their content.
func (m *interpreter) removesAll(fields []field, c *invocation) {
	for _, f := range fields {
		m.removed(f, true, false, c.part())
		m.file(File{Word: f.word(), Tree: true}, c)
	}
}

// editor checks the commands that an editor runs at startup.
func (m *interpreter) editor(c *invocation) {
	o := c.optionsTaking("-c --cmd -S -u -P --pager")
	said := o.values("-c --cmd")
	for _, f := range c.args {
		if strings.HasPrefix(f.text, "+") && len(f.text) > 1 {
			said = append(said, f.text[1:])
		}
	}
	if c.name == "ed" || c.name == "ex" || literally(c.args, "-es -e -s") {
		said = append(said, strings.Split(c.stdin, "\n")...)
	}
	for _, s := range said {
		m.editorCommand(strings.TrimLeft(strings.TrimSpace(s), ":%"), c)
	}
	for _, f := range o.operands {
		if (o.has("-i") || hasWord("vi vim nvim ex ed", c.name)) && !strings.HasPrefix(f.text, "+") {
			m.overwrites(f.text, unknown, c.part())
		}
	}
}

// editorCommand checks one command of an editor.
func (m *interpreter) editorCommand(s string, c *invocation) {
	for part := range strings.SplitSeq(s, "|") {
		words := strings.Fields(strings.TrimLeft(part, " :%$,.0123456789"))
		if len(words) < 2 {
			continue
		}
		switch name := strings.TrimSuffix(words[0], "!"); {
		case hasWord("w write wq x xit sav saveas up update", name) && !strings.HasPrefix(words[1], "!"):
			m.writesTo(strings.TrimLeft(words[len(words)-1], "> "), c)
		case hasWord("e edit sp split vs vsplit tabe tabedit args argadd badd n next find b buffer", name):
			for _, word := range words[1:] {
				m.replacesTracked(field{text: word, glob: strings.ContainsAny(word, "*?[")}, false, c)
			}
		}
	}
	before, script, runs := strings.Cut(s, "!")
	runs = runs && script != "" && script[0] != ' ' && (strings.HasSuffix(strings.TrimSpace(before), "silent") || hasAnyPrefix(s, "r", "w", "sil"))
	if runs || strings.HasPrefix(s, "!") {
		m.runCode(strings.TrimLeft(script, "!"), "", c.part())
	}
	for _, call := range callsIn(s) {
		found := literalsIn(call.args)
		switch {
		case hasWord("system systemlist termopen job_start os.execute execute", call.name):
			m.codes(textsOf(found), c)
		case call.name == "delete" && len(found) > 0:
			m.removesAll([]field{{text: found[0].text}}, c)
		case call.name == "writefile" && len(found) > 0:
			m.touch(found[len(found)-1].text, c)
		case call.name == "rename":
			for _, t := range found {
				m.touch(t.text, c)
			}
		}
	}
	if rest, ok := strings.CutPrefix(s, "py3 "); ok {
		m.foreign("python", rest, c)
	}
}

// makefile checks make rules that the command line itself wrote.
func (m *interpreter) makefile(c *invocation) {
	o := c.optionsTaking("-f --file --makefile -C --directory -j -I -o -W --eval")
	if dir, ok := o.value("-C --directory"); ok {
		defer m.restoreDir(m.dir)
		m.dir = m.absolute(dir)
	}
	var said []string
	for _, s := range o.values("-f --file --makefile") {
		if s == "-" || s == "/dev/stdin" {
			said = append(said, c.stdin)
		} else if text, ok := m.files[m.absolute(s)]; ok {
			said = append(said, text)
		}
	}
	said = append(said, o.values("--eval")...)
	if text, ok := m.files[m.absolute("Makefile")]; ok && len(said) == 0 {
		said = append(said, text)
	}
	for _, text := range said {
		if strings.Contains(text, fetched) {
			m.report("network-to-shell", c.part(), "")
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
			_, after, inline := strings.Cut(line, ";")
			if strings.HasPrefix(line, "\t") {
				m.runCode(strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(line), "@-+"), "$$", "$"), "", c.part())
			} else if inline {
				m.runCode(after, "", c.part())
			}
			if _, shell, ok := strings.Cut(line, "$(shell "); ok {
				m.runCode(strings.TrimSuffix(shell, ")"), "", c.part())
			}
		}
	}
	for _, f := range o.operands {
		if name, value, ok := strings.Cut(f.text, "="); ok && hasWord("SHELL .SHELLFLAGS", name) && !hasWord("bash sh", path.Base(value)) {
			m.runCode(value, "", c.part())
		} else if ok { // recipes receive it as a variable of the environment
			m.setting(name, &variable{values: []string{value}}, c.path+" ", true)
		}
	}
}

// sed checks scripts that run commands or write files.
func (m *interpreter) sed(c *invocation) {
	o := c.optionsTaking("-e -f --expression --file -l")
	scripts := o.values("-e --expression")
	if len(scripts) == 0 && len(o.operands) > 0 && !o.has("-f --file") {
		scripts = append(scripts, o.operands[0].text)
	}
	for _, s := range scripts {
		m.namedFiles(s, c)
		for command := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == ';' }) {
			m.sedCommand(strings.TrimSpace(command), c)
		}
	}
}

// sedCommand checks one command of a sed script: e and the flag e of s run a command, w, W and the
// flag w write a file.
func (m *interpreter) sedCommand(s string, c *invocation) {
	body := strings.TrimLeft(s, "0123456789,$~+! ")
	if strings.HasPrefix(body, "/") {
		if end := strings.IndexByte(body[1:], '/'); end >= 0 {
			body = strings.TrimLeft(body[end+2:], " !")
		}
	}
	switch {
	case body == "e":
		m.report("unknown-code", c.part(), "")
	case strings.HasPrefix(body, "e "):
		m.runCode(strings.TrimSpace(body[1:]), "", c.part())
	case strings.HasPrefix(body, "w ") || strings.HasPrefix(body, "W "):
		m.writesTo(strings.TrimSpace(body[2:]), c)
	case len(body) > 3 && body[0] == 's' && !isNameByte(body[1]):
		with, flags, whole := sedReplaces(body[2:], body[1])
		before, file, writes := strings.Cut(flags, "w ")
		if whole && strings.Contains(before, "e") && strings.Trim(before, "egimIM0123456789p") == "" {
			m.runCode(with, "", c.part())
			m.report("unknown-code", c.part(), "")
		}
		if whole && writes {
			m.writesTo(file, c)
		}
	}
}

// sedReplaces parses the text after "s/" into the replacement and the flags.
// whole is false if the command is incomplete.
func sedReplaces(s string, separator byte) (with, flags string, whole bool) {
	first := -1
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == separator && first < 0:
			first = i
		case s[i] == separator:
			return s[first+1 : i], s[i+1:], true
		}
	}
	return "", "", false
}

// awk checks programs that run commands or write files.
func (m *interpreter) awk(c *invocation) {
	o := c.optionsTaking("-F -v -f -i --file --assign --field-separator -e --source")
	program := ""
	if len(o.operands) > 0 && !o.has("-f --file") {
		program = o.operands[0].text
	}
	program += strings.Join(o.values("-e --source"), "\n")
	for _, name := range o.values("-f --file") {
		program += m.files[m.absolute(name)]
	}
	m.namedFiles(program, c)
	for _, x := range callsIn(program) {
		if found := literalsIn(x.args); x.name == "system" {
			m.runCode(strings.Join(textsOf(found), ""), "", c.part())
			m.reportIf(dynamic(x.args) || len(found) == 0, "unknown-code", c.part(), "")
		}
	}
	all := literalsIn(program)
	for _, t := range all {
		before := strings.TrimRight(program[:max(0, t.end-len(t.text)-2)], " ")
		after := strings.TrimLeft(program[min(t.end, len(program)):], " ")
		switch pipes := strings.HasSuffix(before, "|") || hasAnyPrefix(after, "| getline", "|getline"); {
		case pipes && isOf("shell", strings.TrimPrefix(strings.Fields(t.text + " x")[0], "/bin/")):
			m.report("unknown-code", c.part(), "")
			m.codes(textsOf(all), c)
		case pipes:
			m.runCode(t.text, "", c.part())
		case strings.HasSuffix(before, ">"):
			m.writesTo(t.text, c)
		}
	}
	for _, statement := range strings.FieldsFunc(program, func(r rune) bool { return strings.ContainsRune("\n;{}", r) }) {
		if _, printed, prints := strings.Cut(statement, "print"); prints {
			if at := strings.LastIndexByte(printed, '>'); at >= 0 && !strings.Contains(printed[:at], "(") && !strings.ContainsAny(printed[at:], "\"'") {
				m.codeBuilds(program, c)
			}
		}
	}
}

// installs checks installations from URLs and package scripts. Packages from registries are
// allowed.
func (m *interpreter) installs(c *invocation) {
	words := plainTexts(c.args)
	m.packageScript(c)
	for _, word := range words {
		if name, script, ok := strings.Cut(word, "="); ok && verbIn("pkg set", c.optionsTaking("")) && strings.HasPrefix(name, "scripts.") {
			m.runCode(script, "", c.part())
		}
		bare := strings.HasPrefix(strings.TrimPrefix(word, "git+"), "http://") && !hasAny(word, "localhost", "127.0.0.1")
		m.reportIf(bare && hasWord("pip pip3 npm", c.name), "network-to-shell", c.part(), "it is fetched without encryption")
	}
}

// packageScript runs a script of a package.json that the command line itself wrote.
func (m *interpreter) packageScript(c *invocation) {
	text, ok := m.files[m.absolute("package.json")]
	if !ok || !hasWord("npm pnpm yarn bun", c.name) || len(c.args) == 0 {
		return
	}
	name := c.args[0].text
	if (name == "run" || name == "run-script") && len(c.args) > 1 {
		name = c.args[1].text
	}
	var file struct{ Scripts map[string]string }
	if json.Unmarshal([]byte(text), &file) != nil {
		m.report("unknown-code", c.part(), "the line has written package.json")
		return
	}
	scripts := []string{"pre" + name, name, "post" + name}
	if hasWord("install i ci", name) {
		scripts = append(scripts, "preinstall", "postinstall", "prepare")
	}
	for _, s := range scripts {
		if script := file.Scripts[s]; script != "" {
			m.runCode(script, "", c.part())
		}
	}
}

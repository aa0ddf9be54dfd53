package command

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// run interprets one command with its arguments and returns its output.
func (m *interpreter) run(args []field, stdin string, piped bool) string {
	for len(args) > 0 && args[0].text == "" { // empty expansions are not commands
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	for _, f := range args {
		m.countBytes(len(f.text))
	}
	if !m.countStep(args[0].text) {
		return unknown
	}
	return m.limited(2*maxNestedCommands, texts(args), func() string { return m.invoke(args, stdin, piped) })
}

// invoke interprets a command with a name.
func (m *interpreter) invoke(args []field, stdin string, piped bool) string {
	c := &invocation{path: args[0].text, args: args[1:], stdin: stdin, piped: piped, dir: m.dir}
	if !m.name(c, args[0]) {
		return unknown
	}
	if slices.ContainsFunc(c.args, looksLikeOption) {
		m.report("hidden-characters", visible(c.part()), "one of its dashes is not a dash that commands accept")
	}
	m.record(args, piped)
	m.recordInput(c)
	run, touched := len(m.runs)-1, len(m.writes)
	out := m.perform(c)
	m.runs[run].ReadOnly = c.readOnly() && !slices.ContainsFunc(m.writes[touched:], func(f File) bool { return !f.Unsure })
	if next := NextTask(m.runs[run].Words); next != "" {
		m.record([]field{args[0], {text: "start"}, {text: next}}, false)
	}
	return out
}

// NextTask returns the task that "idumb complete TASK --start NEXT" starts, or "". Such a command is
// judged as its completion and as "idumb start NEXT".
func NextTask(words []string) (next string) {
	if len(words) == 0 || !IsIdumb(words[0]) || !slices.Contains(words, "complete") {
		return ""
	}
	for i, w := range words {
		if value, joined := strings.CutPrefix(w, "--start="); joined {
			next = value
		} else if w == "--start" && i+1 < len(words) {
			next = words[i+1]
		}
	}
	return next
}

// perform interprets the effects of a command and returns its output.
func (m *interpreter) perform(c *invocation) string {
	if body, ok := m.functions[c.path]; ok {
		return m.call(c.path, body, c.args, c.stdin)
	}
	if m.writtenBefore(c) {
		return unknown
	}
	if out, done := m.builtin(c); done {
		return out
	}
	if out, done := m.wrapped(c); done {
		return out
	}
	m.dangers(c)
	return m.output(c)
}

// name determines the name of a command. It returns false if the name is unknown.
func (m *interpreter) name(c *invocation, first field) bool {
	base := path.Base(c.path)
	pattern := strings.ContainsAny(c.path, "*?") || strings.Contains(c.path, "[") && strings.Contains(c.path, "]")
	switch {
	case strings.Contains(c.path, fetched):
		m.report("network-to-shell", c.part(), "")
		return false
	case !isKnown(base):
		m.report("unknown-command", c.part(), "")
		return false
	case confusable(c.path):
		m.report("hidden-characters", visible(c.part()), "its name is written with letters of another alphabet")
		return false
	case first.glob && pattern:
		m.report("unknown-command", c.part(), "its name is a pattern")
		return false
	}
	if program, ok := m.programs[m.absolute(c.path)]; ok && strings.Contains(c.path, "/") {
		base = program
	}
	base = strings.TrimSuffix(strings.ToLower(base), ".exe")
	c.name = base[strings.LastIndexByte(base, '\\')+1:]
	return true
}

// part returns the command as text for a verdict.
func (c *invocation) part() string {
	if c.text == "" {
		shown := []string{c.path}
		for _, f := range c.args {
			shown = append(shown, cmp.Or(f.source, f.text))
		}
		c.text = strings.Join(shown, " ")
	}
	return c.text
}

// optionsTaking parses the command's arguments. takes lists the options with a value.
func (c *invocation) optionsTaking(takes string) *parsedOptions {
	if c.parsed == nil || c.takes != takes {
		c.takes, c.parsed = takes, parseOptions(c.args, styleOf(c.name), takes)
	}
	return c.parsed
}

// record adds a command to the list of runs.
func (m *interpreter) record(args []field, piped bool) {
	if len(m.runs) >= maxSteps {
		return
	}
	r := Run{Complete: true, Dir: m.dir, Reads: piped, Detached: m.detached, Args: words(args), Part: m.part(args[0].text, args[1:]), fields: args}
	for _, w := range r.Args {
		if r.Complete = r.Complete && w.Literal; r.Complete {
			r.Words = append(r.Words, w.Text)
		}
	}
	if !isKnown(r.Dir) {
		r.Dir, r.DirUnknown = "", true
	}
	m.runs = append(m.runs, r)
}

// recordInput records the input of an idumb command from this line: files written earlier, and
// stdin.
func (m *interpreter) recordInput(c *invocation) {
	if !IsIdumb(c.path) || len(m.runs) == 0 || len(m.files) == 0 && !c.piped {
		return
	}
	contents := map[string]Content{}
	if c.piped {
		contents["-"] = contentOf(c.stdin)
	}
	for _, f := range c.args {
		_, value, _ := strings.Cut(f.text, "=")
		for name := range strings.SplitSeq(f.text+","+value+","+strings.TrimLeft(f.text, "-Rf="), ",") {
			if text, written := m.files[m.absolute(name)]; written && name != "" {
				contents[name] = contentOf(text)
			}
		}
	}
	m.runs[len(m.runs)-1].Contents = contents
}

// contentOf converts a text that may contain marks to a Content.
func contentOf(text string) Content { return Content{text, isKnown(text), text == unknown} }

// builtin interprets shell builtins. done is false for other commands.
func (m *interpreter) builtin(c *invocation) (out string, done bool) {
	switch c.name {
	case "cd", "pushd", "chdir":
		m.changeDir(c)
	case "popd":
		m.dir = m.opts.Dir
	case "eval":
		return m.runCode(texts(c.args), c.stdin, c.part()), true
	case "source", ".":
		if len(c.args) > 0 {
			name := c.args[0].text
			m.fileCode(name, c, "", !isKnown(path.Base(name)))
		}
	case "export", "declare", "typeset", "local", "readonly", "setenv":
		m.declare(c.args, c.path+" ")
	case "set":
		m.set(c)
	case "shift":
		m.args = m.args[min(1, len(m.args)):]
	case "let":
		for _, f := range c.args {
			m.arithmetic(f.text)
		}
	case "unset":
		for _, f := range c.args {
			delete(m.vars, f.text)
		}
	case "unalias", ":", "true", "false", "return", "exit", "break", "continue", "wait", "jobs", "fg", "bg", "disown", "umask", "getopts", "hash", "[", "test", "[[", "shopt", "bind", "complete", "compgen", "ulimit", "times":
	case "alias":
		m.alias(c)
	case "trap":
		o := c.optionsTaking("")
		if len(o.operands) > 1 && o.operands[0].text != "" {
			m.runCode(o.operands[0].text, "", c.part())
		}
	case "read", "mapfile", "readarray":
		m.readInto(c)
	case "printf":
		return m.printf(c), true
	case "echo":
		return m.echo(c), true
	default:
		return "", false
	}
	return "", true
}

// changeDir sets the working directory as cd does, and OLDPWD.
func (m *interpreter) changeDir(c *invocation) {
	o, before := c.optionsTaking(""), m.dir
	switch {
	case len(o.operands) == 0:
		m.dir = m.opts.Home
	case o.operands[0].text == "-":
		m.dir = cmp.Or(m.previousDir, m.opts.Dir)
	default:
		m.dir = m.absolute(o.operands[0].text)
	}
	m.previousDir = before
	m.vars["OLDPWD"] = &variable{values: []string{before}}
}

// declare sets variables from arguments. by is the command before them.
func (m *interpreter) declare(args []field, by string) {
	for _, f := range args {
		if name, text, found := strings.Cut(f.text, "="); found && isKnown(name) {
			v := &variable{values: []string{text}}
			m.vars[name] = v
			m.setting(name, v, by, false)
		}
	}
}

// set interprets the builtin set: it replaces the positional parameters.
func (m *interpreter) set(c *invocation) {
	for i, f := range c.args {
		option := strings.HasPrefix(f.text, "-") || strings.HasPrefix(f.text, "+") || i > 0 && c.args[i-1].text == "-o"
		if f.text == "--" || !option {
			m.args, m.inFunction = plainTexts(c.args[i:]), true
			if f.text == "--" {
				m.args = m.args[1:]
			}
			return
		}
	}
}

// alias interprets the builtin alias. It checks the text of an alias as code at once and stores it.
func (m *interpreter) alias(c *invocation) {
	for _, f := range c.args {
		if name, text, found := strings.Cut(f.text, "="); found {
			if isKnown(text) && name != "" {
				delete(m.aliases, name)
				m.runCode(text, "", "alias "+name+"='"+text+"'")
			}
			m.aliases[name] = text
		}
	}
}

// readInto sets the variables of the read builtin.
func (m *interpreter) readInto(c *invocation) {
	takes := "-p -d -n -N -t -u -i -a -s"
	if c.name != "read" {
		takes = "-d -n -O -s -u -C -c"
	}
	o := c.optionsTaking(takes)
	line, _, _ := strings.Cut(c.stdin, "\n")
	if !c.piped {
		line = unknown
	}
	if name, ok := o.value("-a"); ok {
		m.vars[name] = &variable{items: strings.Fields(line)}
	}
	if c.name != "read" && len(o.operands) > 0 {
		m.vars[o.operands[0].text] = &variable{items: strings.Split(strings.TrimSuffix(c.stdin, "\n"), "\n")}
		return
	}
	names := o.operands
	if len(names) == 0 {
		names = []field{{text: "REPLY"}}
	}
	for i, f := range names {
		text := strings.Trim(line, " \t")
		if end := strings.IndexAny(text, m.separators()); end >= 0 && i < len(names)-1 {
			text, line = text[:end], text[end+1:]
		} else if i < len(names)-1 {
			line = ""
		}
		m.vars[f.text] = &variable{values: []string{text}}
		if lines := strings.Split(strings.TrimSpace(c.stdin), "\n"); len(names) == 1 && len(lines) > 1 { // read in a loop
			m.vars[f.text].values = lines[:min(len(lines), maxChoices)]
		}
	}
}

// setting checks variables that change the behavior of programs, according to the table.
func (m *interpreter) setting(name string, v *variable, by string, forCommand bool) {
	value := append(slices.Clone(v.values), "")[0]
	part := name + "=" + value
	m.sets(name, value, by+part)
	for _, r := range rowsOfVariable(name) {
		given, held := r.get("words"), r.get("holds")
		switch {
		case value == "", hasWord(r.get("spares"), value), given != "" && !hasWord(given, value), held != "" && !hasAny(value, strings.Split(held, "|")...), r.get("how") == "once" && !forCommand:
		case r.is("writes"):
			if strings.HasPrefix(value, "/") {
				m.writesTo(value, &invocation{path: part, dir: m.dir})
			}
		case r.is("runs") && r.is("anywhere"):
			m.runCode(strings.TrimSpace(r.get("front")+" "+value), "", part)
		case r.is("runs"):
			m.program(strings.TrimLeft(value, "| "), part)
		default:
			m.report(r.get("rule"), part, r.get("why"))
		}
	}
	if n, ok := strings.CutPrefix(name, "GIT_CONFIG_VALUE_"); ok && m.vars["GIT_CONFIG_KEY_"+n] != nil {
		m.setsGit(strings.Join(m.vars["GIT_CONFIG_KEY_"+n].values, "")+"="+value, part)
	}
	if name == "GIT_CONFIG_PARAMETERS" {
		for s := range strings.SplitSeq(value, "' '") {
			m.setsGit(strings.ReplaceAll(s, "'", ""), part)
		}
	}
	if hasWord("PS0 PS1 PS4", name) {
		m.document(value)
	}
}

// setsGit checks a git setting from a variable and records an alias.
func (m *interpreter) setsGit(assignment, part string) {
	name, value, _ := strings.Cut(assignment, "=")
	m.gitSetting(name, value, false, &invocation{path: part})
	if alias, ok := strings.CutPrefix(strings.ToLower(name), "alias."); ok {
		m.aliases["git "+alias] = value
	}
}

// program checks a command line from a setting. Programs given by path need approval,
// because the run is not visible.
func (m *interpreter) program(line, part string) {
	m.runCode(line, "", part)
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	m.reportIf(strings.Contains(first, "/") && isKnown(first) && !inSystemBin(first), "unknown-code", part, "another program runs "+first)
}

// inSystemBin reports whether a program is in a system folder for executables.
func inSystemBin(name string) bool {
	return hasWord("/bin /sbin /usr/bin /usr/sbin /usr/local/bin /opt/homebrew/bin", path.Dir(name))
}

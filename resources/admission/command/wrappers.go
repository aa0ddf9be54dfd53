package command

import (
	"cmp"
	"slices"
	"strings"
)

// wrapped runs the command that a wrapper like xargs, find, a shell or sudo starts. done is
// false for other commands.
func (m *interpreter) wrapped(c *invocation) (out string, done bool) {
	switch c.name {
	case "xargs", "parallel":
		return m.xargs(c), true
	case "find", "fd", "fdfind", "gfind":
		return m.find(c), true
	}
	if isOf("shell", c.name) {
		return m.shell(c), true
	}
	for _, w := range rows("runs", c.name) {
		if len(c.args) > 0 && hasWord(w.get("spares"), c.args[0].text) { // another program with this name
			continue
		}
		if args, leads := w.wrappedWords(c.args); leads {
			return m.unwrap(w, c, args)
		}
	}
	return "", false
}

// Unwrapped removes wrappers like env, sudo and timeout and leading variable assignments
// from a command.
func Unwrapped(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	for _, r := range rows("runs", words[0]) {
		args, leads := r.wrappedWords(fieldsOf(words[1:]))
		s := sorting{name: words[0], row: r, operands: r.number("operands")}
		if s.sort(args); leads && r.is("bare") && len(s.rest) > 0 {
			return Unwrapped(plainTexts(s.rest))
		}
	}
	return words
}

// wrappedWords returns the arguments that follow the words of a wrapper. It returns false if other
// words come first.
func (r row) wrappedWords(args []field) ([]field, bool) {
	words := r.get("words")
	for i := 0; i < len(args) && words != ""; i++ {
		a := args[i].text
		next, rest, _ := strings.Cut(words, " ")
		switch {
		case a == next:
			if words = rest; words == "" {
				return args[i+1:], true
			}
		case strings.HasPrefix(a, "-"):
			if hasWord(r.get("takes")+" "+r.get("dir"), a) || hasWord("-n -C --context --namespace -f -H -p -c -L --profile --project", a) {
				i++
			}
		default:
			return nil, false
		}
	}
	return args, words == ""
}

// unwrap runs the command that a wrapper starts, and returns its output. args
// are the arguments after the wrapper's own words. done is false if the wrapper
// starts no command.
func (m *interpreter) unwrap(w row, c *invocation, args []field) (out string, done bool) {
	defer func(was bool) { m.detached = was }(m.detached)
	m.detached = m.detached || w.is("detaches") || w.is("remote")
	m.inTable(c)
	m.runOptions(c, c.part())
	s := sorting{name: c.name, row: w, operands: w.number("operands")}
	s.inFront(c.args[:len(c.args)-len(args)])
	s.sort(args)
	for _, i := range s.variables {
		m.declare(args[i:i+1], m.part(c.path, c.args[:len(c.args)-len(args)+i])+" ")
	}
	for w.is("assigns") && len(s.rest) > 0 && isAssignment(s.rest[0].text) { // after -S
		m.declare(s.rest[:1], m.part(c.path, nil)+" ")
		s.rest = s.rest[1:]
	}
	switch c.name {
	case "command":
		if len(args) > 0 && hasWord("-v -V", args[0].text) {
			if len(s.rest) > 0 {
				out = "/usr/bin/" + s.rest[0].text + "\n"
			}
			return out, true
		}
	case "start-stop-daemon": // the program is the value of an option, its arguments follow "--"
		if s.dashes && len(s.scripts) > 0 {
			for _, program := range s.scripts {
				out += m.run(append([]field{{text: program}}, s.rest...), c.stdin, c.piped)
			}
			return out, true
		}
	case "git":
		if w.get("words") == "submodule foreach" { // runs in each submodule
			defer m.restoreDir(m.dir)
			m.dir = m.absolute("module")
		}
	case "docker", "podman":
		if entry, ok := parseOptions(args, styleOf(c.name), w.get("takes")).value("--entrypoint"); ok && entry != "" && strings.HasSuffix(w.get("words"), "run") {
			s.rest = append([]field{{text: entry}}, s.rest...)
		}
	}
	if s.dir != "" {
		defer m.restoreDir(m.dir)
		m.dir = m.absolute(s.dir)
	}
	if w.is("remote") {
		m.reportIf(strings.Contains(c.stdin, private), "secret-upload", c.part(), "")
		m.mounts(c)
		isRun := strings.HasSuffix(w.get("words"), "run")
		if isRun {
			s.rest = ofImage(args[:len(args)-len(s.rest)], s.rest)
		}
		if folders, dir := m.mounted(parseOptions(args, styleOf(c.name), w.get("takes"))); isRun && len(folders) > 0 {
			defer func(before string, links map[string]string) { m.dir, m.links = before, links }(m.dir, m.links)
			m.links = folders
			m.dir = m.absolute(dir + "/")
		} else {
			defer m.enterRemote()()
		}
	}
	for _, script := range s.scripts {
		out += m.runCode(script, c.stdin, c.part())
	}
	if own := args[:min(len(args), len(args)-len(s.rest)+1)]; w.is("fetches") {
		m.reportIf(fromAddress(own), "network-to-shell", c.part(), "the program comes from an address, and from no registry")
		s.rest = ofPackage(s.rest)
	}
	how := w.get("how")
	if c.name == "watch" && literally(args, "-x --exec") {
		how = ""
	}
	switch {
	case how == "dashed" && !s.dashes:
		return unknown, len(s.scripts) > 0
	case len(s.rest) == 0:
		if w.is("reads") && c.piped && len(s.scripts) == 0 {
			out += m.runCode(c.stdin, "", c.part())
		}
		if c.name == "env" { // prints all variables, including secrets
			return private, true
		}
		return out + unknown, len(s.scripts) > 0 || how != "optional" || c.piped
	case how == "each":
		for _, f := range s.rest {
			out += m.runCode(f.text, c.stdin, c.part())
		}
		return out, true
	case how == "joined":
		return out + m.runCode(texts(s.rest), c.stdin, c.part()), true
	}
	return out + m.run(s.rest, c.stdin, c.piped), true
}

// sorting holds the arguments of a wrapper, separated into the parts that belong to the wrapper and
// the command that it starts.
type sorting struct {
	name      string
	row       row
	operands  int      // number of operands left before the command
	scripts   []string // shell scripts
	variables []int    // indexes of the arguments that set variables
	rest      []field  // command
	dashes    bool     // command follows "--"
	dir       string   // working directory; empty for the wrapper's
}

// inFront reads the options before the words of the wrapper that set the working directory.
func (s *sorting) inFront(args []field) {
	if s.row.get("dir") == "" {
		return
	}
	for i, f := range args {
		if strings.HasPrefix(f.text, "-") {
			s.option(f.text, args[i+1:])
		}
	}
	s.scripts, s.rest = nil, nil
}

// sort reads the arguments after the words of a wrapper: it finds the wrapper's options and
// operands, and stores the started command in rest.
func (s *sorting) sort(args []field) {
	how, late := s.row.get("how"), s.row.is("late")
	joins := how == "joined" || how == "each"
	for i := 0; i < len(args) && s.rest == nil; i++ {
		a := args[i].text
		switch {
		case a == "--" || hasWord(s.row.get("rest"), a):
			from := i + 1
			if how != "dashed" && s.operands > 0 && s.operands < 9 && !late { // they follow "--"
				from += s.operands
			}
			if from == i+1 || !joins && from <= len(args) {
				s.rest, s.dashes = args[from:], true
				return
			}
		case a == "-" && hasWord("su env genv", s.name), s.name == "cmd" && len(a) == 2 && a[0] == '/':
		case len(a) > 1 && a[0] == '-':
			i += s.option(a, args[i+1:])
		case s.operands > 0:
			if s.operands--; s.operands > 0 || joins || late {
				continue
			}
			switch next := args[i+1:]; { // the command, or an option with a script (flock FILE -c CODE)
			case len(next) > 0 && hasWord(s.row.get("code"), next[0].text):
			case len(next) > 0 && next[0].text == "--":
				s.rest = next[1:]
			default:
				s.rest = next
			}
		case s.row.is("assigns") && isAssignment(a):
			s.variables = append(s.variables, i)
		case how != "dashed":
			s.rest = args[i:]
		}
	}
}

// lowerCase holds the letters that may precede an option with a value in a bundle of
// options.
const lowerCase = "abcdefghijklmnopqrstuvwxyz"

// option reads one option and returns the number of following arguments that are its value.
func (s *sorting) option(a string, behind []field) (used int) {
	code, takes := s.row.get("code"), s.row.get("takes")
	name, value, joined := strings.Cut(a, "=")
	switch dirs := s.row.get("dir"); {
	case joined && hasWord(dirs, name):
		s.dir = value
	case hasWord(dirs, a) && len(behind) > 0:
		s.dir = behind[0].text
		return 1
	case len(a) > 2 && a[1] != '-' && hasWord(dirs, a[:2]):
		s.dir = a[2:]
		return 0
	}
	if hasWord(s.row.get("two"), a) {
		return min(2, len(behind))
	}
	short := len(a) > 2 && a[1] != '-'
	last, front := "-"+a[len(a)-1:], short && hasWord(code, a[:2])
	bundled := short && !front && hasWord(code, last) && strings.Trim(a[1:], lowerCase) == "" // script -qc CODE
	switch {
	case len(behind) > 1 && s.name == "env" && hasWord(code, a): // -S: first words of the command
		s.scripts, s.rest = nil, append(fieldsOf(strings.Fields(behind[0].text)), behind[1:]...)
		return 1
	case len(behind) > 0 && (hasWord(code, a) || bundled):
		s.scripts = append(s.scripts, behind[0].text)
		return 1
	case joined && hasWord(code, name):
		s.scripts = append(s.scripts, value)
	case front:
		s.scripts = append(s.scripts, a[2:])
	case hasWord(takes, a) || short && s.name != "env" && hasWord(takes, last) && strings.Trim(a[1:], lowerCase+"AS") == "":
		return 1
	}
	return 0
}

// enterRemote simulates another machine with separate folders until leave is called.
func (m *interpreter) enterRemote() (leave func()) {
	dir, opts, files := m.dir, m.opts, m.files
	m.files = map[string]string{}
	m.opts.Root, m.opts.Ignored = "/elsewhere/project", nil
	m.dir = m.opts.Root
	return func() { m.dir, m.opts, m.files = dir, opts, files }
}

// shell runs a shell with a command text, a script file or its input. Options are parsed as
// in bash: each o or O in a bundle takes one following argument (bash -euo pipefail -c
// CODE).
func (m *interpreter) shell(c *invocation) string {
	text, input, args := false, false, c.args
options:
	for len(args) > 0 && args[0].text != "" && (args[0].text[0] == '-' || args[0].text[0] == '+') && isKnown(args[0].text) {
		a := args[0].text
		used := 0
		switch {
		case a == "--" || a == "-":
			args = args[1:]
			break options
		case a == "--version" || a == "--help":
			return unknown
		case a == "--rcfile" || a == "--init-file":
			if used = 1; len(args) > 1 {
				m.runCode(m.files[m.absolute(args[1].text)], "", c.part())
			}
		case a == "--command" || a == "--commands": // fish, nu
			text = true
		case a[:1] == "+" || a[:2] != "--":
			text, input = text || strings.Contains(a, "c"), input || strings.Contains(a, "s")
			if used = strings.Count(a, "o") + strings.Count(a, "O"); !text && strings.Contains(a, "n") && a[0] == '-' {
				return unknown
			}
		}
		args = args[min(1+used, len(args)):]
	}
	switch {
	case len(args) > 0 && text:
		return m.shellText(args, c)
	case input:
		return m.withArgs(args, func() string { return m.runCode(c.stdin, "", c.part()) })
	case len(args) > 0:
		a := args[0].text
		return m.withArgs(args[1:], func() string { return m.fileCode(a, c, c.stdin, !isKnown(a) && !strings.Contains(a, "/")) })
	case c.piped:
		return m.runCode(c.stdin, "", c.part())
	}
	return unknown // interactive shell
}

// shellText runs a command text in a shell. The following arguments are $0, $1 and so on.
func (m *interpreter) shellText(args []field, c *invocation) string {
	defer func(dir, zero string) { m.dir, m.arg0 = dir, zero }(m.dir, m.arg0)
	if len(args) > 1 {
		m.arg0 = args[1].text
	}
	return m.withArgs(args[min(2, len(args)):], func() string { return m.runCode(args[0].text, c.stdin, c.part()) })
}

// fileCode runs a script file in a shell. Files that the command line wrote are
// interpreted, files of the repository are trusted. unsure means that the file cannot be
// determined.
func (m *interpreter) fileCode(name string, c *invocation, stdin string, unsure bool) string {
	text, written := m.files[m.absolute(name)]
	switch {
	case written:
		return m.runCode(text, stdin, c.part())
	case hasWord("/dev/stdin /proc/self/fd/0 /dev/fd/0", name):
		return m.runCode(c.stdin, "", c.part())
	case isAddress(name):
		m.report("network-to-shell", c.part(), "")
	case unsure:
		m.report("unknown-code", c.part(), "")
	}
	return unknown
}

// isAddress reports whether a name is a URL or comes from a download.
func isAddress(name string) bool {
	return hasAnyPrefix(name, "http://", "https://") || strings.Contains(name, fetched)
}

// fromAddress reports whether an argument of a runner is a package address. The
// address of a registry does not count.
func fromAddress(words []field) bool {
	isFrom := func(name string) bool {
		return isAddress(name) || hasAnyPrefix(name, "git+", "git://", "git@", "ssh://", "github:", "gitlab:", "bitbucket:", "gist:")
	}
	option := ""
	for _, f := range words {
		name, value, joined := strings.Cut(f.text, "=")
		if strings.HasPrefix(name, "-") && !joined {
			option = name
			continue
		} else if joined {
			option = name
		}
		value = cmp.Or(value, name)
		_, version, _ := strings.Cut(value, "@")
		if !hasAny(option, "registry", "index") && (isFrom(value) || isFrom(strings.TrimSpace(version))) {
			return true
		}
	}
	return false
}

// writtenBefore runs a file that the same command line wrote, in the language
// of its first line or in a shell. It returns false if the line did not write
// the file.
func (m *interpreter) writtenBefore(c *invocation) bool {
	text, written := m.files[m.absolute(c.path)]
	if !written || !strings.Contains(c.path, "/") {
		return false
	}
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") {
		for _, r := range append([]row{{names: "awk"}}, rowsOfSort("code")...) {
			if strings.Contains(first, r.names) {
				m.foreign(r.names, text, c)
				return true
			}
		}
	}
	m.withArgs(c.args, func() string { return m.runCode(text, c.stdin, c.part()) })
	return true
}

// withArgs calls run with the given positional parameters and returns its output.
func (m *interpreter) withArgs(args []field, run func() string) string {
	defer func(before []string, called bool) { m.args, m.inFunction = before, called }(m.args, m.inFunction)
	m.args, m.inFunction = plainTexts(args), true
	return run()
}

const xargsTakes = "-n -P -L -d -E -s --max-args --max-procs --delimiter --replace --max-lines -j --jobs --joblog --colsep -S --sshlogin --results --delay --timeout --retries"

// xargs runs a command with the items from the input. parallel also takes items after :::.
func (m *interpreter) xargs(c *invocation) string {
	args, place, items := m.xargsOptions(c)
	if c.name == "parallel" {
		if i := slices.IndexFunc(args, func(f field) bool { return strings.HasPrefix(f.text, ":::") }); i >= 0 {
			behind := plainTexts(args[i+1:])
			if strings.HasPrefix(args[i].text, "::::") { // files of items
				files := behind
				behind = nil
				for _, name := range files {
					behind = append(behind, strings.Fields(m.contentOf(name))...)
				}
			}
			args, items = args[:i], append(items, behind...)
		}
	}
	inner := handed(args, place, items)
	switch {
	case len(inner) == 0 && c.name == "parallel" && !c.piped: // ::: 'rm a' 'rm b'
		return m.runCode(strings.Join(items, "\n"), "", c.part())
	case len(inner) == 0 && c.name == "parallel":
		return m.runCode(c.stdin, "", c.part())
	case len(inner) == 0:
		return c.stdin
	case c.name == "parallel" && len(args) == 1: // 'echo {}; rm {}'
		return m.runCode(texts(inner), "", c.part())
	}
	m.handsOn(inner)
	return m.run(inner, "", false)
}

// xargsOptions parses the options of xargs and parallel. It returns the remaining arguments, the
// placeholder and the items.
func (m *interpreter) xargsOptions(c *invocation) (args []field, place string, items []string) {
	args, place = c.args, "{}"
	if c.piped {
		items = strings.Fields(c.stdin)
		if c.name == "parallel" {
			items = linesOf(c)
		}
	}
	for ; len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-'; args = args[1:] {
		a, used := args[0].text, min(1, len(args)-1)
		value := args[used].text
		switch file, joined := strings.CutPrefix(a, "--arg-file="); {
		case a == "--":
			return args[1:], place, items
		case a == "-0" || a == "--null":
			used = 0
			if isKnown(c.stdin) && c.piped {
				items = linesOf(c)
			}
		case a == "-I" && used == 1:
			place, items = value, linesOf(c)
		case a == "-J" && used == 1:
			place = value
		case strings.HasPrefix(a, "-I"):
			place, items, used = a[2:], linesOf(c), 0
		case joined:
			items, used = strings.Fields(m.contentOf(file)), 0
		case used == 1 && (a == "-a" || a == "--arg-file"):
			items = strings.Fields(m.contentOf(value))
		case !hasWord(xargsTakes, a):
			used = 0
		}
		args = args[used:]
	}
	return args, place, items
}

// linesOf returns the lines of a command's input.
func linesOf(c *invocation) []string {
	if !c.piped {
		return nil
	}
	return strings.Split(strings.TrimSpace(c.stdin), "\n")
}

// handed returns a command with all items inserted at the placeholder, or appended.
func handed(command []field, place string, items []string) []field {
	replaced := false
	var all []field
	for _, f := range command {
		if place == "" || !strings.Contains(f.text, place) || len(all) >= maxFields {
			all = append(all, f)
			continue
		}
		replaced = true
		each := items[:min(len(items), maxChoices)]
		if len(items) == 0 {
			each = []string{unknown}
		}
		for _, item := range each {
			all = append(all, itemField(strings.ReplaceAll(f.text, place, item)))
		}
	}
	if !replaced && len(all) > 0 {
		for _, item := range items[:min(len(items), maxFields)] {
			all = append(all, itemField(item))
		}
	}
	return all
}

// itemField returns an item as an argument. Items with pattern characters stay patterns.
func itemField(item string) field { return field{text: item, glob: strings.ContainsAny(item, "*?[")} }

package command

import "strings"

// wrapped runs what a command runs; done is false if it is none that does.
func (m *machine) wrapped(c *invocation) (out string, done bool) {
	switch c.name {
	case "xargs", "parallel":
		return m.xargs(c), true
	case "find", "fd", "fdfind", "gfind":
		return m.find(c), true
	case "at", "batch":
		m.code(c.stdin, "", c.part())
		return "", true
	}
	if isOf("shell", c.name) {
		return m.shell(c), true
	}
	for _, w := range rows("runs", c.name) {
		if args, leads := w.behind(c.args); leads {
			return m.unwrap(w, c, args)
		}
	}
	return "", false
}

// behind returns what stands behind a wrapper's own words; false if others come first.
func (r *row) behind(args []field) ([]field, bool) {
	words := r.words
	for i := 0; i < len(args) && words != ""; i++ {
		a := args[i].text
		next, rest, _ := strings.Cut(words, " ")
		switch {
		case a == next:
			if words = rest; words == "" {
				return args[i+1:], true
			}
		case strings.HasPrefix(a, "-"):
			if hasWord(r.takes, a) || hasWord("-n -C --context --namespace -f -H -p -c -L --profile --project", a) {
				i++
			}
		default:
			return nil, false
		}
	}
	return args, words == ""
}

// unwrap runs what a wrapper runs, of which args stand behind its own words.
func (m *machine) unwrap(w *row, c *invocation, args []field) (out string, done bool) {
	m.inTable(c)
	s := sorting{m: m, c: c, w: w, operands: w.operands}
	s.sort(args)
	if c.name == "command" && len(args) > 0 && (args[0].text == "-v" || args[0].text == "-V") {
		if len(s.rest) > 0 {
			out = "/usr/bin/" + s.rest[0].text + "\n"
		}
		return out, true
	}
	if c.name == "ssh" || c.name == "autossh" {
		m.connects(c)
	}
	if w.remote {
		m.mounts(c)
		leave := m.elsewhere()
		defer leave()
	}
	if (c.name == "docker" || c.name == "podman") && strings.HasSuffix(w.words, "run") {
		if entry, ok := parseOptions(args, w.takes).value("--entrypoint"); ok && entry != "" {
			s.rest = append([]field{{text: entry}}, s.rest...)
		}
	}
	for _, script := range s.scripts {
		out += m.code(script, c.stdin, c.part())
	}
	how := w.how
	if c.name == "watch" && literally(args, "-x --exec") {
		how = ""
	}
	switch {
	case how == "dashed" && !s.dashes:
		return unknown, len(s.scripts) > 0
	case len(s.rest) == 0:
		if w.reads && c.piped && len(s.scripts) == 0 {
			out += m.code(c.stdin, "", c.part())
		}
		if c.name == "env" { // it shows all variables, with the secrets in them
			return private, true
		}
		return out + unknown, len(s.scripts) > 0 || how != "optional" || c.piped
	case how == "each":
		for _, f := range s.rest {
			out += m.code(f.text, c.stdin, c.part())
		}
		return out, true
	case how == "joined":
		return out + m.code(texts(s.rest), c.stdin, c.part()), true
	}
	return out + m.run(s.rest, c.stdin, c.piped), true
}

// sorting takes a wrapper's words apart.
type sorting struct {
	m        *machine
	c        *invocation
	w        *row
	operands int      // how many still stand before the command
	scripts  []string // texts that a shell reads
	rest     []field  // the command
	dashes   bool     // it stands behind "--"
}

func (s *sorting) sort(args []field) {
	for i := 0; i < len(args) && s.rest == nil; i++ {
		a := args[i].text
		switch {
		case a == "--":
			if from := s.behindDashes(i+1, len(args)); from >= 0 {
				s.rest, s.dashes = args[from:], true
				return
			}
		case a == "-" && s.c.name == "su":
		case len(a) > 1 && a[0] == '-':
			i += s.option(a, args[i+1:])
		case s.w.assigns && s.operands == 0 && isAssignment(a):
			s.m.declare(args[i:i+1], s.m.part(s.c.path, s.c.args[:len(s.c.args)-len(args)+i])+" ")
		case s.c.name == "cmd" && len(a) == 2 && a[0] == '/':
		case s.operands == 0 && s.w.how == "dashed":
		case s.operands == 0:
			s.rest = args[i:]
		default:
			if s.operands--; s.operands == 0 && !s.w.joins() && !s.w.late {
				s.behindOperands(args[i+1:])
			}
		}
	}
}

// joins reports whether a shell reads the words of the command.
func (r *row) joins() bool { return r.how == "joined" || r.how == "each" }

// behindDashes is from where on the command stands behind "--"; -1: it is none of its sort.
func (s *sorting) behindDashes(i, all int) int {
	switch {
	case s.w.how == "dashed" || s.operands == 0 || s.w.late || s.operands == 9:
		return i
	case s.operands < 9 && !s.w.joins() && i+s.operands <= all:
		return i + s.operands
	}
	return -1
}

// behindOperands takes in what stands behind the last operand: the command, or an option
// with a script (flock FILE -c CODE).
func (s *sorting) behindOperands(args []field) {
	switch {
	case len(args) > 0 && hasWord(s.w.code, args[0].text):
	case len(args) > 0 && args[0].text == "--":
		s.rest = args[1:]
	default:
		s.rest = args
	}
}

// lowerCase are the letters that a bundle of options may hold in front of one with a value.
const lowerCase = "abcdefghijklmnopqrstuvwxyz"

// option takes in an option, and returns how many of the words behind it are its value.
func (s *sorting) option(a string, behind []field) (used int) {
	name, value, joined := strings.Cut(a, "=")
	short := len(a) > 2 && a[1] != '-'
	last := "-" + a[len(a)-1:]
	switch {
	case len(behind) > 0 && (hasWord(s.w.code, a) || short && !hasWord(s.w.code, a[:2]) && hasWord(s.w.code, last) && strings.Trim(a[1:], lowerCase) == ""): // script -qc CODE
		if s.c.name == "env" && hasWord(s.w.code, a) && len(behind) > 1 { // -S: the first words of the command
			s.scripts, s.rest = nil, append(wordsOf(behind[0].text), behind[1:]...)
			return 1
		}
		s.scripts = append(s.scripts, behind[0].text)
		return 1
	case joined && hasWord(s.w.code, name):
		s.scripts = append(s.scripts, value)
	case short && hasWord(s.w.code, a[:2]):
		s.scripts = append(s.scripts, a[2:])
	case hasWord(s.w.takes, a) || short && s.c.name != "env" && hasWord(s.w.takes, last) && strings.Trim(a[1:], lowerCase+"AS") == "":
		return 1
	}
	return 0
}

// wordsOf are the words of a text.
func wordsOf(text string) []field {
	var all []field
	for word := range strings.FieldsSeq(text) {
		all = append(all, field{text: word})
	}
	return all
}

// elsewhere stands for another machine: its folders are not this one's.
func (m *machine) elsewhere() (leave func()) {
	dir, opts, files := m.dir, m.opts, m.files
	m.files = map[string]string{}
	m.opts.Root, m.opts.Ignored = "/elsewhere/project", nil
	m.dir = m.opts.Root
	return func() { m.dir, m.opts, m.files = dir, opts, files }
}

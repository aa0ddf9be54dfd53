package command

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Limits of the interpretation. Command lines that exceed them are rejected.
const (
	maxSteps   = 3000
	maxInside  = 24      // nested commands
	maxCapture = 1 << 18 // bytes of output
	maxSpent   = 4 << 20 // bytes of words and scripts in total
)

// machine interprets a command line without running it. It tracks variables, functions and
// file contents as far as the line defines them.
type machine struct {
	opts  Options
	rules *Rules

	vars      map[string]*variable
	functions map[string]*stmt
	aliases   map[string]string
	files     map[string]string // content of written files, by absolute path
	opened    map[string]string // input of opened file descriptors
	links     map[string]string // targets of created symbolic links, by absolute path
	programs  map[string]string // copies of and links to programs, by absolute path
	writers   []writer          // commands in >(...), for their writers
	args      []string          // $1 and so on
	zero      string            // $0
	called    bool              // in a function or script
	dir       string
	before    string          // previous working directory, for cd -
	ran       map[string]bool // called functions

	detached      bool // the current command runs detached from the shell
	inside, steps int
	spent         int
	over          bool
	found         []Finding

	runs          []Run
	redirections  []File   // files written by redirections
	touched       []File   // files written by commands
	inputs        []string // files read by redirections
	settings      []Setting
	handed        []listUse // commands that xargs runs with files
	lists         []listUse // commands that change files of a list
	listings      []listing // file lists that commands print
	filled        []string  // folders in which the line writes files with unknown names, absolute
	archived      []field   // content of the last archive that git or tar wrote, from its folder
	archivedByGit bool
}

// listUse is a command that changes files listed by another command of the line.
type listUse struct {
	by   string // text of the command for messages
	sure bool   // certainly changes all of them
}

// listing is a list of files that a command prints: files below a folder with some names or
// in some states.
type listing struct {
	File
	state State
	fresh bool // from the current command
}

// writer is a process substitution that receives output.
type writer struct {
	name    string
	run     []*stmt
	written bool // its input is known
}

func newMachine(o Options) *machine {
	if o.Rules == nil {
		o.Rules = shippedRules()
	}
	o.Home = path.Clean(cmp.Or(o.Home, "/home/user"))
	o.Root = path.Clean(cmp.Or(o.Root, o.Dir, o.Home+"/project"))
	o.Dir = cmp.Or(o.Dir, o.Root)
	return &machine{
		opts: o, rules: o.Rules, dir: path.Clean(o.Dir),
		vars: map[string]*variable{}, functions: map[string]*stmt{}, aliases: map[string]string{},
		files: map[string]string{}, ran: map[string]bool{}, opened: map[string]string{}, programs: map[string]string{},
	}
}

// object adds an objection.
func (m *machine) object(rule, part, why string) {
	if len(m.found) < 64 {
		m.found = append(m.found, Finding{Rule: rule, Part: shortened(shownText(part)), Why: why})
	}
}

// objectIf adds an objection if a condition holds.
func (m *machine) objectIf(holds bool, rule, part, why string) {
	if holds {
		m.object(rule, part, why)
	}
}

// step counts an interpreted command. It returns false beyond the limit.
func (m *machine) step(part string) bool {
	if m.steps++; m.steps > maxSteps {
		m.tooMuch(part, "it runs more commands than are read")
	}
	return !m.over
}

// spend counts bytes of words and scripts.
func (m *machine) spend(n int) {
	if m.spent += n; m.spent > maxSpent {
		m.tooMuch("...", "it runs commands within commands, longer than is read")
	}
}

// tooMuch aborts the interpretation. The reason is recorded once.
func (m *machine) tooMuch(part, why string) {
	if !m.over {
		m.over = true
		m.object("unreadable", part, why)
	}
}

// within calls do one nesting level deeper and returns its output, or unknown if the limit
// is exceeded.
func (m *machine) within(limit int, part string, do func() string) string {
	m.inside++
	defer func() { m.inside-- }()
	if m.inside > limit {
		m.object("unreadable", part, "it runs commands within commands, deeper than is read")
		return unknown
	}
	return do()
}

// script interprets a shell script with an input and returns its output.
func (m *machine) script(text, stdin string) string {
	return m.within(maxInside, text, func() string {
		if m.spend(len(text)); m.over {
			return unknown
		}
		p := &parser{src: text}
		list := p.list()
		if !p.whole() {
			m.unreadable(text)
		}
		return m.list(list, stdin, stdin != "")
	})
}

func (m *machine) unreadable(text string) {
	m.object("unreadable", text, "a quote, a bracket or a word is missing or left over")
}

// code interprets a text that the command line computes, if it is known. Lines that
// start with an unknown part may be any command. Unknown parts after a command name are
// arguments.
func (m *machine) code(text, stdin, part string) string {
	isOpaque := func(line string) bool { return strings.IndexAny(strings.TrimSpace(line), marks) == 0 }
	if strings.Contains(text, fetched) {
		m.object("network-to-shell", part, "")
	} else if strings.ContainsAny(text, unknown+listed) {
		m.objectIf(slices.ContainsFunc(strings.Split(text, "\n"), isOpaque), "unknown-code", part, "")
	}
	if strings.Trim(text, marks+" \n\t") == "" {
		return unknown
	}
	spelled := strings.NewReplacer(unknown, "${_unknown_}", fetched, "${_fetched_}", private, "${_private_}", listed, "${_listed_}") // scripts may contain variables
	return m.script(spelled.Replace(text), stdin)
}

// finish interprets code that runs at exit, functions that were not called, and effects
// that need the whole line.
func (m *machine) finish() {
	for _, name := range slices.Sorted(maps.Keys(m.functions)) {
		if !m.ran[name] {
			m.call(name, m.functions[name], nil, "")
		}
	}
	for i := 0; i < len(m.writers); i++ {
		if w := m.writers[i]; !w.written {
			m.list(w.run, unknown, true)
		}
	}
	m.handedOnFiles()
}

// list runs a list of commands and returns their output. The input of a loop is defined at
// its end.
func (m *machine) list(list []*stmt, stdin string, piped bool) string {
	var out strings.Builder
	inputs := []redirections{{stdin: stdin, piped: piped}}
	for i, s := range list {
		opened, closed := s.loops()
		for n := range opened {
			inputs = append(inputs, m.loopInput(list[i:], opened-n, inputs[len(inputs)-1]))
		}
		in := inputs[len(inputs)-1]
		if text := m.stmt(s, in.stdin, in.piped); out.Len() < maxCapture {
			out.WriteString(text)
		}
		inputs = inputs[:max(1, len(inputs)-closed)]
	}
	return out.String()
}

// loops counts the loops that start and end in a command.
func (s *stmt) loops() (opened, closed int) {
	if s == nil {
		return 0, 0
	}
	left, leftClosed := s.left.loops()
	right, rightClosed := s.right.loops()
	if opened, closed = s.opens+left+right, leftClosed+rightClosed; s.closes {
		closed++
	}
	return opened, closed
}

// loopInput returns the input of the depth-th loop that starts in a list: the one
// redirected at its end, or the surrounding input.
func (m *machine) loopInput(list []*stmt, depth int, around redirections) redirections {
	for i, s := range list {
		opened, closed := s.loops()
		if i > 0 {
			depth += opened
		}
		if depth -= closed; depth > 0 {
			continue
		}
		if end := s.end(); end != nil && slices.ContainsFunc(end.redirects, func(d redirect) bool { return strings.HasPrefix(d.op, "<") }) {
			reads := slices.DeleteFunc(slices.Clone(end.redirects), func(d redirect) bool { return !strings.HasPrefix(d.op, "<") })
			return m.redirected(reads, around.stdin, around.piped)
		}
		return around
	}
	return around
}

// end returns the end of a loop in a command.
func (s *stmt) end() *stmt {
	if s == nil || s.closes {
		return s
	}
	return cmp.Or(s.left.end(), s.right.end())
}

// captured returns the output of a command substitution, which runs in a subshell.
func (m *machine) captured(list []*stmt) string {
	return m.within(maxInside, "$(...)", func() string {
		defer m.back(m.dir)
		return m.list(list, "", false)
	})
}

// back restores the working directory.
func (m *machine) back(dir string) { m.dir = dir }

package command

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Bounds of what is followed. A line that needs more is not read.
const (
	maxSteps   = 3000
	maxInside  = 24      // commands within commands
	maxCapture = 1 << 18 // bytes of output
	maxSpent   = 4 << 20 // bytes of words and scripts, all in all
)

// machine interprets a line without running anything: it knows what variables,
// functions and files would hold as far as the line itself says so.
type machine struct {
	opts  Options
	rules *Rules

	vars      map[string]*variable
	functions map[string]*stmt
	aliases   map[string]string
	files     map[string]string // what the line has written, by absolute path
	opened    map[string]string // what is read from a file descriptor that the line has opened
	links     map[string]string // symbolic links that the line has made: where they lead, by absolute path
	programs  map[string]string // copies of and links to programs, by absolute path
	writers   []writer          // commands behind >(...), for who writes to them
	args      []string          // $1 and so on
	zero      string            // $0
	called    bool              // in a function or a script
	dir       string
	before    string          // the folder of before the last cd, for cd -
	ran       map[string]bool // functions that were called

	detached      bool // what runs now runs apart from the line's shell
	inside, steps int
	spent         int
	over          bool
	found         []Finding

	runs          []Run
	redirections  []File   // what redirections write
	touched       []File   // what commands write
	inputs        []string // what redirections read
	settings      []Setting
	handed        []listUse // commands that xargs hands files to
	lists         []listUse // commands that change files of a list
	listings      []listing // what the commands of the line list
	filled        []string  // folders in which the line writes files of unknown names, absolute
	archived      []field   // what the last archive holds that git or tar wrote, from its folder
	archivedByGit bool
}

// listUse is a command that changes files which another command of the line lists.
type listUse struct {
	by   string // as a message shows it
	sure bool   // it changes each of them
}

// listing is what a command lists: files below a folder, of some names, or in some states.
type listing struct {
	File
	state State
	fresh bool // it is of the command that is read now
}

// writer is a process substitution that is written to.
type writer struct {
	name    string
	run     []*stmt
	written bool // the line says what it reads
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

// objectIf adds an objection where something holds.
func (m *machine) objectIf(holds bool, rule, part, why string) {
	if holds {
		m.object(rule, part, why)
	}
}

// step counts what is followed; false if it is too much.
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

// tooMuch ends the reading, and says why once.
func (m *machine) tooMuch(part, why string) {
	if !m.over {
		m.over = true
		m.object("unreadable", part, why)
	}
}

// within does something that is deeper in the line, and returns its output; unknown where
// that is deeper than is read.
func (m *machine) within(limit int, part string, do func() string) string {
	m.inside++
	defer func() { m.inside-- }()
	if m.inside > limit {
		m.object("unreadable", part, "it runs commands within commands, deeper than is read")
		return unknown
	}
	return do()
}

// script interprets a text that a shell runs, with that input, and returns its output.
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

// code interprets a text that comes out of the line: as far as it is known. What is unknown
// may be commands if a line begins with it; behind a name it is arguments.
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
	spelled := strings.NewReplacer(unknown, "${_unknown_}", fetched, "${_fetched_}", private, "${_private_}", listed, "${_listed_}") // a script may hold variables
	return m.script(spelled.Replace(text), stdin)
}

// finish reads what only runs at the end, functions that were not called, and what only
// the whole line tells.
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

// list runs commands in a row and returns what they write. What a loop reads is said at its end.
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

// loops counts the loops that begin and end in a command.
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

// loopInput is what the depth-th of the loops that begin with a list reads: what is redirected to its
// end, or else what is read around it.
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

// end is the end of a loop in a command.
func (s *stmt) end() *stmt {
	if s == nil || s.closes {
		return s
	}
	return cmp.Or(s.left.end(), s.right.end())
}

// captured is what a command substitution comes to. It runs in a shell of its own.
func (m *machine) captured(list []*stmt) string {
	return m.within(maxInside, "$(...)", func() string {
		defer m.back(m.dir)
		return m.list(list, "", false)
	})
}

// back goes back to a folder.
func (m *machine) back(dir string) { m.dir = dir }

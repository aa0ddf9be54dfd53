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
	maxSteps          = 3000
	maxNestedCommands = 24      // nested commands
	maxCapture        = 1 << 18 // bytes of output
	maxBytes          = 4 << 20 // bytes of words and scripts in total
)

// interpreter interprets a command line without running it. It tracks variables, functions and
// file contents that the line defines.
type interpreter struct {
	opts  Options
	rules *Rules

	vars            map[string]*variable
	functions       map[string]*stmt
	aliases         map[string]string
	fetched         []field           // operands of the last git fetch of the line; nil without one
	resetTo         string            // revision to which git reset moved HEAD and kept the files
	files           map[string]string // content of written files, by absolute path
	descriptors     map[string]string // input of opened file descriptors
	links           map[string]string // targets of created symbolic links, by absolute path
	programs        map[string]string // copies of and links to programs, by absolute path
	writers         []writer          // commands in >(...), for their writers
	args            []string          // $1 and so on
	arg0            string            // $0
	inFunction      bool              // in a function or script
	dir             string
	previousDir     string          // previous working directory, for cd -
	calledFunctions map[string]bool // called functions

	detached     bool // the current command runs detached from the shell
	depth, steps int
	spent        int
	exceeded     bool
	findings     []Finding

	runs          []Run
	redirections  []File   // files written by redirections
	writes        []File   // files written by commands
	inputs        []string // files read by redirections
	settings      []Setting
	xargsCommands []listUse // commands that xargs runs with files
	lists         []listUse // commands that change files of a list
	listings      []listing // file lists that commands print
	filled        []string  // folders in which the line writes files with unknown names, absolute
	archived      []field   // content of the last archive that git or tar wrote, from its folder
	archivedByGit bool
}

// listUse is a command that changes files listed by another command of the line.
type listUse struct {
	text    string // text of the command for messages
	certain bool   // certainly changes all of them
}

// listing is a list of files that a command prints: files below a folder with some names or
// in some states.
type listing struct {
	File
	state State
	fresh bool // from the current command
}

// writer is an output substitution, >(...), and the name of the file that stands for it.
type writer struct {
	name  string
	run   []*stmt
	known bool // input is available
}

// newInterpreter returns an interpreter for one command line. It sets defaults for the rules and
// folders that the options omit.
func newInterpreter(o Options) *interpreter {
	if o.Rules == nil {
		o.Rules = shippedRules()
	}
	o.Home = path.Clean(cmp.Or(o.Home, "/home/user"))
	o.Root = path.Clean(cmp.Or(o.Root, o.Dir, o.Home+"/project"))
	o.Dir = cmp.Or(o.Dir, o.Root)
	return &interpreter{
		opts: o, rules: o.Rules, dir: path.Clean(o.Dir),
		vars: map[string]*variable{}, functions: map[string]*stmt{}, aliases: map[string]string{},
		files: map[string]string{}, calledFunctions: map[string]bool{}, descriptors: map[string]string{}, programs: map[string]string{},
	}
}

// report adds an objection to the findings: the name of the violated rule, the part of the line,
// and an additional reason.
func (m *interpreter) report(rule, part, why string) { m.reportInstead(rule, part, why, "") }

// reportInstead adds an objection whose alternative replaces that of the rule, unless it is empty.
func (m *interpreter) reportInstead(rule, part, why, instead string) {
	if len(m.findings) < 64 {
		m.findings = append(m.findings, Finding{Rule: rule, Part: shortened(shownText(part)), Why: why, Instead: instead})
	}
}

// reportIf adds an objection if a condition holds.
func (m *interpreter) reportIf(holds bool, rule, part, why string) {
	if holds {
		m.report(rule, part, why)
	}
}

// countStep counts an interpreted command. It returns false beyond the limit.
func (m *interpreter) countStep(part string) bool {
	if m.steps++; m.steps > maxSteps {
		m.abort(part, "it runs more commands than are read")
	}
	return !m.exceeded
}

// countBytes counts bytes of words and scripts.
func (m *interpreter) countBytes(n int) {
	if m.spent += n; m.spent > maxBytes {
		m.abort("...", "it runs commands within commands, longer than is read")
	}
}

// abort aborts the interpretation. The reason is recorded once.
func (m *interpreter) abort(part, why string) {
	if !m.exceeded {
		m.exceeded = true
		m.report("unreadable", part, why)
	}
}

// limited calls do one nesting level deeper and returns its output, or unknown if the limit
// is exceeded.
func (m *interpreter) limited(limit int, part string, do func() string) string {
	m.depth++
	defer func() { m.depth-- }()
	if m.depth > limit {
		m.report("unreadable", part, "it runs commands within commands, deeper than is read")
		return unknown
	}
	return do()
}

// runScript interprets a shell script with an input and returns its output.
func (m *interpreter) runScript(text, stdin string) string {
	return m.limited(maxNestedCommands, text, func() string {
		if m.countBytes(len(text)); m.exceeded {
			return unknown
		}
		p := &parser{src: text}
		list := p.list()
		if !p.isComplete() {
			m.unreadable(text)
		}
		return m.runList(list, stdin, stdin != "")
	})
}

// unreadable reports a text that cannot be parsed.
func (m *interpreter) unreadable(text string) {
	m.report("unreadable", text, "a quote, a bracket or a word is missing or left over")
}

// runCode interprets a text that the command line computes, and returns its
// output. Lines that start with an unknown part may be any command. Unknown
// parts after a command name are arguments.
func (m *interpreter) runCode(text, stdin, part string) string {
	isOpaque := func(line string) bool { return strings.IndexAny(strings.TrimSpace(line), marks) == 0 }
	if strings.Contains(text, fetched) {
		m.report("network-to-shell", part, "")
	} else if strings.ContainsAny(text, unknown+listed) {
		m.reportIf(slices.ContainsFunc(strings.Split(text, "\n"), isOpaque), "unknown-code", part, "")
	}
	if strings.Trim(text, marks+" \n\t") == "" {
		return unknown
	}
	spelled := strings.NewReplacer(unknown, "${_unknown_}", fetched, "${_fetched_}", private, "${_private_}", listed, "${_listed_}") // scripts may contain variables
	return m.runScript(spelled.Replace(text), stdin)
}

// finish interprets code that runs at exit, functions that were not called, and effects
// that need the whole line.
func (m *interpreter) finish() {
	for _, name := range slices.Sorted(maps.Keys(m.functions)) {
		if !m.calledFunctions[name] {
			m.call(name, m.functions[name], nil, "")
		}
	}
	for i := 0; i < len(m.writers); i++ {
		if w := m.writers[i]; !w.known {
			m.runList(w.run, unknown, true)
		}
	}
	// Files listed from ordinary folders are ignored, because otherwise no search of the repository
	// could be followed by a change. Governed files and plan files in a list count as changed.
	for _, use := range m.xargsCommands {
		for _, r := range m.runs {
			for _, f := range parseOptions(r.fields[1:], wordy, "").operands {
				m.file(File{Word: f.word(), Tree: inHidden(f.text), Unsure: true, By: use.text}, &invocation{dir: cmp.Or(r.Dir, unknown)})
			}
		}
	}
	for _, use := range slices.Concat(m.xargsCommands, m.lists) {
		for _, l := range m.listings {
			l.By, l.Unsure = use.text, !use.certain
			m.writes = append(m.writes, m.filesOf(l)...)
		}
	}
}

// runList runs a list of commands and returns their output. The input of a loop is defined at
// its end.
func (m *interpreter) runList(list []*stmt, stdin string, piped bool) string {
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
func (m *interpreter) loopInput(list []*stmt, depth int, around redirections) redirections {
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

// end returns the end of a loop in a command, or nil if no loop ends there.
func (s *stmt) end() *stmt {
	if s == nil || s.closes {
		return s
	}
	return cmp.Or(s.left.end(), s.right.end())
}

// substitute returns the output of a command substitution, which runs in a subshell.
func (m *interpreter) substitute(list []*stmt) string {
	return m.limited(maxNestedCommands, "$(...)", func() string {
		defer m.restoreDir(m.dir)
		return m.runList(list, "", false)
	})
}

// restoreDir sets the working directory back to an earlier one.
func (m *interpreter) restoreDir(dir string) { m.dir = dir }

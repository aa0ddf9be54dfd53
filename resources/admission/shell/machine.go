package shell

import (
	"maps"
	"path"
	"slices"
	"strconv"
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
	programs  map[string]string // copies of and links to programs, by absolute path
	writers   []writer          // commands behind >(...), for who writes to them
	args      []string          // $1 and so on
	zero      string            // $0
	called    bool              // in a function or a script
	dir       string
	ran       map[string]bool // functions that were called

	inside, steps int
	spent         int
	over          bool
	found         []Finding
	commands      []Command
	writes        []Target
}

// writer is a process substitution that is written to.
type writer struct {
	name string
	run  []*stmt
}

func newMachine(o Options) *machine {
	if o.Home == "" {
		o.Home = "/home/user"
	}
	if o.Root == "" {
		o.Root = o.Dir
	}
	if o.Root == "" {
		o.Root = o.Home + "/project"
	}
	o.Root, o.Home = path.Clean(o.Root), path.Clean(o.Home)
	if o.Dir == "" {
		o.Dir = o.Root
	}
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

// step counts what is followed; false if it is too much.
func (m *machine) step(part string) bool {
	if m.steps++; m.steps > maxSteps && !m.over {
		m.over = true
		m.object("unreadable", part, "it runs more commands than are read")
	}
	return !m.over
}

// spend counts bytes of words and scripts.
func (m *machine) spend(n int) {
	if m.spent += n; m.spent > maxSpent && !m.over {
		m.over = true
		m.object("unreadable", "...", "it runs commands within commands, longer than is read")
	}
}

// script interprets a text that a shell runs, with that input, and returns its output.
func (m *machine) script(text, stdin string) string {
	if m.inside++; m.inside > maxInside {
		m.inside--
		m.object("unreadable", text, "it runs commands within commands, deeper than is read")
		return unknown
	}
	defer func() { m.inside-- }()
	if m.spend(len(text)); m.over {
		return unknown
	}
	p := &parser{src: text}
	list := p.list()
	if p.failed || p.pos < len(p.src) || !p.balanced() {
		m.object("unreadable", text, "a quote, a bracket or a word is missing or left over")
	}
	return m.list(list, stdin)
}

// code interprets a text that comes out of the line: as far as it is known.
func (m *machine) code(text, stdin, part string) string {
	switch {
	case strings.Contains(text, fetched):
		m.object("network-to-shell", part, "")
	case (strings.Contains(text, unknown) || strings.Contains(text, listed)) && m.opaque(text):
		m.object("unknown-code", part, "")
	}
	if strings.Trim(text, marks+" \n\t") == "" {
		return unknown
	}
	return m.script(spelled(text), stdin)
}

// spelled writes marks as variables, which a script may hold.
func spelled(text string) string {
	return strings.NewReplacer(unknown, "${_unknown_}", fetched, "${_fetched_}", private, "${_private_}", listed, "${_listed_}").Replace(text)
}

// opaque reports whether what is unknown in a script may be commands: if it stands
// anywhere but in the arguments of a command that has a name.
func (m *machine) opaque(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && strings.ContainsAny(line[:1], marks) {
			return true
		}
	}
	return false
}

// finish reads what only runs at the end: functions that were not called.
func (m *machine) finish() {
	for _, name := range slices.Sorted(maps.Keys(m.functions)) {
		if !m.ran[name] {
			m.call(name, m.functions[name], nil, "")
		}
	}
}

// list runs commands in a row and returns what they write.
func (m *machine) list(list []*stmt, stdin string) string {
	var out strings.Builder
	for _, s := range list {
		if text := m.stmt(s, stdin, false); out.Len() < maxCapture {
			out.WriteString(text)
		}
	}
	return out.String()
}

// captured is what a command substitution comes to. It runs in a shell of its own.
func (m *machine) captured(list []*stmt) string {
	if m.inside++; m.inside > maxInside {
		m.inside--
		m.object("unreadable", "$(...)", "it runs commands within commands, deeper than is read")
		return unknown
	}
	dir := m.dir
	out := m.list(list, "")
	m.dir = dir
	m.inside--
	return out
}

// stmt runs one command with that input and returns what it writes.
func (m *machine) stmt(s *stmt, stdin string, piped bool) string {
	if !m.step("") {
		return unknown
	}
	switch s.kind {
	case simple:
		return m.simple(s, stdin, piped)
	case function:
		m.define(s)
		return ""
	case pipe:
		return m.pipe(s, stdin, piped)
	case and, or:
		return m.stmt(s.left, stdin, piped) + m.stmt(s.right, stdin, piped)
	}
	r := m.redirected(s.redirects, stdin, piped)
	if s.sum != nil {
		m.texts(*s.sum)
	}
	dir := m.dir
	if m.inside++; m.inside > 4*maxInside {
		m.inside--
		m.over = true
		m.object("unreadable", "(...)", "it is nested deeper than is read")
		return unknown
	}
	out := ""
	for _, inner := range s.list {
		out += m.stmt(inner, r.stdin, r.piped)
	}
	m.inside--
	if s.kind == subshell {
		m.dir = dir
	}
	if len(s.list) == 0 { // the end of a loop, whose output is not followed
		out = unknown
	}
	return m.wrote(r, out, s)
}

// pipe hands what the left side writes to the right one.
func (m *machine) pipe(s *stmt, stdin string, piped bool) string {
	dir := m.dir
	out := m.stmt(s.left, stdin, piped)
	m.dir = dir
	out = m.stmt(s.right, out, true)
	m.dir = dir
	return out
}

// define keeps a function, and looks whether it starts itself without end.
func (m *machine) define(s *stmt) {
	m.functions[s.name] = s.list[0]
	if count, forks := calls(s.list[0], s.name); count > 1 && forks || forks && count == 1 && s.list[0].background {
		m.object("fork-bomb", s.name+"() { "+s.name+" | "+s.name+" & }", "")
	}
}

// calls counts how often a body calls a name, and whether it goes on beside that.
func calls(s *stmt, name string) (count int, forks bool) {
	if s == nil {
		return 0, false
	}
	if s.kind == simple && len(s.words) > 0 && s.words[0].text == name {
		return 1, s.background
	}
	for _, inner := range append(append([]*stmt(nil), s.list...), s.left, s.right) {
		n, f := calls(inner, name)
		count, forks = count+n, forks || f
	}
	return count, forks || count > 0 && (s.kind == pipe || s.background)
}

// call runs a function's body with arguments.
func (m *machine) call(name string, body *stmt, args []field, stdin string) string {
	m.ran[name] = true
	if m.inside >= maxInside {
		return unknown
	}
	m.inside++
	before, called := m.args, m.called
	m.args, m.called = plainTexts(args), true
	if args == nil {
		m.args = []string{unknown, unknown, unknown}
	}
	out := m.stmt(body, stdin, true)
	m.args, m.called = before, called
	m.inside--
	return out
}

func plainTexts(args []field) []string {
	all := make([]string, 0, len(args))
	for _, f := range args {
		all = append(all, f.text)
	}
	return all
}

// simple runs a simple command.
func (m *machine) simple(s *stmt, stdin string, piped bool) string {
	if s.loop != nil {
		m.loop(s)
		return ""
	}
	if len(s.words) > 0 {
		if first := s.words[0]; first.literal {
			if text, ok := m.aliases[first.text]; ok && m.inside < maxInside {
				return m.aliased(text, s, stdin, piped)
			}
		}
	}
	var choices [][]field
	var rest []field
	for i, w := range s.words {
		if i == 0 {
			choices = m.choices(w)
			continue
		}
		rest = append(rest, m.fields(w)...)
	}
	if len(choices) == 1 && len(choices[0]) == 1 && declares(choices[0][0].text) {
		m.assign(assignments(s.words), false, s.loose)
		m.refer(s.words)
		return m.wrote(m.redirected(s.redirects, stdin, piped), "", s)
	}
	undo := m.assign(s.assigns, len(s.words) > 0, s.loose)
	r := m.redirected(s.redirects, stdin, piped)
	out := ""
	for _, first := range choices {
		args := append(append([]field(nil), first...), rest...)
		if len(args) > 0 {
			out += m.run(args, r.stdin, r.piped)
		}
	}
	undo()
	return m.wrote(r, out, s)
}

// refer takes in declare -n: a variable that stands for another.
func (m *machine) refer(words []word) {
	for _, w := range words[1:] {
		if w.text != "-n" {
			continue
		}
		for _, w := range assignments(words) {
			if name, v, _ := m.assignment(w); name != "" && len(v.values) == 1 && v.values[0] != name {
				m.vars[name] = &variable{refers: v.values[0]}
			}
		}
		return
	}
}

// declares reports whether a command sets variables by its arguments.
func declares(name string) bool {
	return hasWord("export declare typeset local readonly", name)
}

// assignments are those words that are assignments, also behind a name that was put
// together when it ran.
func assignments(words []word) []word {
	var all []word
	for _, w := range words {
		if w.assigns {
			all = append(all, w)
		}
	}
	return all
}

// aliased puts an alias's text in place of the first word.
func (m *machine) aliased(text string, s *stmt, stdin string, piped bool) string {
	p := &parser{src: text}
	list := p.list()
	if len(list) == 0 || list[len(list)-1].kind != simple {
		return m.code(text, stdin, s.words[0].text)
	}
	last := *list[len(list)-1]
	last.words = append(append([]word(nil), last.words...), s.words[1:]...)
	last.redirects = append(append([]redirect(nil), last.redirects...), s.redirects...)
	list[len(list)-1] = &last
	m.inside++
	defer func() { m.inside-- }()
	name := s.words[0].text
	delete(m.aliases, name) // an alias does not apply to itself
	out := ""
	for _, inner := range list {
		out += m.stmt(inner, stdin, piped)
	}
	m.aliases[name] = text
	return out
}

// loop sets the variable of a loop to all that it goes through.
func (m *machine) loop(s *stmt) {
	if len(s.loop) == 0 {
		return
	}
	v := &variable{}
	for _, w := range s.loop[min(2, len(s.loop)):] {
		for _, f := range m.fields(w) {
			if len(v.values) < maxChoices {
				v.values = append(v.values, f.text)
			}
		}
	}
	if len(s.loop) < 2 {
		v.values = m.args
	}
	if len(v.values) == 0 {
		v.values = []string{unknown}
	}
	m.vars[s.loop[0].text] = v
}

// assign sets variables; undo takes back those that are a command's own.
func (m *machine) assign(assigns []word, forCommand, loose bool) (undo func()) {
	undo = func() {}
	for _, w := range assigns {
		name, v, appends := m.assignment(w)
		if name == "" {
			continue
		}
		before, had := m.vars[name]
		if appends && had && len(before.values) == 1 && len(v.values) == 1 && v.items == nil {
			v.values[0] = before.values[0] + v.values[0]
		} else if appends && had && v.items != nil {
			v.items = append(append([]string(nil), before.items...), v.items...)
		}
		if n := indexOf(w); n >= 0 && v.items == nil && len(v.values) == 1 { // a[2]=x
			items := make([]string, n+1)
			if had {
				items = append(append([]string(nil), before.items...), make([]string, max(0, n+1-len(before.items)))...)
			}
			items[n] = v.values[0]
			v = &variable{items: items}
		}
		if loose && had && v.items == nil && len(before.values)+len(v.values) <= maxChoices {
			v.values = append(v.values, before.values...)
		}
		m.vars[name] = v
		m.setting(name, v, forCommand)
		if forCommand {
			outer := undo
			undo = func() {
				outer()
				if had {
					m.vars[name] = before
				} else {
					delete(m.vars, name)
				}
			}
		}
	}
	return undo
}

// maxIndex is up to which index the items of a list are kept apart.
const maxIndex = 255

// indexOf is the index in NAME[index]=value, if it is a plain number; else -1.
func indexOf(w word) int {
	if len(w.parts) == 0 {
		return -1
	}
	head, _, _ := strings.Cut(string(w.parts[0].bytes), "=")
	_, index, found := strings.Cut(strings.TrimSuffix(head, "+"), "[")
	n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
	if !found || err != nil || n < 0 || n > maxIndex {
		return -1
	}
	return n
}

// assignment reads NAME=value, NAME+=value and NAME=(a b).
func (m *machine) assignment(w word) (name string, v *variable, appends bool) {
	if !w.assigns || len(w.parts) == 0 || w.parts[0].kind != plainText {
		return "", nil, false
	}
	head, value, _ := strings.Cut(string(w.parts[0].bytes), "=")
	head, appends = strings.CutSuffix(head, "+")
	name, _, _ = strings.Cut(head, "[")
	rest := word{parts: append([]part(nil), w.parts...)}
	rest.parts[0] = part{kind: plainText, bytes: []byte(value)}
	v = &variable{}
	for _, p := range rest.parts {
		if p.kind == array {
			v.items = append([]string{}, m.values(p, false)[0].items...)
			return name, v.keyed(), appends
		}
	}
	if strings.HasPrefix(value, "~/") || value == "~" {
		rest.parts[0].bytes = []byte(m.opts.Home + value[1:])
	}
	v.values = m.texts(rest)
	return name, v, appends
}

// redirections is what the redirections of a command come to.
type redirections struct {
	stdin   string
	piped   bool
	targets []string
	net     bool // it talks to the network
}

// redirected reads redirections: what the command reads, and what it writes.
func (m *machine) redirected(list []redirect, stdin string, piped bool) redirections {
	r := redirections{stdin: stdin, piped: piped}
	for _, d := range list {
		switch d.op {
		case "<<", "<<-":
			r.stdin, r.piped = *d.input, true
			if !d.verbatim {
				r.stdin = m.document(*d.input)
			}
			if d.op == "<<-" {
				r.stdin = strings.ReplaceAll("\n"+r.stdin, "\n\t", "\n")[1:]
			}
			continue
		case "<<<":
			r.stdin, r.piped = m.text(d.target)+"\n", true
			continue
		}
		target := m.text(d.target)
		if strings.HasPrefix(target, "/dev/tcp/") || strings.HasPrefix(target, "/dev/udp/") {
			r.net = true
		}
		switch {
		case d.op == "<" && d.fd != "" && d.fd != "0":
			m.opened[d.fd] = m.read(target)
		case d.op == "<":
			r.stdin, r.piped = m.read(target), true
		case d.op == "<&" && (d.fd == "" || d.fd == "0") && target != "-" && target != "0":
			r.stdin, r.piped = unknown, true
			if text, ok := m.opened[strings.TrimSuffix(target, "-")]; ok {
				r.stdin = text
			}
		case d.op == "<&" || d.op == ">&" && isDescriptor(target):
		case d.writes || d.op == "<>":
			r.targets = append(r.targets, target)
		}
	}
	return r
}

// wrote hands on what a command writes: to files, or to who reads its output.
func (m *machine) wrote(r redirections, out string, s *stmt) string {
	if r.net {
		m.object("reverse-shell", m.shown(s)+" >& /dev/tcp/...", "")
	}
	for _, target := range r.targets {
		m.write(target, out, "> "+target)
	}
	if len(r.targets) > 0 && redirectsOutput(s.redirects) && !hasWord("/dev/stdout /dev/fd/1 /proc/self/fd/1", r.targets[len(r.targets)-1]) {
		return ""
	}
	return out
}

// redirectsOutput reports whether what a command writes goes to a file.
func redirectsOutput(list []redirect) bool {
	for _, d := range list {
		if d.writes && (d.fd == "" || d.fd == "1") && d.op != "<>" {
			return true
		}
	}
	return false
}

// shown is a command as a verdict shows it.
func (m *machine) shown(s *stmt) string {
	var words []string
	for _, w := range s.words {
		words = append(words, w.text)
	}
	return strings.Join(words, " ")
}

// read is what a file holds, as far as the line has written it.
func (m *machine) read(name string) string {
	if text, ok := m.files[m.absolute(name)]; ok {
		return text
	}
	if known(name) && m.isSecret(name) {
		return private
	}
	return unknown
}

// harmlessTargets are files that swallow or show what is written to them.
const harmlessTargets = " /dev/null /dev/stdout /dev/stderr /dev/tty /dev/full /dev/fd/1 /dev/fd/2 NUL nul "

// touch keeps for the path policy that a file is written, by a command whose words do
// not show that.
func (m *machine) touch(name string) {
	if name != "" && name != "-" && known(m.absolute(name)) && !strings.Contains(harmlessTargets, " "+name+" ") && len(m.writes) < maxSteps {
		m.writes = append(m.writes, Target{Path: m.absolute(name)})
	}
}

// write judges that a file is written, and keeps what it would hold.
func (m *machine) write(name, content, part string) {
	if strings.Contains(harmlessTargets, " "+name+" ") || name == "" {
		return
	}
	for _, w := range m.writers {
		if w.name == name {
			for _, s := range w.run {
				m.stmt(s, content, true)
			}
			return
		}
	}
	if content == "" && strings.HasSuffix(name, listed) {
		m.object("delete-unknown", part, "whatever is found is emptied")
	}
	if known(m.absolute(name)) {
		m.files[m.absolute(name)] = content
		m.writes = append(m.writes, Target{Path: m.absolute(name), Holds: feed(content)})
	}
	m.overwrites(name, content, part)
}

package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// stmt runs one command with the given input and returns its output.
func (m *interpreter) stmt(s *stmt, stdin string, piped bool) string {
	if !m.countStep("") {
		return unknown
	}
	defer func(was bool) { m.detached = was }(m.detached)
	m.detached = m.detached || s.background
	switch s.kind {
	case simple:
		return m.simple(s, stdin, piped)
	case function:
		m.functions[s.name] = s.list[0]
		if count, forks := calls(s.list[0], s.name); count > 1 && forks || forks && count == 1 && s.list[0].background {
			m.report("fork-bomb", s.name+"() { "+s.name+" | "+s.name+" & }", "")
		}
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
	m.exceeded = m.exceeded || m.depth >= 4*maxNestedCommands
	out := m.limited(4*maxNestedCommands, "(...)", func() string {
		return m.runList(s.list, r.stdin, r.piped)
	})
	if s.kind == subshell {
		m.dir = dir
	}
	if len(s.list) == 0 { // end of a loop; its output is not tracked
		out = unknown
	}
	return m.recordOutput(r, out, s)
}

// pipe passes the output of the left command to the right one. Both run in subshells.
func (m *interpreter) pipe(s *stmt, stdin string, piped bool) string {
	defer m.restoreDir(m.dir)
	dir, run := m.dir, len(m.runs)
	out := m.stmt(s.left, stdin, piped)
	for i := run; i < len(m.runs); i++ {
		m.runs[i].Piped = true
	}
	m.dir = dir
	return m.stmt(s.right, out, true)
}

// calls counts the calls of a function in a body and reports whether it runs several
// commands at the same time.
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

// call runs the body of a function with arguments. If args is nil, the function
// gets three unknown arguments.
func (m *interpreter) call(name string, body *stmt, args []field, stdin string) string {
	m.calledFunctions[name] = true
	if m.depth >= maxNestedCommands {
		return unknown
	}
	if args == nil {
		args = []field{{text: unknown}, {text: unknown}, {text: unknown}}
	}
	m.depth++
	defer func() { m.depth-- }()
	return m.withArgs(args, func() string { return m.stmt(body, stdin, true) })
}

// simple runs a simple command.
func (m *interpreter) simple(s *stmt, stdin string, piped bool) string {
	if s.loop != nil {
		m.loop(s)
		return ""
	}
	if len(s.words) > 0 {
		if text, ok := m.aliases[s.words[0].text]; ok && s.words[0].literal && m.depth < maxNestedCommands {
			return m.aliased(text, s, stdin, piped)
		}
	}
	var choices [][]field
	var rest []field
	for i, w := range s.words {
		if i == 0 {
			choices = m.choices(w)
		} else {
			rest = append(rest, m.fields(w)...)
		}
	}
	if len(choices) == 1 && len(choices[0]) == 1 && hasWord("export declare typeset local readonly", choices[0][0].text) {
		m.declares(s, choices[0][0].text+" ")
		return m.recordOutput(m.redirected(s.redirects, stdin, piped), "", s)
	}
	undo := m.assign(s.assigns, "", len(s.words) > 0, s.loose)
	r := m.redirected(s.redirects, stdin, piped)
	out := ""
	for _, first := range choices {
		if args := slices.Concat(first, rest); len(args) > 0 {
			out += m.run(args, r.stdin, r.piped)
		}
	}
	undo()
	if len(s.words) == 0 && r.piped { // $(< FILE)
		out = r.stdin
	}
	return m.recordOutput(r, out, s)
}

// declares sets the variables of export and similar commands. With -n they refer to other
// variables.
func (m *interpreter) declares(s *stmt, name string) {
	m.assign(s.words, name, false, s.loose)
	refers := false
	for _, w := range s.words[1:] {
		if refers = refers || w.text == "-n"; !w.assigns { // export "NAME"=value
			m.declare(m.fields(w), name)
		}
	}
	for _, w := range s.words {
		if !refers {
			return
		}
		if name, v, _ := m.assignment(w); name != "" && len(v.values) == 1 && v.values[0] != name {
			m.vars[name] = &variable{refers: v.values[0]}
		}
	}
}

// aliased replaces the first word by the text of its alias and runs the result.
func (m *interpreter) aliased(text string, s *stmt, stdin string, piped bool) string {
	list := (&parser{src: text}).list()
	if len(list) == 0 || list[len(list)-1].kind != simple {
		return m.runCode(text, stdin, s.words[0].text)
	}
	last := *list[len(list)-1]
	last.words = slices.Concat(last.words, s.words[1:])
	last.redirects = slices.Concat(last.redirects, s.redirects)
	list[len(list)-1] = &last
	m.depth++
	defer func() { m.depth-- }()
	name := s.words[0].text
	delete(m.aliases, name) // aliases are not expanded recursively
	out := ""
	for _, inner := range list {
		out += m.stmt(inner, stdin, piped)
	}
	m.aliases[name] = text
	return out
}

// loop sets a loop variable to all its values.
func (m *interpreter) loop(s *stmt) {
	if len(s.loop) == 0 {
		return
	}
	v := &variable{}
	for _, w := range s.loop[min(2, len(s.loop)):] {
		for _, f := range m.fields(w) {
			if len(v.values) < maxChoices {
				v.values, v.globs = append(v.values, f.text), v.globs || f.glob
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

// assign sets variables. by is the name of the command. undo restores variables that are
// only set for one command.
func (m *interpreter) assign(assigns []word, by string, forCommand, loose bool) (undo func()) {
	undo = func() {}
	for _, w := range assigns {
		name, v, appends := m.assignment(w)
		if name == "" {
			continue
		}
		before, had := m.vars[name]
		if !had {
			before = &variable{}
		}
		single := len(v.values) == 1 && v.items == nil
		if appends && single && len(before.values) == 1 {
			v.values[0] = before.values[0] + v.values[0]
		} else if appends && had && v.items != nil {
			v.items = slices.Concat(before.items, v.items)
		}
		if n := indexOf(w); n >= 0 && single { // a[2]=x
			items := slices.Concat(before.items, make([]string, max(0, n+1-len(before.items))))
			items[n] = v.values[0]
			v = &variable{items: items}
		}
		if loose && v.items == nil && len(before.values)+len(v.values) <= maxChoices {
			v.values = append(v.values, before.values...)
		}
		m.vars[name] = v
		m.setting(name, v, by, forCommand)
		if forCommand {
			outer := undo
			undo = func() {
				outer()
				delete(m.vars, name)
				if had {
					m.vars[name] = before
				}
			}
		}
	}
	return undo
}

// maxIndex is the highest list index for which items are stored separately.
const maxIndex = 255

// indexOf returns the index in NAME[index]=value, or -1 if it is not a plain number
// up to maxIndex.
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

// assignment parses NAME=value, NAME+=value and NAME=(a b). v is nil for
// another word. appends means "+=".
func (m *interpreter) assignment(w word) (name string, v *variable, appends bool) {
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

// redirections is the result of a command's redirections.
type redirections struct {
	stdin   string
	piped   bool
	targets []field
	net     bool // uses the network
}

// redirected evaluates redirections of the input and output of a command.
func (m *interpreter) redirected(list []redirect, stdin string, piped bool) redirections {
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
		if d.op == "<" || d.op == "<>" {
			m.inputs = append(m.inputs, m.absolute(target))
		}
		switch {
		case d.op == "<" && d.fd != "" && d.fd != "0":
			m.descriptors[d.fd] = m.contentOf(target)
		case d.op == "<":
			r.stdin, r.piped = m.contentOf(target), true
		case d.op == "<&" && (d.fd == "" || d.fd == "0") && target != "-" && target != "0":
			r.stdin, r.piped = unknown, true
			if text, ok := m.descriptors[strings.TrimSuffix(target, "-")]; ok {
				r.stdin = text
			}
		case d.op == "<&" || d.op == ">&" && isDescriptor(target):
		case d.writes || d.op == "<>":
			for _, name := range m.texts(d.target) {
				r.targets = append(r.targets, field{text: name, glob: d.target.globs(name)})
			}
		}
	}
	return r
}

// recordOutput writes the output of a command to the redirection targets, or returns it to the
// reader.
func (m *interpreter) recordOutput(r redirections, out string, s *stmt) string {
	if r.net {
		m.report("reverse-shell", m.statementText(s)+" >& /dev/tcp/...", "")
	}
	for _, target := range r.targets {
		m.setIn(out, m.statementText(s))
		m.write(target, out, nil)
	}
	toFile := func(d redirect) bool { return d.writes && (d.fd == "" || d.fd == "1") && d.op != "<>" }
	if n := len(r.targets); n > 0 && slices.ContainsFunc(s.redirects, toFile) && !hasWord("/dev/stdout /dev/fd/1 /proc/self/fd/1", r.targets[n-1].text) {
		return ""
	}
	return out
}

// statementText formats a command for a verdict.
func (m *interpreter) statementText(s *stmt) string {
	var words []string
	for _, w := range s.words {
		words = append(words, w.text)
	}
	return strings.Join(words, " ")
}

// contentOf returns the content of a file from the command line or from Options.Text.
func (m *interpreter) contentOf(name string) string {
	if text, ok := m.files[m.absolute(name)]; ok {
		return text
	}
	switch {
	case name == "/dev/null":
		return ""
	case isKnown(name) && m.isSecret(name):
		return private
	case isKnown(name) && m.opts.Text != nil:
		if text, ok := m.opts.Text(m.absolute(name)); ok {
			return withoutMarks(text)
		}
	}
	return unknown
}

// harmlessTargets lists files that discard or print their input.
const harmlessTargets = " /dev/null /dev/stdout /dev/stderr /dev/tty /dev/full /dev/fd/1 /dev/fd/2 NUL nul "

// write checks a write to a file and records the content. by is nil for redirections.
func (m *interpreter) write(f field, content string, by *invocation) {
	name, part := f.text, "> "+f.text
	if by != nil {
		part = by.part()
	}
	if strings.Contains(harmlessTargets, " "+name+" ") || name == "" {
		return
	}
	if i := slices.IndexFunc(m.writers, func(w writer) bool { return w.name == name }); i >= 0 {
		m.writers[i].known = true
		for _, s := range m.writers[i].run {
			m.stmt(s, content, true)
		}
		return
	}
	if content == "" {
		m.empties(name, part)
	} else if content == shownByGit && m.opts.Changed != nil {
		m.discards(field{text: name}, false, true, &invocation{text: part})
	}
	placed := isKnown(name) && (isKnown(m.dir) || path.IsAbs(name))
	switch {
	case by != nil:
		m.file(File{Word: f.word(), Holds: contentOf(content)}, by)
	case f.glob || !placed:
		m.file(File{Word: f.word(), Unsure: f.glob || !isKnown(name), By: "> " + m.shownWord(f)}, &invocation{dir: m.dir})
		if at := len(m.lists) - 1; at >= 0 && f.word().fromList && !m.isAt(name, inBuild) {
			m.lists[at].certain = true
		}
	}
	if by == nil && placed {
		literal := Word{Text: m.behindLink(name), Literal: true} // patterns without a match are literal names
		to := File{Word: literal, Dir: strings.Trim(m.dir, marks), Holds: contentOf(content)}
		to.Product = m.isIgnored(to)
		m.redirections = append(m.redirections, to)
	}
	if isKnown(m.absolute(name)) {
		m.files[m.absolute(name)] = content
	}
	m.overwrites(name, content, part)
	if content == "" { // emptied
		m.leaves(name, part)
	}
}

// empties checks commands that empty the files of a pattern or list.
func (m *interpreter) empties(name, part string) {
	found := strings.ContainsAny(name, "*?["+listed) || strings.Contains(name, "/"+unknown)
	m.reportIf(found && !m.isAt(name, inBuild, inTemp), "delete-unknown", part, "whatever is found is emptied")
}

// globs reports whether a word with this text is a file pattern.
func (w word) globs(text string) bool {
	return strings.ContainsAny(text, "*?[") && slices.ContainsFunc(w.parts, func(p part) bool { return !p.quoted })
}

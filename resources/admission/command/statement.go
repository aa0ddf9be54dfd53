package command

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
	m.over = m.over || m.inside >= 4*maxInside
	out := m.within(4*maxInside, "(...)", func() (out string) {
		for _, inner := range s.list {
			out += m.stmt(inner, r.stdin, r.piped)
		}
		return out
	})
	if s.kind == subshell {
		m.dir = dir
	}
	if len(s.list) == 0 { // the end of a loop, whose output is not followed
		out = unknown
	}
	return m.wrote(r, out, s)
}

// pipe hands what the left side writes to the right one. Both run in shells of their own.
func (m *machine) pipe(s *stmt, stdin string, piped bool) string {
	defer m.back(m.dir)
	dir := m.dir
	out := m.stmt(s.left, stdin, piped)
	m.dir = dir
	return m.stmt(s.right, out, true)
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
func (m *machine) call(name string, body *stmt, args []field, stdin string) (out string) {
	m.ran[name] = true
	if m.inside >= maxInside {
		return unknown
	}
	if args == nil {
		args = []field{{text: unknown}, {text: unknown}, {text: unknown}}
	}
	m.inside++
	m.withArgs(args, func() { out = m.stmt(body, stdin, true) })
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
	var choices [][]field
	var rest []field
	for i, w := range s.words {
		if i > 0 {
			rest = append(rest, m.fields(w)...)
			continue
		}
		if text, ok := m.aliases[w.text]; ok && w.literal && m.inside < maxInside {
			return m.aliased(text, s, stdin, piped)
		}
		choices = m.choices(w)
	}
	if len(choices) == 1 && len(choices[0]) == 1 && hasWord("export declare typeset local readonly", choices[0][0].text) {
		m.declares(s, choices[0][0].text+" ")
		return m.wrote(m.redirected(s.redirects, stdin, piped), "", s)
	}
	undo := m.assign(s.assigns, "", len(s.words) > 0, s.loose)
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

// declares sets the variables that export and its like do by their arguments; with -n those
// that stand for others.
func (m *machine) declares(s *stmt, name string) {
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

package command

import (
	"path"
	"strings"
)

// shell runs a shell: on a text, a file, or what it reads.
func (m *machine) shell(c *invocation) string {
	args := c.args
	for len(args) > 0 {
		a := args[0].text
		switch {
		case a == "-c", len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "c") && known(a):
			rest := args[1:]
			for len(rest) > 0 && len(rest[0].text) > 1 && (rest[0].text[0] == '-' || rest[0].text[0] == '+') {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return unknown
			}
			return m.shellText(rest, c)
		case a == "-s" || a == "-":
			out, rest := "", args[1:]
			if len(rest) > 0 && rest[0].text == "--" {
				rest = rest[1:]
			}
			m.withArgs(rest, func() { out = m.code(c.stdin, "", c.part()) })
			return out
		case (a == "--rcfile" || a == "--init-file") && len(args) > 1:
			if text, ok := m.files[m.absolute(args[1].text)]; ok {
				m.code(text, "", c.part())
			}
			args = args[2:]
		case a == "-o" || a == "+o" || a == "-O" || a == "--rcfile" || a == "--init-file":
			args = args[min(2, len(args)):]
		case a == "--version" || a == "--help" || a == "-n":
			return unknown
		case len(a) > 0 && (a[0] == '-' || a[0] == '+'):
			args = args[1:]
		default:
			return m.scriptFile(c, args)
		}
	}
	if c.piped {
		return m.code(c.stdin, "", c.part())
	}
	return unknown // a prompt
}

// shellText runs a text in a shell, with what stands behind it as $0, $1 and so on.
func (m *machine) shellText(args []field, c *invocation) (out string) {
	dir, zero := m.dir, m.zero
	if len(args) > 1 {
		m.zero = args[1].text
	}
	m.withArgs(args[min(2, len(args)):], func() { out = m.code(args[0].text, c.stdin, c.part()) })
	m.dir, m.zero = dir, zero
	return out
}

// scriptFile runs a file in a shell.
func (m *machine) scriptFile(c *invocation, args []field) (out string) {
	name := args[0].text
	m.withArgs(args[1:], func() { out = m.fileCode(name, c, c.stdin, !known(name) && !strings.Contains(name, "/")) })
	return out
}

// source runs a file in this shell.
func (m *machine) source(c *invocation) {
	if len(c.args) > 0 {
		name := c.args[0].text
		m.fileCode(name, c, "", !known(path.Base(name)))
	}
}

// fileCode runs a file in a shell: one that the line has written is read, one of the
// repository is trusted. unsure says that it is not known which one it is.
func (m *machine) fileCode(name string, c *invocation, stdin string, unsure bool) string {
	text, written := m.files[m.absolute(name)]
	switch {
	case written:
		return m.code(text, stdin, c.part())
	case hasWord("/dev/stdin /proc/self/fd/0 /dev/fd/0", name):
		return m.code(c.stdin, "", c.part())
	case isAddress(name), strings.Contains(name, fetched):
		m.object("network-to-shell", c.part(), "")
	case unsure:
		m.object("unknown-code", c.part(), "")
	}
	return unknown
}

// isAddress reports whether a name is one of the network's.
func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// writtenBefore runs a file that the line itself has written: in the language that its first
// line names, or in a shell.
func (m *machine) writtenBefore(c *invocation) bool {
	text, written := m.files[m.absolute(c.path)]
	if !written || !strings.Contains(c.path, "/") {
		return false
	}
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") {
		for _, r := range append([]*row{{names: "awk"}}, commandTable()["code"]...) {
			if strings.Contains(first, r.names) {
				m.foreign(r.names, text, c)
				return true
			}
		}
	}
	m.withArgs(c.args, func() { m.code(text, c.stdin, c.part()) })
	return true
}

// withArgs runs something with other positional parameters.
func (m *machine) withArgs(args []field, f func()) {
	before, called := m.args, m.called
	m.args, m.called = plainTexts(args), true
	f()
	m.args, m.called = before, called
}

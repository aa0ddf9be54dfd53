package command

import (
	"path"
	"slices"
	"strings"
)

// redirections is what the redirections of a command come to.
type redirections struct {
	stdin   string
	piped   bool
	targets []field
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
			r.targets = append(r.targets, field{text: target, glob: d.target.globs(target)})
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
		m.setIn(out, m.shown(s))
		m.write(target, out, nil)
	}
	if len(r.targets) > 0 && redirectsOutput(s.redirects) && !hasWord("/dev/stdout /dev/fd/1 /proc/self/fd/1", r.targets[len(r.targets)-1].text) {
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

// write judges that a file is written, by a command or, for nil, a redirection, and keeps
// what it would hold.
func (m *machine) write(f field, content string, by *invocation) {
	name, part := f.text, "> "+f.text
	if by != nil {
		part = by.part()
	}
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
	placed := known(name) && (known(m.dir) || path.IsAbs(name))
	switch {
	case by != nil:
		m.file(File{Word: f.word(), Holds: contentOf(content)}, by)
	case f.glob || !placed:
		m.file(File{Word: f.word(), Unsure: f.glob || !known(name), By: "> " + m.shownWord(f)}, &invocation{dir: m.dir})
	}
	if by == nil && placed {
		literal := Word{Text: name, Literal: true} // what no file matches is a name
		m.redirections = append(m.redirections, File{Word: literal, Dir: strings.Trim(m.dir, marks), Holds: contentOf(content)})
	}
	if known(m.absolute(name)) {
		m.files[m.absolute(name)] = content
	}
	m.overwrites(name, content, part)
}

// globs reports whether a word that comes to a text stands for files by a pattern.
func (w word) globs(text string) bool {
	return strings.ContainsAny(text, "*?[") && slices.ContainsFunc(w.parts, func(p part) bool { return !p.quoted })
}

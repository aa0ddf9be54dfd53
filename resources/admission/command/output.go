package command

import (
	"path"
	"slices"
	"strings"
)

// echo returns the text that echo prints.
func (m *interpreter) echo(c *invocation) string {
	args, options := c.args, ""
	for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text[1:], "neE") == "" {
		options += args[0].text
		args = args[1:]
	}
	out := texts(args)
	if strings.Contains(options, "e") {
		out = unescaped(out, echoed)
	}
	if !strings.Contains(options, "n") {
		out += "\n"
	}
	return out
}

// printf returns the output of printf, or sets a variable with it.
func (m *interpreter) printf(c *invocation) string {
	args, into := c.args, ""
	if len(args) > 1 && args[0].text == "-v" {
		into, args = args[1].text, args[2:]
	}
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	out := formatted(args[0].text, plainTexts(args[1:]))
	if into != "" {
		m.vars[into] = &variable{values: []string{out}}
		return ""
	}
	return out
}

// formatted formats arguments like printf, repeating the format until all are used.
func formatted(layout string, args []string) string {
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0 && b.Len() < maxCapture; round++ {
		before := len(args)
		args = formatOnce(&b, layout, args)
		if len(args) == before {
			break
		}
	}
	return b.String()
}

// formatOnce writes the format once and returns the remaining arguments.
func formatOnce(b *strings.Builder, layout string, args []string) []string {
	for i := 0; i < len(layout); i++ {
		if layout[i] == '\\' && i+1 < len(layout) {
			i += unescapedOne(b, layout[i+1:], format)
			continue
		}
		if layout[i] != '%' || i+1 == len(layout) {
			b.WriteByte(layout[i])
			continue
		}
		start, word := i, ""
		for i++; i < len(layout)-1 && strings.IndexByte("-+ #0123456789.*", layout[i]) >= 0; i++ {
		}
		if layout[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if len(args) > 0 {
			word, args = args[0], args[1:]
		}
		b.WriteString(formattedWord(layout[i], layout[start:i], word))
	}
	return args
}

// formattedWord formats one argument of printf. flags precede the letter of the directive.
func formattedWord(letter byte, flags, word string) string {
	switch {
	case letter == 's' && !strings.Contains(flags, "."), letter == 'q':
		return word
	case letter == 'b':
		return unescaped(word, echoed)
	}
	return unknown
}

// output returns the output of commands that print or transform text. The output of all
// other commands is unknown.
func (m *interpreter) output(c *invocation) string {
	switch {
	case isOf("hands-on", c.name):
		return m.handedOn(c)
	case isOf("rewrites", c.name):
		return m.rewritten(c)
	case isOf("fetches", c.name):
		return fetched
	case isOf("silent", c.name):
		return ""
	case slices.ContainsFunc(rows("sets", c.name), func(r row) bool { return r.get("words") == "" || literally(c.args, r.get("words")) }):
		return ":\n" // shell settings, usually evaluated by the caller
	}
	if out := m.namedOutput(c, c.optionsTaking("")); out != "" {
		return out
	}
	switch {
	case m.readsSecret(c):
		return private
	case strings.Contains(c.stdin, fetched) && isOf("unpacks", c.name): // unpacked data is as untrusted as the download
		return fetched
	}
	return unknown
}

// namedOutput returns the output of commands that depends only on their arguments. It
// returns "" if the output is unknown.
func (m *interpreter) namedOutput(c *invocation, o *parsedOptions) string {
	words := texts(c.args)
	switch c.name {
	case "gh":
		if len(c.args) > 0 && c.args[0].text == "api" || len(c.args) > 1 && c.args[0].text == "gist" {
			return fetched
		}
	case "aws":
		if strings.Contains(words, "s3 cp s3://") && strings.HasSuffix(words, " -") {
			return fetched
		}
	case "pwd":
		return m.dir + "\n"
	case "mktemp":
		return "/tmp/tmp." + unknown + "\n"
	case "whoami", "id", "logname":
		return "user\n"
	case "which", "type", "where", "whereis":
		if len(o.operands) == 1 {
			return "/usr/bin/" + path.Base(o.operands[0].text) + "\n"
		}
	case "basename", "dirname", "realpath", "readlink":
		return m.ofPath(c)
	case "git":
		return m.gitOutput(c)
	case "tar", "bsdtar", "gtar":
		if o := c.optionsTaking(listOf("tar")); o.has("-c --create") && !m.readsSecret(c) {
			m.keepsArchive(o)
			return archive
		}
	case "cpio":
		if o.has("-o --create") {
			m.archived, m.archivedByGit = []field{{text: "."}}, false
			return archive
		}
	case "printenv":
		if len(c.args) == 0 {
			return private
		}
	case "ls":
		o = c.optionsTaking("-I -w --ignore --hide")
		one := len(o.operands) == 1
		switch {
		case len(o.operands) == 0 || o.has("-l -s -g -o"):
			m.listsFiles(m.searched(o, true), nil, 0, c)
			return "./" + listed + "\n"
		case one && looksLikeFolder(o.operands[0].text) && !o.operands[0].glob: // folder content
			m.listsFiles(o.operands, nil, 0, c)
			return listed + "\n"
		}
		return strings.ReplaceAll(texts(o.operands), " ", "\n") + "\n"
	case "rg", "ag":
		if o := c.optionsTaking("-g -t -e -A -B -C -m --glob --type"); o.has("-l --files --files-with-matches --files-without-match") {
			m.listsFiles(m.searched(o, o.has("--files -e")), nil, 0, c)
			m.holding(o, o.has("--files -e"))
			if !o.has("-. --hidden -u --unrestricted -uu -uuu") {
				m.listsVisible()
			}
			return "./" + listed + "\n"
		}
	}
	return ""
}

// gitOutput returns the output of git commands that print paths or lists of files.
func (m *interpreter) gitOutput(c *invocation) string {
	o := c.optionsTaking(gitTakes)
	if len(o.operands) == 0 {
		return unknown
	}
	switch o.operands[0].text {
	case "grep":
		if o := c.optionsTaking(gitTakes + " -e -f -m -A -B --max-depth --threads"); o.has("-l -L --files-with-matches --name-only --files-without-match") {
			m.listsTracked(o, o.has("-e -f"), 0, c)
			m.holding(&parsedOptions{options: o.options, operands: o.operands[1:]}, o.has("-e -f"))
			return "./" + listed + "\n"
		}
	case "archive":
		if o := c.optionsTaking(gitTakes + " -o --output --prefix --format --remote"); !o.has("-o --output --remote") {
			if m.archived = slices.Clone(o.operands[min(2, len(o.operands)):]); len(m.archived) == 0 {
				m.archived = []field{{text: "."}}
			}
			if prefix, ok := o.value("--prefix"); ok {
				for i := range m.archived {
					m.archived[i].text = path.Join(prefix, m.archived[i].text)
				}
			}
			m.archivedByGit = true
			return archive
		}
	case "cat-file":
		if strings.Contains(texts(o.operands[1:]), ":") {
			return shownByGit
		}
	case "diff", "show", "diff-tree", "ls-tree", "status", "diff-index", "diff-files":
		if state := Modified; o.has("--name-only --name-status") || o.operands[0].text == "status" {
			if hasWord("show diff-tree ls-tree", o.operands[0].text) {
				state = 0
			} else if o.operands[0].text == "status" {
				state |= Untracked
			}
			m.listsFiles([]field{{text: m.opts.Root}}, nil, state, c)
			return "./" + listed + "\n"
		}
		if o.operands[0].text == "show" && len(o.operands) == 2 && strings.Contains(o.operands[1].text, ":") {
			return shownByGit
		}
	case "rev-parse":
		if o.has("--show-toplevel") {
			return m.opts.Root + "\n"
		}
	case "ls-files":
		if o.has("-i --ignored") {
			return "./" + unknown + "\n"
		}
		var state State
		if o.has("-m --modified") {
			state |= Modified
		}
		if o.has("-o --others") {
			state |= Untracked
		}
		m.listsTracked(o, true, state, c)
		isFolder := func(f field) bool { return looksLikeFolder(f.text) }
		if slices.ContainsFunc(o.operands[1:], isFolder) {
			return m.foundList(o.operands[1:], false)
		}
		return m.foundList([]field{{text: "."}}, matchesOneFileType(plainTexts(o.operands[1:])))
	}
	return unknown
}

// searched returns the folders of a search command. The first operand is the pattern,
// unless an option gives it.
func (m *interpreter) searched(o *parsedOptions, given bool) []field {
	roots := o.operands
	if !given {
		roots = roots[min(1, len(roots)):]
	}
	if len(roots) == 0 {
		return []field{{text: "."}}
	}
	return roots
}

// literalText holds the characters without a special meaning in a grep pattern.
const literalText = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/: \"'"

// holding records the text that all files of the last search contain, if the pattern is
// plain text.
func (m *interpreter) holding(o *parsedOptions, given bool) {
	if given || len(o.operands) == 0 || o.has("-v --invert-match -L --files-without-match") || strings.Trim(o.operands[0].text, literalText) != "" {
		return
	}
	for i := range m.listings {
		if l := &m.listings[i]; l.fresh {
			l.Holding = o.operands[0].text
		}
	}
}

// listsTracked records that a git command lists files of pathspecs, which are patterns or
// folders.
func (m *interpreter) listsTracked(o *parsedOptions, given bool, state State, c *invocation) {
	at := *c
	at.dir = m.gitDir(c)
	roots := o.operands[1:]
	if !given && o.dashes != 1 {
		roots = roots[min(1, len(roots)):]
	}
	var names []string
	var folders []field
	for _, f := range roots {
		switch spec, exclude, ok := m.pathspec(f); {
		case exclude:
		case !ok:
			folders, names = []field{{text: "."}}, nil
		case strings.ContainsAny(spec, "*?["):
			if rel, inside := m.fromRoot(spec); inside {
				names = append(names, "/"+rel)
			}
		default:
			folders = append(folders, field{text: spec})
		}
	}
	if len(names) > 0 {
		m.listsFiles([]field{{text: m.opts.Root}}, names, state, &at)
	} else if len(folders) == 0 {
		folders = []field{{text: "."}}
	}
	m.listsFiles(folders, nil, state, &at)
}

// gitDir returns the directory in which git runs.
func (m *interpreter) gitDir(c *invocation) string {
	if dir, ok := c.optionsTaking(gitTakes).value("-C"); ok && dir != "" {
		return m.absolute(dir)
	}
	return c.dir
}

// readsSecret reports whether a command reads a file with secrets. Its output may be that
// file, packed or encoded.
func (m *interpreter) readsSecret(c *invocation) bool {
	if strings.Contains(c.stdin, private) {
		return true
	}
	return isOf("packs", c.name) && slices.ContainsFunc(c.args, func(f field) bool { return m.holdsSecret(strings.TrimPrefix(f.text, "if=")) })
}

// holdsSecret reports whether a file contains secrets or is a copy of such a file.
func (m *interpreter) holdsSecret(name string) bool {
	if name == "" || !isKnown(name) {
		return strings.Contains(name, private)
	}
	if text, ok := m.files[m.absolute(name)]; ok {
		return strings.Contains(text, private)
	}
	return m.isSecret(name)
}

// ofPath returns the output of basename and similar commands.
func (m *interpreter) ofPath(c *invocation) string {
	o := c.optionsTaking("-s")
	if len(o.operands) == 0 || !isKnown(o.operands[0].text) {
		return unknown
	}
	p := o.operands[0].text
	switch c.name {
	case "basename":
		if p = path.Base(p); len(o.operands) > 1 {
			p = strings.TrimSuffix(p, o.operands[1].text)
		}
	case "dirname":
		p = path.Dir(p)
	default:
		p = m.absolute(p)
	}
	return p + "\n"
}

// handedOn returns the output of cat and similar commands. It also writes the
// files of tee and sponge.
func (m *interpreter) handedOn(c *invocation) string {
	o := c.optionsTaking("-n -c -k -t -s -w -f -e -m -A -B -C --lines --bytes --regexp -d --delimiter")
	files := o.operands
	switch c.name {
	case "tee", "sponge":
		for _, f := range files {
			m.setIn(c.stdin, m.part(c.path, c.args))
			m.write(f, c.stdin, c)
		}
		return c.stdin
	case "grep", "egrep":
		if o.has("-l -L --files-with-matches --files-without-match") && (!c.piped || o.has("-r -R --recursive --dereference-recursive")) {
			if o.has("-r -R --recursive --dereference-recursive") {
				o := c.optionsTaking("--include -e -f -m -A -B -C --exclude --exclude-dir")
				m.listsFiles(m.searched(o, o.has("-e -f --regexp --file")), o.values("--include"), 0, c)
				m.holding(o, o.has("-e -f --regexp --file"))
			} else {
				m.listsFiles(m.searched(o, o.has("-e -f --regexp --file")), nil, 0, c)
			}
			return "./" + listed + "\n"
		}
		if len(files) > 0 && !o.has("-e -f --regexp --file") {
			files = files[1:]
		}
	}
	out := ""
	for _, f := range files {
		if f.text == "-" && !c.piped {
			out += unknown
		} else if f.text == "-" {
			out += c.stdin
		} else {
			out += m.contentOf(f.text)
		}
	}
	switch {
	case len(files) > 0:
		return out
	case c.piped:
		return c.stdin
	}
	return unknown
}

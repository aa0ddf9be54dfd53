package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// inTable records and checks the files of a command according to its rows in the table.
func (m *interpreter) inTable(c *invocation) {
	for _, r := range rows("file", c.name) {
		takes := r.get("takes") + " " + r.get("output") + " " + r.get("dir")
		if strings.HasPrefix(r.get("makes"), "-") {
			takes += " " + r.get("makes")
		}
		o := c.optionsTaking(takes)
		changes := r.changes(c, o)
		if r.get("effect") != "by-itself" && changes && !m.keepsContent(c, o) {
			m.operands(r, c, o)
		}
		if changes && len(o.operands) >= r.number("least") {
			m.makesFiles(r, c, o)
		}
		if r.get("needs")+r.get("words") != "" && !changes {
			continue
		}
		for _, f := range r.named(o) {
			m.overwrites(f.text, unknown, c.part())
			m.file(File{Word: f.word(), Product: r.is("made")}, c)
		}
		if folders := c.optionsTaking(r.get("takes") + " " + r.get("output") + " " + r.get("into")).files(r.get("into")); len(folders) > 0 {
			m.fills(folders[len(folders)-1], c)
		}
		switch r.get("effect") {
		case "removes":
			m.removes(c, o)
		case "moves":
			m.moves(c, o)
		case "permits":
			m.permits(c, o)
		case "truncates":
			m.truncates(c, o)
		case "makes":
			m.makes(c, o)
		}
	}
}

// changes reports whether a table row applies to a command with these words and options.
func (r row) changes(c *invocation, o *parsedOptions) bool {
	return !o.has(r.get("spares")) && !literally(c.args, r.get("spares")) && (r.get("needs") == "" || o.has(r.get("needs"))) && (r.get("words") == "" || verbIn(r.get("words"), o))
}

// named returns the files in the row's output options. If the row has a front, only values
// with that prefix count.
func (r row) named(o *parsedOptions) []field { return r.behindFront(o.files(r.get("output"))) }

// behindFront returns fields without the row's front, and without what follows a comma. If the row has a
// front, fields without it are left out.
func (r row) behindFront(all []field) []field {
	fronts := r.get("front")
	if fronts == "" {
		return all
	}
	var some []field
	for _, f := range all {
		for front := range strings.SplitSeq(fronts, "|") {
			if rest, ok := strings.CutPrefix(f.text, front); ok && rest != "" {
				rest, _, _ = strings.Cut(rest, ",")
				some = append(some, field{text: rest, glob: f.glob})
			}
		}
	}
	return some
}

// makesFiles records the files that a command always writes, and the folder that it fills.
func (m *interpreter) makesFiles(r row, c *invocation, o *parsedOptions) {
	dir, _ := o.value(r.get("dir"))
	for name := range strings.FieldsSeq(r.get("fixed")) {
		m.file(File{Word: field{text: path.Join(dir, name), glob: strings.Contains(name, "*")}.word(), Product: r.is("made")}, c)
	}
	for name := range strings.FieldsSeq(r.get("follows")) {
		m.file(File{Word: field{text: path.Join(dir, name)}.word(), Product: true, Follows: true}, c)
	}
	places := r.get("makes")
	if places == "" {
		return
	}
	folder := field{text: "."}
	if strings.HasPrefix(places, "-") {
		if named := o.files(places); len(named) > 0 {
			folder = named[len(named)-1]
		}
	} else {
		for place := range strings.SplitSeq(places, "|") {
			if n, err := strconv.Atoi(place); err == nil && n < len(o.operands) {
				folder = o.operands[n]
				break
			}
		}
	}
	m.file(File{Word: folder.word()}, c)
}

// keepsContent reports whether a command only changes owners or groups
// recursively, or modes such that the owner keeps access. The content then
// remains readable.
func (m *interpreter) keepsContent(c *invocation, o *parsedOptions) bool {
	switch c.name {
	case "chown", "chgrp":
		return o.has("-R --recursive")
	case "chmod": // a hook that is not executable is disabled
		return !slices.ContainsFunc(c.args, minusMode) && len(o.operands) > 0 && isKnown(o.operands[0].text) && keepsOwner(o.operands[0].text)
	}
	return false
}

// keepsOwner reports whether a mode keeps read and write access of the owner.
func keepsOwner(mode string) bool {
	if digits := strings.TrimLeft(mode, "0"); digits != "" && strings.Trim(digits, "01234567") == "" {
		return len(digits) >= 3 && digits[len(digits)-3] >= '6'
	}
	takes := func(clause string) bool {
		who := clause[:max(0, strings.IndexAny(clause, "+-="))]
		return !strings.Contains(clause, "+") && (who == "" || strings.ContainsAny(who, "ua"))
	}
	return mode != "" && !slices.ContainsFunc(strings.Split(mode, ","), takes)
}

// minusMode reports whether a word is a chmod mode that looks like an option (-x).
func minusMode(f field) bool {
	return len(f.text) > 1 && f.text[0] == '-' && strings.Trim(f.text[1:], "rwxXst") == ""
}

// operands records the operands that a command changes.
func (m *interpreter) operands(r row, c *invocation, o *parsedOptions) {
	fields := o.operands
	first, second := min(1, len(fields)), min(2, len(fields))
	switch r.get("how") {
	case "but-first":
		if !slices.ContainsFunc(c.args, minusMode) {
			fields = fields[first:]
		}
	case "first":
		fields = fields[:first]
	case "second":
		fields = fields[first:second]
	case "behind-two":
		fields = fields[second:]
	case "rewritten":
		m.formats(r, c, o)
		return
	case "last", "moved":
		m.destinationFiles(r, c, o)
		return
	case "filled":
		m.fillsUnseen(append(fields, field{text: "."}, field{text: "."})[1], c)
		return
	case "none":
		return
	}
	for _, f := range r.behindFront(fields) {
		if f.text == "-" || r.is("plus") && strings.HasPrefix(f.text, "+") {
			continue
		}
		made := r.is("made") || r.get("effect") == "removes" && m.isAt(f.text, inBuild)
		m.file(File{Word: f.word(), Tree: r.wholeTree(o), Unsure: r.is("unsure"), Product: made}, c)
		if r.get("effect") == "" {
			m.overwrites(f.text, unknown, c.part())
		}
	}
}

// wholeTree reports whether a command affects everything below its operands.
func (r row) wholeTree(o *parsedOptions) bool { return r.get("tree") == "all" || o.has(r.get("tree")) }

// destination returns the target and the sources of a copy, move or link.
func destination(c *invocation, o *parsedOptions) (to field, from []field, ok bool) {
	from = o.operands
	folders := o.files("-t --target-directory")
	switch {
	case len(folders) > 0 && c.name != "rsync" && c.name != "scp":
		return folders[len(folders)-1], from, true
	case len(from) > 1:
		return from[len(from)-1], from[:len(from)-1], true
	case len(from) == 1 && c.name == "ln":
		return field{text: "."}, from, true
	}
	return field{}, from, false
}

// isRemote reports whether a file argument of rsync or scp is on another machine.
func isRemote(name string) bool { return strings.Contains(name, ":") && !isWindowsRoot(name) }

// destinationFiles records the files that a copy, move or link creates, and the ones that a
// move removes.
func (m *interpreter) destinationFiles(r row, c *invocation, o *parsedOptions) {
	to, from, ok := destination(c, o)
	remote := r.is("remote")
	if !ok || remote && (isRemote(to.text) || to.text == "-") {
		return
	}
	tree := r.wholeTree(o)
	linked := c.name == "link" || c.name == "ln" && !o.has("-s --symbolic") || hasWord("cp gcp", c.name) && o.has("-l --link")
	f := File{Word: to.word(), Tree: tree}
	if c.name == "ditto" || tree && c.name != "rsync" && o.has("-T --no-target-directory") { // copies the content of the folders without the folders
		from = nil
	}
	for i, w := range from {
		if i > 0 && from[0].text == "/dev/null" { // all following files are emptied
			m.file(File{Word: w.word(), Holds: contentOf("")}, c)
			continue
		}
		name := w.text
		if remote && isRemote(name) {
			name = name[strings.LastIndexByte(name, ':')+1:]
		}
		base := path.Base(name)
		switch {
		case !isKnown(name), name != w.text && strings.ContainsAny(name, "*?["), w.glob && m.mayHold(w): // unknown name in a known folder
			m.fills(to, c)
			base = ""
		case w.glob:
			f.NamePatterns = append(f.NamePatterns, w.word().Pattern)
			continue
		case base == "..", strings.HasSuffix(name, "/"):
			base = "."
		}
		f.Into = append(f.Into, base)
		if r.get("how") == "moved" || linked {
			m.file(File{Word: w.word(), Tree: tree, Unsure: linked}, c)
		}
	}
	m.file(f, c)
}

// file records an affected file for the path policy.
func (m *interpreter) file(f File, c *invocation) {
	if f.Word.Literal && strings.Contains(harmlessTargets, " "+f.Word.Text+" ") {
		return
	}
	f.Dir = c.dir
	f.Product = f.Product || !f.Word.fromList && f.Patch == "" && m.isIgnored(f)
	if f.Word.Literal && len(m.links) > 0 {
		f.Word.Text = m.behindLink(f.Word.Text)
	}
	if !isKnown(f.Dir) {
		f.Dir, f.DirUnknown = "", true
	}
	if f.By == "" {
		f.By = m.part(c.path, c.args)
	}
	if len(m.writes) >= maxSteps {
		m.exceeded = true
		return
	}
	if f.Word.fromList {
		m.lists = append(m.lists, listUse{f.By, !f.Unsure && !f.Product})
	}
	m.writes = append(m.writes, f)
}

// isIgnored reports whether git ignores a file. Such a file can be rebuilt and belongs to
// no task.
func (m *interpreter) isIgnored(f File) bool {
	name := f.Word.Text
	if f.Word.Pattern != "" {
		name = f.Word.Pattern
	}
	if !f.Word.Literal && f.Word.Pattern == "" || !isKnown(f.Dir) {
		return false
	}
	defer func(dir string) { m.dir = dir }(m.dir)
	m.dir = f.Dir
	rel, inside := m.fromRoot(m.absolute(name))
	return inside && m.madeAgain(rel)
}

// touch records a written file that is not visible in the command's arguments.
func (m *interpreter) touch(name string, c *invocation) {
	if name != "" && name != "-" {
		m.file(File{Word: field{text: name}.word()}, c)
	}
}

// writesTo checks and records a write to a file.
func (m *interpreter) writesTo(name string, c *invocation) {
	m.overwrites(name, unknown, c.part())
	m.touch(name, c)
}

// part formats a command for a message, with paths relative to the repository root or the
// home folder.
func (m *interpreter) part(name string, args []field) string {
	all := []string{m.shownWord(field{text: name})}
	for _, f := range args {
		all = append(all, m.shownWord(f))
	}
	return shortened(strings.Join(all, " "))
}

// shownWord returns an argument for messages: as written if its value is unknown, and shortened if
// it is a path below the repository root or the home folder.
func (m *interpreter) shownWord(f field) string {
	text := f.word().text()
	if f.source != "" {
		text = f.source
	}
	if rest, ok := strings.CutPrefix(text, m.opts.Root+"/"); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(text, m.opts.Home+"/"); ok {
		return "~/" + rest
	}
	return text
}

// sets records that the line sets a variable or a git setting.
func (m *interpreter) sets(name, value, by string) {
	if len(m.settings) < maxSteps {
		m.settings = append(m.settings, Setting{name, value, by})
	}
}

// setIn records the variables that a text sets in a file, in the line format of shells and
// env files.
func (m *interpreter) setIn(text, by string) {
	if !strings.Contains(text, "=") {
		return
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		for _, w := range words[:min(len(words), maxChoices)] {
			if name, value, _ := strings.Cut(w, "="); isAssignment(w) {
				m.sets(name, strings.Trim(value, `"'`), by)
			}
		}
	}
}

// fileEffects records and checks the file changes of a command.
func (m *interpreter) fileEffects(c *invocation) {
	m.inTable(c)
	switch c.name {
	case "sed", "gsed", "perl", "ruby", "yq", "xq", "tomlq", "jaq":
		m.inPlace(c)
	case "awk", "gawk":
		if o := c.optionsTaking("-F -v -f -i -l -E --file --include --load --exec --assign --field-separator"); slices.Contains(o.values("-i --include"), "inplace") {
			files := o.operands
			if !o.has("-f --file -E --exec") { // the program text is not a file
				files = files[min(1, len(files)):]
			}
			m.changesInPlace(files, c)
		}
	case "coverage":
		if python, found := languageOf("python"); found && len(c.args) > 0 && c.args[0].text == "run" {
			inner := *c
			inner.args, inner.parsed = c.args[1:], nil
			m.interpreter(python, &inner)
		}
	case "apply_patch", "applypatch":
		text := c.stdin
		if !c.piped || len(c.args) > 0 {
			text = texts(c.args)
		}
		m.file(File{Patch: text}, c)
	case "patch":
		m.patches(c)
	case "zip":
		if o := c.optionsTaking("-x -i -t -b -d -P -p"); len(o.operands) > 0 {
			m.leaves(o.operands[0].text, c.part())
		}
	}
	m.unpacks(c)
}

// maxNamed is the maximum number of names in code that are checked.
const maxNamed = 64

// namedFiles records the file names in code, because the effects of the code on them cannot
// be determined. Governed files are protected this way.
func (m *interpreter) namedFiles(code string, c *invocation) {
	names := strings.FieldsFunc(code, func(ch rune) bool {
		return !(ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9' || strings.ContainsRune("._/~-", ch))
	})
	for _, name := range names[:min(len(names), maxNamed)] {
		if !strings.ContainsAny(name, "./") {
			continue
		}
		if rest, home := strings.CutPrefix(name, "~/"); home {
			name = m.opts.Home + "/" + rest
		}
		m.file(File{Word: field{text: name}.word(), Tree: inHidden(name), Unsure: true}, c)
	}
}

package command

import (
	"path"
	"slices"
	"strings"
)

// Words in the names of options and subcommands with which programs change files. Programs
// agree on them, so they tell the effect of a program that no table row describes.
const (
	outputWords  = "out output outfile outputfile outdir outputdir outpath dest dst destination destdir junit junitxml junitfile logfile coverprofile cpuprofile memprofile blockprofile mutexprofile metafile"
	resultWords  = "report reports log cache coverage trace profile prof result results temp"
	productWords = resultWords + " export save html xml artifact artifacts build site"
	placeWords   = "file path dir directory location to xml json html csv markdown"
	inPlaceWords = "inplace place write fix autofix fixall overwrite clobber autocorrect rewrite reformat autoformat"
	dryWords     = "check test dry diff dryrun noop preview no stdout verify simulate validate"
	writingVerbs = "write trash shred erase set unset put add append insert prepend rm remove del delete drop unlink update upgrade fmt format fix edit patch apply replace rename mv move cp copy init install sync truncate clear overwrite modify bump touch strip migrate codemod refactor inject revert reset restore extract unpack decompress encrypt decrypt reformat rewrite"
	readingVerbs = "test build lint check run exec start serve bench list ls show get info help search status log diff view describe doc docs version verify validate plan why explain query graph print cat read inspect parse"
	formatVerbs  = "fmt format fix reformat codemod"
	formatters   = "fmt format formatter beautify fixer reorder"
	codeOptions  = "-c -e -E -g -r -x --eval --exec --execute --expr --expression --command --cmd --code --script --run --print"
)

// nameWords splits the name of an option, a function or a subcommand into its words in lower case:
// "--outFile", "write_text".
func nameWords(name string) []string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		if isNameByte(c) && c != '_' {
			b.WriteByte(c)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// saysAny reports whether one of the words of a name is in a list.
func saysAny(list, name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return hasWord(list, w) })
}

// isListed reports whether the table describes a program. The options and words of other programs are
// read generally.
func isListed(name string) bool {
	return slices.ContainsFunc([]string{name, strings.TrimRight(name, "-.0123456789")}, func(name string) bool {
		return slices.ContainsFunc([]string{"style", "file", "runs", "read-only", "shell", "data"}, func(sort string) bool { return isOf(sort, name) })
	})
}

// generally records the files that a command changes by the names of its options and words. Only
// the place of a tracked file counts: such a value or operand may also be read.
func (m *interpreter) generally(c *invocation) {
	if c.name == "git" || strings.HasSuffix(c.name, "grep") || c.readOnly() || literally(c.args, "--help") {
		return
	}
	m.outputs(c)
	if isListed(c.name) {
		return
	}
	m.editsInPlace(c)
	m.startsCommand(c)
	if _, isLanguage := languageOf(c.name); !isLanguage {
		for _, code := range c.optionsTaking(codeOptions).values(codeOptions) {
			m.foreign(c.name, code, c)
		}
		if c.piped && isKnown(c.stdin) {
			m.codeWrites(c.name, c.stdin, c)
		}
	}
}

// outputs records the values of output options. A value may name several settings, like
// "type=local,dest=docs" and "xml:report.xml".
func (m *interpreter) outputs(c *invocation) {
	_, isScript := languageOf(c.name)
	isDescribed := slices.ContainsFunc(rows("file", c.name), func(r row) bool { return r.get("output") != "" || r.is("made") || r.get("how") == "rewritten" })
	isUnknown := !isDescribed || isScript && !literally(c.args, "-m") || hasWord("npm pnpm yarn bun", c.name) || len(c.args) > 0 && hasWord("run task", c.args[0].text)
	for i, f := range c.args {
		name, value, hasValue := strings.Cut(f.text, "=")
		if before, after, found := strings.Cut(name, ":"); found && len(before) > 2 && !strings.Contains(before[1:], "/") { // --outdir:build, /out:build
			name, value, hasValue = strings.Replace(before, "/", "-", 1), after, true
		}
		short := strings.HasPrefix(name, "-o") && (name == "-o" || len(name) > 2 && (strings.ContainsAny(name, "./") || styleOf(c.name) == joined))
		switch {
		case !short && !namesOutput(name, hasValue):
			continue
		case short && name != "-o":
			value = f.text[2:]
		case !hasValue && i+1 < len(c.args):
			f = c.args[i+1]
			value = f.text
		}
		parts := strings.FieldsFunc(value, func(r rune) bool { return r == '=' || r == ',' || r == ':' })
		for _, part := range parts {
			m.replacesTracked(field{text: part, glob: f.glob}, isUnknown && !saysAny(resultWords, name), c)
		}
	}
}

// namesOutput reports whether the value of an option is a file or folder that the program writes. A word like
// "report" may be a switch without a value.
func namesOutput(name string, joined bool) bool {
	return strings.HasPrefix(name, "-") && !saysAny("format template config type level style input", name) &&
		(saysAny(outputWords, name) || saysAny("target", name) && saysAny("file", name) || saysAny(productWords, name) && (joined || saysAny(placeWords, name)))
}

// replacesTracked records a file that a command may write. It counts only if it replaces a tracked or
// governed file, or with creates also if it is new and a source file or a document.
func (m *interpreter) replacesTracked(f field, creates bool, c *invocation) {
	if f.text == "" || f.text[0] == '-' {
		return
	}
	if name, position, found := strings.Cut(f.text, ":"); found && strings.Trim(position, "#0123456789:,-") == "" {
		f.text = name
	}
	if strings.Contains(f.text, "/") && isKnown(f.text) {
		m.overwrites(f.text, unknown, c.part())
	}
	m.file(File{Word: f.word(), Product: true, Creates: creates}, c)
}

// editsInPlace records the operands of a command with an in-place option or a writing word. Formatters
// and fixers take folders, and without an operand the working directory.
func (m *interpreter) editsInPlace(c *invocation) {
	formats := saysAny(formatters, c.name) || hasAny(c.name, "fmt", "format", "beaut")
	edits := (formats || saysAny(writingVerbs, c.name) && !saysAny("write", c.name)) && !saysAny(readingVerbs, c.name)
	everywhere, hasOutput, tries := false, false, literally(c.args, "-n")
	edits = edits && !tries
	for i, f := range c.args {
		name, value, joined := strings.Cut(f.text, "=")
		switch {
		case !strings.HasPrefix(name, "-"):
		case saysAny(dryWords, name) || value == "false":
			return
		case saysAny(inPlaceWords, name):
			if edits, formats, everywhere = true, true, true; joined {
				m.replacesTracked(field{text: value}, false, c)
			}
		case hasWord("rm remove delete", strings.TrimLeft(name, "-")), saysAny("source input original", name) && saysAny("rm remove delete", name),
			i > 0 && i+1 == len(c.args) && !joined && hasWord("-o --output", name): // without a value, to the input
			edits = true
		case namesOutput(name, joined) || name == "-o":
			hasOutput = true
		case name == "-w" || name == "-i" || strings.HasPrefix(name, "-i."):
			edits = true
		}
	}
	o := parseOptions(c.args, wordy, "")
	operands := o.operands
	reads := len(operands) > 0 && saysAny(readingVerbs, operands[0].text)
	if at := slices.IndexFunc(operands[:min(3, len(operands))], func(f field) bool {
		return !reads && !tries && !strings.ContainsAny(f.text, " /.\n") && saysAny(writingVerbs, f.text) && !m.exists(f.text)
	}); at >= 0 {
		everywhere = everywhere || saysAny(formatVerbs, operands[at].text)
		formats = formats || everywhere
		edits, hasOutput, operands = true, false, slices.Concat(operands[:at], operands[at+1:])
	}
	if !edits || hasOutput && !formats {
		return
	}
	found := false
	for _, f := range operands {
		isFolder := m.exists(f.text) && looksLikeFolder(f.text) && !looksLikeFile(f.text)
		switch {
		case isFolder && formats, strings.HasSuffix(f.text, "/..."):
			m.file(File{Word: field{text: strings.TrimSuffix(f.text, "...")}.word(), Tree: true, Listed: true, Fixer: true, Named: true, Visible: !inHidden(f.text)}, c)
		case f.glob || !strings.ContainsAny(f.text, "*?{"):
			m.replacesTracked(f, false, c)
		default:
			m.formats(row{}, c, &parsedOptions{operands: []field{f}})
		}
		found = found || isFolder || f.glob || m.exists(f.text) || strings.ContainsAny(f.text, "*?./")
	}
	if everywhere && !found {
		m.formats(row{cells: "everywhere"}, c, &parsedOptions{})
	}
}

// exists reports whether a path names something in the work tree.
func (m *interpreter) exists(name string) bool {
	return name != "" && isKnown(name) && m.opts.Exists != nil && m.opts.Exists(m.absolute(name))
}

// startsCommand interprets the command that a program of unknown purpose starts: after "--", or a
// shell, an interpreter or a file command as its first operand.
func (m *interpreter) startsCommand(c *invocation) {
	at := slices.IndexFunc(c.args, func(f field) bool { return f.text == "--" })
	if at >= 0 && at+1 < len(c.args) && isListed(programOf(c.args[at+1].text)) {
		m.run(c.args[at+1:], c.stdin, c.piped)
		return
	}
	at = slices.IndexFunc(c.args, func(f field) bool { return !strings.HasPrefix(f.text, "-") })
	if at < 0 || at+1 == len(c.args) {
		return
	}
	name := programOf(c.args[at].text)
	_, isLanguage := languageOf(name)
	if isLanguage || isOf("shell", name) || hasWord("rm mv cp tee sed dd truncate git find xargs env sudo", name) {
		m.run(c.args[at:], c.stdin, c.piped)
	}
}

// programOf returns the program that a package or an image starts: the last part of its name without
// registry, version and tag. "npm:prettier@3", "mvan.cc/sh/v3/cmd/shfmt@latest", "nixpkgs#ruff".
func programOf(spec string) string {
	for _, scheme := range []string{"npm:", "jsr:", "docker://"} {
		spec = strings.TrimPrefix(spec, scheme)
	}
	if _, name, found := strings.Cut(spec, "#"); found {
		spec = name
	}
	at := strings.IndexByte(spec[min(1, len(spec)):], '@')
	if at >= 0 {
		spec = spec[:at+1]
	}
	spec, _, _ = strings.Cut(spec, "==")
	folder, name := path.Split(strings.TrimSuffix(spec, "/..."))
	name, _, _ = strings.Cut(name, ":")
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" && folder != "" {
		name = path.Base(folder)
	}
	return strings.ToLower(name)
}

// ofPackage replaces the package in front of the arguments of its program by the program.
func ofPackage(command []field) []field {
	if len(command) == 0 || !isKnown(command[0].text) {
		return command
	}
	spec := command[0].text
	first, _, nested := strings.Cut(spec, "/")
	if !strings.ContainsAny(spec, "@#") && !strings.HasPrefix(spec, "npm:") && !strings.HasPrefix(spec, "jsr:") && (!nested || strings.Trim(first, ".") == "") {
		return command
	}
	args := command[1:]
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	return append([]field{{text: programOf(spec)}}, args...)
}

// ofImage returns the command that a container starts: the given one, or the program after which
// its image is named. own ends with the image.
func ofImage(own, command []field) []field {
	if len(own) == 0 || len(command) == 0 {
		return command
	}
	image := own[len(own)-1].text
	name := programOf(image)
	if !isListed(name) && isListed(programOf(path.Dir(image))) {
		name = programOf(path.Dir(image))
	}
	if strings.HasPrefix(command[0].text, "-") || isListed(name) && !isListed(programOf(command[0].text)) {
		return append([]field{{text: name}}, command...)
	}
	return command
}

// mounted returns the folders of the repository that a container mounts, by their names there, and the
// folder in which it works.
func (m *interpreter) mounted(o *parsedOptions) (folders map[string]string, dir string) {
	folders = map[string]string{}
	for _, v := range append(o.values("-v --volume"), o.values("--mount")...) {
		from, to, _ := strings.Cut(v, ":")
		for setting := range strings.SplitSeq(v, ",") {
			switch name, value, _ := strings.Cut(setting, "="); name {
			case "source", "src":
				from = value
			case "target", "destination", "dst":
				to = value
			}
		}
		to, _, _ = strings.Cut(to, ":")
		if at := m.absolute(from); strings.ContainsAny(from, "/.") && (isWithin(at, m.opts.Root) || isWithin(m.opts.Root, at)) {
			folders[path.Clean(to)] = at
			dir = to
		}
	}
	if given, ok := o.value("-w --workdir"); ok {
		dir = given
	}
	return folders, dir
}

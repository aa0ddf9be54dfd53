package command

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Words in the names of functions that change files, in any language. Words of the second list are
// also names of functions without files: they count if a module for files provides them or
// if their argument is a path.
const (
	surelyWrites  = "write writes binwrite spit unlink rmtree rmdir rmrf truncate ftruncate outfile spurt ofstream fileoutputstream inplace supersede"
	maybeWrites   = "append remove removes rm delete deletes del rename renames move mv copy copy2 copyfile copytree cp replace save create put set add clear touch link symlink store out output dump sink cat tofile savefig savetxt savez imwrite imsave"
	fileModules   = "os fs fsp file files fileutils shutil pathlib path paths io promises bun deno dir ioutil filesystem extra fileio filemanager tofile"
	handleObjects = "stdout stderr out err console response res socket stream"
)

// use is the use of a function in code.
type use struct {
	name     string   // the function: "write_text"
	receiver string   // the last name in front of it, or the function whose result it is used on
	given    string   // arguments of that function: "'a'" in Path('a').write_text
	args     []string // its own arguments
	assigned bool     // it is assigned to or appended to: File("a").text = "x"
}

// quotesOf returns the characters that enclose texts in code. In Lisp, "'" quotes a name.
func quotesOf(code string) string {
	if strings.HasPrefix(strings.TrimSpace(code), "(") {
		return `"`
	}
	return "\"'`"
}

// usesIn returns the uses of functions in code: name(a, b), name a b and (name a b).
func usesIn(code string) []use {
	var all []use
	quotes := quotesOf(code)
	for i := 0; i < len(code) && len(all) < 400; {
		c := code[i]
		if strings.IndexByte(quotes, c) >= 0 {
			i = max(endOfText(code, i), i+1)
			continue
		}
		n := i
		for n < len(code) && (isNameByte(code[n]) || code[n] == '-' && n > i && n+1 < len(code) && isNameByte(code[n+1])) {
			n++
		}
		if n == i {
			i++
			continue
		}
		x := use{name: code[i:n]}
		x.receiver, x.given = receiverOf(code[:i])
		rest := strings.TrimLeft(code[n:], " !?")
		switch {
		case strings.HasPrefix(rest, "("):
			end := endOfCall(rest, 0)
			x.args = argumentsOf(rest[1:max(1, end-1)], separatorIn(quotes))
			x.assigned = strings.HasPrefix(strings.TrimSpace(rest[end:]), "<<")
		case strings.HasPrefix(rest, "=") && !hasAnyPrefix(rest, "==", "=~", "=>"), strings.HasPrefix(rest, "<<"):
			x.assigned = true
		default:
			end := strings.IndexAny(rest, "\n;})]|")
			if end < 0 {
				end = len(rest)
			}
			if rest = strings.TrimSpace(rest[:end]); strings.Contains(rest, ",") {
				x.args = argumentsOf(rest, ',')
			} else {
				x.args = argumentsOf(rest, ' ')
			}
		}
		all = append(all, x)
		i = n
	}
	return all
}

// separatorIn returns the byte that separates arguments in code whose texts are enclosed by these
// quotes: a space in Lisp, else a comma.
func separatorIn(quotes string) byte {
	if quotes == `"` { // Lisp
		return ' '
	}
	return ','
}

// receiverOf returns the name on which a function is used, given the code in front of it, and the
// arguments if it is the result of a call.
func receiverOf(code string) (name, given string) {
	code = strings.TrimRight(code, " \n")
	front := strings.TrimRight(code, ".:>-")
	if front == code || strings.HasSuffix(code, "-") {
		return "", ""
	}
	if strings.HasSuffix(front, ")") {
		depth := 0
		for i := len(front) - 1; i >= 0; i-- {
			if front[i] == ')' {
				depth++
			} else if front[i] == '(' {
				if depth--; depth == 0 {
					front, given = front[:i], front[i+1:len(front)-1]
					break
				}
			}
		}
	}
	i := len(front)
	for i > 0 && isNameByte(front[i-1]) {
		i--
	}
	return front[i:], given
}

// argumentsOf splits arguments at a separator outside texts and parentheses.
func argumentsOf(text string, separator byte) []string {
	var all []string
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			i = max(endOfText(text, i), i+1) - 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == separator && depth == 0:
			all, from = append(all, strings.TrimSpace(text[from:i])), i+1
		}
	}
	return append(all, strings.TrimSpace(text[min(from, len(text)):]))
}

// codeWrites records the files that code changes by functions with a writing name: the files that it names as
// the function's argument, or else all files that the code names anywhere. Code that writes
// and names no file needs approval.
func (m *interpreter) codeWrites(lang, code string, c *invocation) {
	named, built, imported := constantsIn(code), false, aliasesIn(code)
	for _, x := range usesIn(code) {
		x.name, x.receiver = cmp.Or(imported[x.name], x.name), cmp.Or(imported[x.receiver], x.receiver)
		targets, writes := m.targets(x, lang)
		if !writes || len(x.args) > 0 && hasAnyPrefix(x.args[0], "as ") || slices.Contains(x.args, "as") {
			continue
		}
		for _, target := range targets {
			text := target
			if value, ok := named[strings.TrimPrefix(target, "$")]; ok {
				text = value
			}
			switch names, whole := pathsOf(text); {
			case whole:
				for _, name := range names {
					m.codeWritten(name, c)
				}
			case text != "":
				built = true
			}
		}
	}
	if built {
		m.codeBuilds(code, c)
	}
}

// aliasesIn returns the names that code imports under other names: from os import remove as rm.
func aliasesIn(code string) map[string]string {
	if !strings.Contains(code, "import") {
		return nil
	}
	all := map[string]string{}
	words := strings.FieldsFunc(code, func(r rune) bool { return r > 127 || !isNameByte(byte(r)) })
	for i := 1; i+1 < len(words); i++ {
		if words[i] == "as" {
			all[words[i+1]] = words[i-1]
		}
	}
	return all
}

// codeWritten records a file that code certainly writes.
func (m *interpreter) codeWritten(name string, c *invocation) {
	if strings.ContainsAny(name, "*?[") {
		m.file(File{Word: field{text: name, glob: true}.word()}, c)
		return
	}
	m.writesTo(name, c)
}

// codeBuilds records the files that code names which writes a file with a computed name. They count in the
// place of tracked files, because code also reads.
func (m *interpreter) codeBuilds(code string, c *invocation) {
	found := hasAny(code, "tempfile", "mktemp", "mkdtemp", "tmpdir", "TMPDIR", "Tempfile", "tempdir")
	names := textsOf(literalsIn(code))
	isEnd := func(r rune) bool { return strings.ContainsRune(" \n\t\"'`(){}[],;=<>|", r) }
	for _, name := range append(strings.FieldsFunc(code, isEnd), plainTexts(c.args)...) {
		if strings.Contains(name, "/") || looksLikeFile(name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "" || name == "." || len(name) > 300 || strings.Contains(name, "\n") || !isKnown(name) {
			continue
		}
		isPattern := strings.ContainsAny(name, "*?[") && strings.Trim(name, "*?[]./") != ""
		switch {
		case m.exists(name) || isPattern || m.opts.Exists == nil && looksLikeFile(name):
			found = true
			m.file(File{Word: field{text: name, glob: isPattern}.word(), Product: true, Tree: inHidden(name)}, c)
		case strings.Contains(name, "/") && m.isAt(name, inTemp, inBuild):
			found = true
		}
	}
	m.reportIf(!found, "unknown-files", c.part(), "its code computes the names of the files that it writes")
}

// pathsOf returns the file names in an argument. whole means that the argument contains only file
// names: one text, a list of texts, or a word without quotes.
func pathsOf(text string) (names []string, whole bool) {
	text = strings.TrimSpace(text)
	if name, value, keyword := strings.Cut(text, "="); keyword && !strings.ContainsAny(name, "'\"`( ") {
		text = strings.TrimSpace(value)
	}
	if text == "" || strings.HasSuffix(text, ":") {
		return nil, true
	}
	if !strings.ContainsAny(text, "'\"`(){}[]$+%&") && (strings.Contains(text, "/") || looksLikeFile(text)) { // Tcl
		return []string{text}, true
	}
	if dynamic(text) {
		return nil, false
	}
	return textsOf(literalsIn(text)), strings.ContainsAny(text, "'\"`")
}

// targets returns the arguments of a function that name the files that it changes. writes is false if it
// changes none.
func (m *interpreter) targets(x use, lang string) (targets []string, writes bool) {
	words := nameWords(x.name)
	says := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return hasWord(list, w) })
	}
	all := append(slices.Clone(x.args), "", "", "")
	receiver := strings.ToLower(x.receiver)
	if receiver == "require" || receiver == "import" {
		receiver, x.given = strings.TrimPrefix(strings.Trim(x.given, "'\"`"), "node:"), ""
	}
	isModule := hasWord(fileModules, receiver)
	lead := ""
	if len(words) > 0 {
		lead = words[0]
	}
	switch {
	case x.assigned && hasWord("text bytes", x.name) && x.given != "":
		return []string{x.given}, true
	case x.assigned && x.name == "File":
		return x.args, true
	case len(words) == 0, x.assigned, len(x.args) == 0 && x.given == "":
		return nil, false
	case says("open fopen sopen openfile openw") || says("fileinput input") && strings.Contains(strings.Join(x.args, " "), "inplace"):
		if isModule && x.given != "" || receiver == "path" || receiver == "purepath" { // Path('a').open('w')
			return []string{x.given}, opensToWrite(append([]string{""}, x.args...))
		}
		if says("out") || says("fileinput input") { // open_out
			return all[:1], true
		}
		return openTarget(x.args), opensToWrite(x.args)
	case says(handleObjects) && !says("file create") || hasWord(handleObjects, receiver), hasWord("fwrite fputs fprintf fputcsv println print printf puts", strings.ToLower(x.name)):
		return nil, false
	case hasWord("write writelines writeln writerow writerows print flush", strings.ToLower(x.name)) && !isModule:
		if x.receiver != "" || lang == "swipl" { // to a file that other code opens
			return nil, false
		}
		return m.pathArguments(all[:2]), len(m.pathArguments(all[:2])) > 0
	case lang == "r" || lang == "rscript" || lang == "littler":
		return m.targetsInR(x, words)
	case says(surelyWrites), says("writer") && says("file print buffered"):
		if x.given != "" {
			return append(m.pathArguments(all[:1]), x.given), true
		}
		if strings.Contains(x.name, "-") { // Lisp: (write-region "text" nil "file")
			return m.pathArguments(x.args), true
		}
		return all[:1], lead != "read"
	case lead == "to" && says("csv json parquet excel html pickle feather markdown latex hdf stata xml file disk"):
		some := m.pathArguments(all[:1])
		return some, len(some) > 0
	case !says(maybeWrites), hasWord("get read list is has to", lead):
		return nil, false
	case x.given != "" && isModule: // Path('a').rename('b'), new File("a").delete()
		return append(m.pathArguments(all[:1]), x.given), true
	case says("copy copy2 copyfile copytree cp"):
		return all[1:2], isModule || len(m.pathArguments(all[1:2])) > 0
	case isModule:
		return append(m.pathArguments(all[1:]), all[0]), true
	}
	some := m.pathArguments(x.args)
	return some, len(some) > 0
}

// targetsInR returns the arguments that name the written files of a function of
// R, and whether the function writes.
func (m *interpreter) targetsInR(x use, words []string) (targets []string, writes bool) {
	for _, arg := range x.args {
		if name, value, keyword := strings.Cut(arg, "="); keyword && hasWord("file con path filename", strings.TrimSpace(name)) {
			targets = append(targets, value)
		}
	}
	says := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return hasWord(list, w) })
	}
	switch {
	case hasWord("png pdf svg jpeg tiff bmp ggsave", x.name) && len(targets) == 0:
		return x.args[:1], len(m.pathArguments(x.args[:1])) > 0
	case hasWord("read scan load get list file exists basename source", words[0]) && !says("remove rename copy create append write"):
		return nil, false
	case len(targets) > 0 && says("cat write save dump dput sink png pdf svg jpeg lines csv table"):
		return targets, true
	case says("sink unlink remove rename create"):
		return x.args, len(m.pathArguments(x.args)) > 0 || says("unlink remove")
	case says("write save dput copy append lines csv table") && len(x.args) > 1:
		return x.args[1:2], says("write save dput") || len(m.pathArguments(x.args[1:2])) > 0
	}
	return nil, false
}

// pathArguments returns the arguments that contain the name of a file.
func (m *interpreter) pathArguments(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		names, _ := pathsOf(arg)
		isPath := func(name string) bool {
			return !strings.ContainsAny(name, " \n") && (m.exists(name) || strings.Contains(strings.Trim(name, "/"), "/") || looksLikeFile(name) || path.Ext(name) == ".mod")
		}
		return !slices.ContainsFunc(names, isPath)
	})
}

// openTarget returns the argument of a call of open that names the file. In Perl it follows the mode.
func openTarget(args []string) []string {
	for i, arg := range args {
		if mode := strings.Trim(arg, `"' `); mode != arg && hasAnyPrefix(mode, ">", "+<") {
			if mode = strings.TrimLeft(mode, "+<> "); mode != "" && !strings.HasPrefix(mode, ":") {
				return []string{`"` + mode + `"`}
			}
			return args[min(i+1, len(args)):min(i+2, len(args))]
		}
	}
	return args[:min(1, len(args))]
}

// opensToWrite reports whether the arguments of a call that opens a file say that it is written.
func opensToWrite(args []string) bool {
	for i, arg := range args {
		name, value, keyword := strings.Cut(arg, "=")
		if keyword && !strings.ContainsAny(name, `'"`) {
			if !hasAny(strings.ToLower(name), "mode", "flag") {
				continue
			}
			arg = strings.TrimSpace(value)
		}
		mode := strings.Trim(arg, "\"'` ")
		quoted := mode != arg
		switch {
		case quoted && hasAnyPrefix(mode, ">", "+<"), i > 0 && mode != "" && strings.Trim(mode, "rwax+bt") == "" && strings.ContainsAny(mode, "wax+"):
			return true
		case i > 0 && hasAny(arg, "O_WR", "O_RDWR", "O_TRUNC", "O_CREAT", "rite", "WRITE", ":output", "ppend", "APPEND"):
			return true
		}
	}
	return false
}

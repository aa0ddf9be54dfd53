package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// operands says which of a command's operands it touches.
type operands int

const (
	every   operands = iota // all of them
	but1st                  // all but the first, which is a mode or an owner
	last                    // the last one, or what it makes in the folder that it is
	moved                   // as last, and the others go away
	onlyOne                 // the first
	byName                  // those that are files by their names: with an ending
	second                  // the second, if there is one
)

// writers is the table of commands that write, move or remove files that they are
// given by name.
var writers = [...]struct {
	name   string
	takes  string // options with a value
	which  operands
	tree   string // "all", or the options with which it reaches everything below
	unsure bool   // it changes no content: of no matter unless the file is governed
	spares string // options with which it touches nothing
	needs  string // options without one of which it touches nothing
}{
	{name: "rm", tree: "all"}, {name: "rmdir", unsure: true}, {name: "unlink"}, {name: "srm", tree: "all"}, {name: "trash", tree: "all"}, {name: "trash-put", tree: "all"},
	{name: "shred", takes: "-n --iterations -s --size --random-source"},
	{name: "mv", takes: "-S --suffix -t --target-directory", which: moved, tree: "all"},
	{name: "cp", takes: "-S --suffix -t --target-directory", which: last, tree: "-r -R -a --recursive --archive"},
	{name: "ln", takes: "-S --suffix -t --target-directory", which: last},
	{name: "install", takes: "-m --mode -o --owner -g --group -S --suffix -t --target-directory", which: last},
	{name: "rsync", takes: "-e --rsh --exclude --include --exclude-from --include-from --files-from", which: last, tree: "all", spares: "-n --dry-run"},
	{name: "tee"}, {name: "sponge"},
	{name: "truncate", takes: "-s --size -r --reference"},
	{name: "touch", takes: "-d --date -r --reference -t"},
	{name: "mkdir", takes: "-m --mode", unsure: true},
	{name: "chmod", takes: "--reference", which: but1st, tree: "-R --recursive", unsure: true},
	{name: "chown", takes: "--reference --from", which: but1st, tree: "-R --recursive", unsure: true},
	{name: "chgrp", takes: "--reference", which: but1st, tree: "-R --recursive", unsure: true},
	{name: "chattr", which: but1st, tree: "-R", unsure: true}, {name: "setfacl", takes: "-m -x -M -X", tree: "-R --recursive", unsure: true},
	{name: "ed"}, {name: "ex", takes: "-c"}, {name: "vi", takes: "-c"}, {name: "vim", takes: "-c"}, {name: "nvim", takes: "-c"}, {name: "nano"}, {name: "emacs", takes: "--eval"},
	{name: "patch", takes: "-p -i --input -d --directory -F -r -B", which: onlyOne, spares: "--dry-run"},
	{name: "gzip", unsure: true, spares: "-c -l -t -k"}, {name: "gunzip", unsure: true, spares: "-c -l -t -k"}, {name: "bzip2", unsure: true, spares: "-c -t -k"}, {name: "xz", unsure: true, spares: "-c -l -t -k"},
	{name: "dos2unix"}, {name: "unix2dos"},
	{name: "gofmt", which: byName, needs: "-w"}, {name: "goimports", which: byName, needs: "-w"}, {name: "gofumpt", which: byName, needs: "-w"}, {name: "prettier", which: byName, needs: "-w --write"}, {name: "eslint", which: byName, needs: "--fix"}, {name: "biome", which: byName, needs: "--write --apply"}, {name: "stylelint", which: byName, needs: "--fix"},
	{name: "black", which: byName, spares: "--check --diff"}, {name: "isort", which: byName, spares: "--check --diff -c"}, {name: "autopep8", which: byName, needs: "-i --in-place"}, {name: "yapf", which: byName, needs: "-i --in-place"}, {name: "rustfmt", which: byName, spares: "--check"}, {name: "clang-format", which: byName, needs: "-i"}, {name: "shfmt", which: byName, needs: "-w"},
	{name: "mkfifo"}, {name: "mknod", which: onlyOne}, {name: "uniq", which: second, takes: "-f -s -w"}, {name: "xxd", which: second, takes: "-s -l -c -g"}, {name: "script", which: onlyOne, takes: "-c -T -I -O -B -E"},
	{name: "convert", which: last}, {name: "magick", which: last}, {name: "ffmpeg", takes: "-i -f -c -vf -af -t -ss -r -b:v -b:a -codec"}, {name: "pandoc", which: byName, needs: "--in-place"},
}

// outputs is the table of commands that write the file behind an option.
var outputs = [...]struct{ name, options string }{
	{"curl", "-o --output"}, {"wget", "-O --output-document"}, {"sort", "-o --output"}, {"jq", "-o"}, {"shuf", "-o --output"},
	{"gcc", "-o"}, {"cc", "-o"}, {"g++", "-o"}, {"c++", "-o"}, {"clang", "-o"}, {"clang++", "-o"}, {"rustc", "-o"}, {"ld", "-o"}, {"go", "-o"}, {"javac", "-d"}, {"tsc", "--outFile --outDir"},
	{"openssl", "-out"}, {"base64", "-o --output"}, {"iconv", "-o --output"}, {"time", "-o --output"}, {"gtime", "-o --output"}, {"strace", "-o"}, {"ltrace", "-o"}, {"tcpdump", "-w"}, {"xmllint", "--output"}, {"pandoc", "-o --output"}, {"gpg", "-o --output"}, {"protoc", "-o"}, {"dot", "-o"}, {"pg_dump", "-f --file"}, {"mysqldump", "-r --result-file"}, {"csplit", "-f --prefix"}, {"git", "--output"},
}

// interpreters is the table of commands that run code in a language of its own,
// behind one of the options, as the first operand (""), or from what they read.
var interpreters = [...]struct{ name, options string }{
	{"python", "-c"}, {"python2", "-c"}, {"python3", "-c"}, {"pypy3", "-c"}, {"node", "-e --eval -p --print"}, {"bun", "-e --eval"}, {"deno", "eval"},
	{"perl", "-e -E"}, {"ruby", "-e"}, {"php", "-r"}, {"lua", "-e"}, {"Rscript", "-e"}, {"osascript", "-e"}, {"tclsh", "-c"},
	{"awk", ""}, {"gawk", ""}, {"mawk", ""}, {"pwsh", "-c -Command"}, {"powershell", "-c -Command"},
}

// writer reads what a command that is no shell and runs no other does to files.
func (r *reader) writer(name string, c shell.Command) {
	switch name {
	case "sed", "gsed", "perl", "ruby", "yq":
		r.inPlace(name, c)
	case "dd":
		r.settings(c, "of=")
	case "find", "fd":
		r.find(c)
	case "git":
		r.git(c)
	case "apply_patch", "applypatch":
		r.patch(c)
	case "patch":
		if !has(c.Args, "--dry-run -o --output") {
			r.unpacked(values(c.Args, "-d --directory"), c)
		}
	case "tar", "bsdtar", "gtar", "unzip":
		r.archive(name, c)
	case "echo", "printf":
		r.says(c)
	}
	for _, row := range writers {
		if row.name == name && !has(c.Args, row.spares) && (row.needs == "" || has(c.Args, row.needs)) && !keepsContent(name, c) {
			r.operands(row.which, row.takes, row.tree == "all" || has(c.Args, row.tree), row.unsure, c)
		}
	}
	for _, row := range outputs {
		if row.name == name {
			for _, w := range values(c.Args, row.options) {
				r.touch(Touch{Word: w}, c)
			}
		}
	}
	for _, row := range interpreters {
		if name == row.name || strings.HasPrefix(name, row.name+".") {
			r.code(row.options, c)
		}
	}
}

// keepsContent reports whether a command changes owners or modes all the way down and
// leaves the owner's rights: then what stands there is read as before.
func keepsContent(name string, c shell.Command) bool {
	switch name {
	case "chown", "chgrp":
		return has(c.Args, "-R --recursive")
	case "chmod":
		if slices.ContainsFunc(c.Args[1:], minusMode) { // a hook that cannot be run is switched off
			return false
		}
		words := plain(c.Args[1:], "--reference")
		return len(words) > 0 && words[0].Literal && keepsOwner(words[0].Text)
	}
	return false
}

// keepsOwner reports whether a mode leaves the owner what reading and writing needs.
func keepsOwner(mode string) bool {
	if digits := strings.TrimLeft(mode, "0"); digits != "" && strings.Trim(digits, "01234567") == "" {
		return len(digits) >= 3 && digits[len(digits)-3] >= '6'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		who := clause[:max(0, strings.IndexAny(clause, "+-="))]
		if !strings.Contains(clause, "+") && (who == "" || strings.ContainsAny(who, "ua")) {
			return false
		}
	}
	return mode != ""
}

// touch adds a file that a command touches.
func (r *reader) touch(t Touch, c shell.Command) {
	t.Dir, t.DirUnknown = c.Dir, c.DirUnknown
	if t.By == "" {
		t.By = partOf(c)
	}
	r.lookedUp(t)
	r.reach.Touches = append(r.reach.Touches, t)
}

// operands adds those operands of a command that it touches.
func (r *reader) operands(which operands, takes string, tree, unsure bool, c shell.Command) {
	words := plain(c.Args[1:], takes)
	switch which {
	case but1st:
		if !slices.ContainsFunc(c.Args[1:], minusMode) {
			words = words[min(1, len(words)):]
		}
	case onlyOne:
		words = words[:min(1, len(words))]
	case byName:
		words = slices.DeleteFunc(slices.Clone(words), func(w shell.Word) bool { return path.Ext(w.Text) == "" || path.Ext(w.Text) == w.Text })
	case second:
		words = words[min(1, len(words)):]
		words = words[:min(1, len(words))]
	case last, moved:
		r.placed(words, which == moved, tree, c)
		return
	}
	for _, w := range words {
		r.touch(Touch{Word: w, Tree: tree, Unsure: unsure}, c)
	}
}

// minusMode reports whether a word is a mode of chmod's that looks like an option (-x).
func minusMode(w shell.Word) bool {
	return isOption(w.Text) && strings.Trim(w.Text[1:], "rwxXst") == ""
}

// placed adds what a copy, a move or a link makes, and what a move takes away.
func (r *reader) placed(words []shell.Word, moves, tree bool, c shell.Command) {
	var target shell.Word
	switch folders := values(c.Args, "-t --target-directory"); {
	case len(folders) > 0:
		target = folders[len(folders)-1]
	case len(words) > 1:
		target, words = words[len(words)-1], words[:len(words)-1]
	case len(words) == 1 && commandName(c.Args[0].Text) == "ln":
		target = shell.Word{Text: ".", Literal: true, Pattern: "."}
	default:
		return
	}
	linked := commandName(c.Args[0].Text) == "ln" && !has(c.Args, "-s --symbolic")
	t := Touch{Word: target, Tree: tree}
	for _, w := range words {
		base := path.Base(w.Text)
		if !w.Literal {
			base = "" // whatever it is, it stands in the folder
		}
		if base == "." || base == ".." || strings.HasSuffix(w.Text, "/") {
			base = "."
		}
		t.Into = append(t.Into, base)
		if moves || linked {
			r.touch(Touch{Word: w, Tree: tree, Unsure: linked}, c)
		}
	}
	r.touch(t, c)
}

// inPlace reads sed -i and the like: behind the script come the files.
func (r *reader) inPlace(name string, c shell.Command) {
	takes, script := "-e -f --expression --file -l", "-e -f --expression --file"
	in := func(w string) bool { return strings.HasPrefix(w, "--in-place") || w == "--inplace" }
	if name == "perl" || name == "ruby" {
		takes, script = "-e -E -I -M", "-e -E"
	}
	found, given := false, len(values(c.Args, script)) > 0
	for _, w := range c.Args[1:] {
		if !isOption(w.Text) {
			continue
		}
		short := !strings.HasPrefix(w.Text, "--")
		found = found || in(w.Text) || short && strings.Contains(strings.TrimRight(w.Text, "0123456789"), "i")
		given = given || short && (strings.HasSuffix(w.Text, "e") || strings.HasSuffix(w.Text, "E")) && len(w.Text) > 2 && (name == "perl" || name == "ruby" || name == "sed" || name == "gsed")
	}
	words := plain(c.Args[1:], takes)
	if !found {
		if (name == "sed" || name == "gsed") && !given && len(words) > 0 {
			r.named(words[0].Text, c) // w in a script writes a file
		}
		return
	}
	if !given || bundled(c.Args, "eE") { // the script, on its own or behind -ie, is no file
		words = words[min(1, len(words)):]
	}
	for _, w := range words {
		r.touch(Touch{Word: w}, c)
	}
}

// bundled reports whether an option that takes a value stands behind others (-pie).
func bundled(args []shell.Word, letters string) bool {
	for _, w := range args[1:] {
		if isOption(w.Text) && w.Text[1] != '-' && len(w.Text) > 2 && strings.IndexByte(letters, w.Text[len(w.Text)-1]) >= 0 {
			return true
		}
	}
	return false
}

// settings reads operands of the form of=FILE.
func (r *reader) settings(c shell.Command, prefix string) {
	for _, w := range c.Args[1:] {
		if rest, ok := strings.CutPrefix(w.Text, prefix); ok {
			w.Text, w.Pattern = rest, strings.TrimPrefix(w.Pattern, prefix)
			if home, below := strings.CutPrefix(rest, "~/"); below {
				w.Text, w.Pattern, w.Home = home, strings.TrimPrefix(w.Pattern, "~/"), true
			}
			r.touch(Touch{Word: w}, c)
		}
	}
}

// find reads what find does with what it finds below its folders.
func (r *reader) find(c shell.Command) {
	var roots []shell.Word
	for _, w := range c.Args[1:] {
		if isOption(w.Text) || w.Text == "!" || w.Text == "(" {
			break
		}
		roots = append(roots, w)
	}
	if len(roots) == 0 {
		roots = []shell.Word{{Text: ".", Literal: true, Pattern: "."}}
	}
	names := values(c.Args, "-name -iname -path -ipath -wholename")
	for i, w := range c.Args {
		switch w.Text {
		case "-delete":
			if slices.ContainsFunc(c.Args[:i], func(w shell.Word) bool { return w.Text == "-empty" }) && !slices.ContainsFunc(c.Args, func(w shell.Word) bool { return w.Text == "!" || w.Text == "-not" || w.Text == "-o" }) {
				continue // no file that holds anything
			}
			r.found(roots, names, c)
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X":
			before := len(r.reach.Touches)
			inner := c
			inner.Args = until(c.Args[i+1:])
			inner.Words = literals(inner.Args)
			r.command(inner)
			if slices.ContainsFunc(r.reach.Touches[before:], func(t Touch) bool {
				return t.Word.Text == "{}" || strings.Contains(t.Word.Text, "}") && !t.Word.Literal
			}) {
				r.reach.Touches = slices.DeleteFunc(r.reach.Touches, func(t Touch) bool { return strings.Trim(t.Word.Text, "{}") == "" && t.Word.Text != "" })
				r.found(roots, names, c)
			}
		}
	}
}

// found adds what find finds: if names are asked for that no governed file bears, the
// folders that hold governed ones are of no matter.
func (r *reader) found(roots, names []shell.Word, c shell.Command) {
	if len(names) > 0 && !slices.ContainsFunc(names, governedName) {
		return
	}
	for _, w := range roots {
		r.touch(Touch{Word: w, Tree: true, Unsure: true}, c)
	}
}

// until are the words of -exec up to its end.
func until(words []shell.Word) []shell.Word {
	for i, w := range words {
		if w.Text == ";" || w.Text == "+" {
			return words[:i]
		}
	}
	return words
}

// patch reads what is given to apply_patch.
func (r *reader) patch(c shell.Command) {
	text := c.Input
	if text == "" {
		text = textOf(c.Args[1:])
	}
	r.touch(Touch{Patch: text}, c)
}

// says reads what is written into files that set variables for agents to come.
func (r *reader) says(c shell.Command) {
	text := textOf(c.Args[1:])
	if _, value, found := strings.Cut(text, EnforceVariable+"="); found && len(r.all.Writes) > 0 {
		r.assigned(EnforceVariable+"="+strings.Trim(strings.SplitN(value, " ", 2)[0], `"'`), partOf(c))
	}
}

// code looks for the names of files in code: what it does with them cannot be told.
func (r *reader) code(options string, c shell.Command) {
	texts := values(c.Args, options)
	if options == "" {
		texts = plain(c.Args[1:], "-f -F -v --file")
		texts = texts[:min(1, len(texts))]
	}
	for i, w := range c.Args[1:] { // -pe CODE, -ne CODE
		if options != "" && isOption(w.Text) && w.Text[1] != '-' && bundled([]shell.Word{{}, w}, strings.ReplaceAll(strings.ReplaceAll(options, "-", ""), " ", "")) && i+2 < len(c.Args) {
			texts = append(texts, c.Args[i+2])
		}
	}
	for _, w := range texts {
		r.named(w.Text, c)
	}
	r.named(c.Input, c)
	if options != "" {
		r.prompt(c)
	}
}

// maxNamed is how many names in code are looked at.
const maxNamed = 64

// named adds the names of files that a code holds, so that governed ones count.
func (r *reader) named(code string, c shell.Command) {
	names := strings.FieldsFunc(code, func(ch rune) bool {
		return !(ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9' || strings.ContainsRune("._/~-", ch))
	})
	for _, name := range names[:min(len(names), maxNamed)] {
		if !strings.ContainsAny(name, "./") {
			continue
		}
		w := shell.Word{Text: name, Literal: true, Pattern: name}
		if rest, home := strings.CutPrefix(name, "~/"); home {
			w.Text, w.Pattern, w.Home = rest, rest, true
		}
		r.touch(Touch{Word: w, Tree: hidden(w.Text), Unsure: true}, c)
	}
}

// has reports whether one of the options is given, in whatever bundle of letters.
func has(args []shell.Word, options string) bool {
	for _, option := range strings.Fields(options) {
		for _, w := range args[1:] {
			if w.Text == "--" {
				break
			}
			long := strings.HasPrefix(option, "--")
			if w.Text == option || long && strings.HasPrefix(w.Text, option+"=") ||
				!long && len(option) == 2 && isOption(w.Text) && w.Text[1] != '-' && strings.Contains(w.Text, option[1:]) {
				return true
			}
		}
	}
	return false
}

// values are the values of options: behind them, or joined to them.
func values(args []shell.Word, options string) []shell.Word {
	var all []shell.Word
	for _, option := range strings.Fields(options) {
		for i, w := range args {
			switch {
			case w.Text == option && i+1 < len(args):
				all = append(all, args[i+1])
			case strings.HasPrefix(option, "--") && strings.HasPrefix(w.Text, option+"="):
				w.Text, w.Pattern = w.Text[len(option)+1:], strings.TrimPrefix(w.Pattern, option+"=")
				all = append(all, w)
			case len(option) == 2 && i > 0 && len(w.Text) > 2 && strings.HasPrefix(w.Text, option):
				w.Text, w.Pattern = w.Text[2:], strings.TrimPrefix(w.Pattern, option)
				all = append(all, w)
			}
		}
	}
	return all
}

// plain are the words that are no options and no options' values.
func plain(words []shell.Word, takes string) []shell.Word {
	var all []shell.Word
	options := strings.Fields(takes)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w.Text == "--" && w.Literal:
			return append(all, words[i+1:]...)
		case isOption(w.Text) && slices.Contains(options, w.Text):
			i++
		case !isOption(w.Text) || w.Home:
			all = append(all, w)
		}
	}
	return all
}

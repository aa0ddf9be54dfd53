package command

import (
	"path"
	"slices"
	"strings"
)

// touches says which of a command's operands it writes, moves or removes.
type touches int

const (
	every   touches = iota // all of them
	but1st                 // all but the first, which is a mode or an owner
	last                   // the last one, or what it makes in the folder that it is
	moved                  // as last, and the others go away
	onlyOne                // the first
	byName                 // those that are files by their names: with an ending
	second                 // the second, if there is one
	none                   // only what an option names
)

// program is a row of the table of commands that write, move or remove files.
type program struct {
	names  string // with blanks between them
	takes  string // options with a value
	which  touches
	tree   string // "all", or the options with which it reaches everything below
	unsure bool   // it changes no content: of no matter unless the file is governed
	spares string // options with which it touches nothing
	needs  string // options without one of which it touches nothing
	output string // options whose value is a file that it writes
	harm   harm   // how what it does to what stands there is judged
}

// harm says by which code a command of the table is judged.
type harm int

const (
	writing    harm = iota // as a redirection to what it writes is
	removing               // by removes
	moving                 // by moves
	permitting             // by permits
	emptying               // by truncates
	making                 // by makes
	harmless               // it is not
	byItself               // by code of its own, which keeps as well what it touches
)

const (
	placing = "-S --suffix -t --target-directory"
	copying = "-e --rsh --exclude --include --exclude-from --include-from --files-from --rsync-path --bwlimit"
)

// programTable is the table of such commands. What has verbs or a language of its own (git,
// sed, tar) is read by code: see fileEffects.
var programTable = [...]program{
	{names: "rm grm srm trash trash-put rimraf del-cli", tree: "all", harm: removing},
	{names: "remove-item ri rd del erase", takes: "-Include -Exclude -Filter", tree: "all", harm: removing},
	{names: "unlink", harm: removing}, {names: "rmdir", unsure: true, harm: removing},
	{names: "shred", takes: "-n --iterations -s --size --random-source", harm: removing},
	{names: "mv gmv", takes: placing, which: moved, tree: "all", harm: moving},
	{names: "cp gcp ditto", takes: placing, which: last, tree: "-r -R -a --recursive --archive", harm: moving},
	{names: "ln", takes: placing, which: last, harm: moving},
	{names: "install", takes: placing + " -m --mode -o --owner -g --group", which: last, harm: moving},
	{names: "rsync", takes: copying, which: last, tree: "all", spares: "-n --dry-run", harm: moving},
	{names: "scp", takes: "-P -i -F -l -o -c -J -S", which: last, tree: "-r", harm: moving},
	{names: "tee sponge", harm: byItself},
	{names: "truncate fallocate", takes: "-s --size -r --reference -l -o --length --offset", harm: emptying},
	{names: "touch", takes: "-d --date -r --reference -t", harm: making}, {names: "mkdir", takes: "-m --mode", unsure: true, harm: making},
	{names: "chmod gchmod", takes: "--reference", which: but1st, tree: "-R --recursive", unsure: true, harm: permitting},
	{names: "chown chgrp", takes: "--reference --from", which: but1st, tree: "-R --recursive", unsure: true, harm: permitting},
	{names: "setfacl", takes: "-m -x -M -X --modify --remove", tree: "-R --recursive", unsure: true, harm: permitting}, {names: "chattr", which: but1st, tree: "-R", unsure: true, harm: harmless},
	{names: "ed"}, {names: "ex vi vim nvim", takes: "-c --cmd -S -u"}, {names: "nano"}, {names: "emacs", takes: "--eval"},
	{names: "patch", takes: "-p -i --input -d --directory -F -r -B", which: onlyOne, spares: "--dry-run"},
	{names: "gzip gunzip xz", unsure: true, spares: "-c -l -t -k", harm: harmless}, {names: "bzip2", unsure: true, spares: "-c -t -k", harm: harmless},
	{names: "dos2unix unix2dos"}, {names: "zip", which: onlyOne, takes: "-x -i -t -b -d -P -p"},
	{names: "gofmt goimports gofumpt shfmt", which: byName, needs: "-w"}, {names: "prettier", which: byName, needs: "-w --write"}, {names: "eslint stylelint", which: byName, needs: "--fix"}, {names: "biome", which: byName, needs: "--write --apply"},
	{names: "black", which: byName, spares: "--check --diff"}, {names: "isort", which: byName, spares: "--check --diff -c"}, {names: "autopep8 yapf", which: byName, needs: "-i --in-place"}, {names: "rustfmt", which: byName, spares: "--check"}, {names: "clang-format", which: byName, needs: "-i"},
	{names: "mkfifo"}, {names: "mknod", which: onlyOne}, {names: "uniq", which: second, takes: "-f -s -w"}, {names: "xxd", which: second, takes: "-s -l -c -g"}, {names: "script", which: onlyOne, takes: "-c -T -I -O -B -E"},
	{names: "convert magick", which: last}, {names: "ffmpeg", takes: "-i -f -c -vf -af -t -ss -r -b:v -b:a -codec"}, {names: "pandoc", which: byName, needs: "--in-place"},

	{names: "curl wget", which: none, harm: byItself},
	{names: "sort", which: none, takes: "-k -t -T -S", output: "-o --output"}, {names: "shuf base64 iconv gpg time gtime", which: none, output: "-o --output"}, {names: "jq gcc cc g++ c++ clang clang++ rustc ld go strace ltrace protoc dot", which: none, output: "-o"},
	{names: "javac", which: none, output: "-d"}, {names: "tsc", which: none, output: "--outFile --outDir"}, {names: "openssl", which: none, output: "-out"}, {names: "tcpdump", which: none, output: "-w"}, {names: "xmllint git", which: none, output: "--output"},
	{names: "pandoc", which: none, output: "-o --output"}, {names: "pg_dump", which: none, output: "-f --file"}, {names: "mysqldump", which: none, output: "-r --result-file"}, {names: "csplit", which: none, output: "-f --prefix"},
}

// inTable goes through the rows that are about a command: what it touches is kept for the
// path policy, and judged.
func (m *machine) inTable(c *invocation) {
	for i := range programTable {
		p := &programTable[i]
		if !hasWord(p.names, c.name) {
			continue
		}
		o := c.with(p.takes + " " + p.output)
		if p.harm != byItself && !o.has(p.spares) && (p.needs == "" || o.has(p.needs)) && !m.keepsContent(c, o) {
			m.operands(p, c, o)
		}
		for _, f := range o.files(p.output) {
			m.file(File{Word: f.word()}, c)
		}
		switch p.harm {
		case removing:
			m.removes(c, o)
		case moving:
			m.moves(c, o)
		case permitting:
			m.permits(c, o)
		case emptying:
			m.truncates(c, o)
		case making:
			m.makes(c, o)
		}
	}
}

// keepsContent reports whether a command changes owners or modes all the way down and
// leaves the owner's rights: then what stands there is read as before.
func (m *machine) keepsContent(c *invocation, o *parsedOptions) bool {
	switch c.name {
	case "chown", "chgrp":
		return o.has("-R --recursive")
	case "chmod":
		if slices.ContainsFunc(c.args, minusMode) { // a hook that cannot be run is switched off
			return false
		}
		return len(o.operands) > 0 && known(o.operands[0].text) && keepsOwner(o.operands[0].text)
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

// minusMode reports whether a word is a mode of chmod's that looks like an option (-x).
func minusMode(f field) bool {
	return len(f.text) > 1 && f.text[0] == '-' && strings.Trim(f.text[1:], "rwxXst") == ""
}

// operands adds those operands of a command that it touches.
func (m *machine) operands(p *program, c *invocation, o *parsedOptions) {
	fields := o.operands
	switch p.which {
	case but1st:
		if !slices.ContainsFunc(c.args, minusMode) {
			fields = fields[min(1, len(fields)):]
		}
	case onlyOne:
		fields = fields[:min(1, len(fields))]
	case byName:
		fields = slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return path.Ext(f.text) == "" || path.Ext(f.text) == f.text })
	case second:
		fields = fields[min(1, len(fields)):min(2, len(fields))]
	case last, moved:
		m.placedAt(p, c, o)
		return
	case none:
		return
	}
	for _, f := range fields {
		m.file(File{Word: f.word(), Tree: p.tree == "all" || o.has(p.tree), Unsure: p.unsure}, c)
		if p.harm == writing {
			m.overwrites(f.text, unknown, c.part())
		}
	}
}

// destination is where a copy, a move or a link goes, and what goes there.
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

// isRemote reports whether a file of rsync's or scp's stands on another machine.
func isRemote(name string) bool { return strings.Contains(name, ":") && !isWindowsRoot(name) }

// placedAt adds what a copy, a move or a link makes, and what a move takes away.
func (m *machine) placedAt(p *program, c *invocation, o *parsedOptions) {
	to, from, ok := destination(c, o)
	if !ok || (c.name == "rsync" || c.name == "scp") && isRemote(to.text) {
		return
	}
	tree := p.tree == "all" || o.has(p.tree)
	linked := c.name == "ln" && !o.has("-s --symbolic")
	f := File{Word: to.word(), Tree: tree}
	for _, w := range from {
		base := path.Base(w.text)
		switch {
		case !known(w.text) || w.glob: // whatever it is, it stands in the folder
			base = ""
		case base == "..", strings.HasSuffix(w.text, "/"):
			base = "."
		}
		f.Into = append(f.Into, base)
		if p.which == moved || linked {
			m.file(File{Word: w.word(), Tree: tree, Unsure: linked}, c)
		}
	}
	m.file(f, c)
}

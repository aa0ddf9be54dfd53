package command

import (
	"path"
	"slices"
	"strings"
)

// inPlace reads sed -i and the like: behind the script come the files.
func (m *machine) inPlace(c *invocation) {
	takes, script := "-e -f --expression --file -l", "-e -f --expression --file"
	if c.name == "perl" || c.name == "ruby" {
		takes, script = "-e -E -I -M", "-e -E"
	}
	o := parseOptions(c.args, styleOf(c.name), takes)
	found := slices.ContainsFunc(o.options, func(x option) bool {
		return x.name == "-i" || strings.HasPrefix(x.name, "--in-place") || x.name == "--inplace"
	})
	if !found {
		return
	}
	files := o.operands
	if len(files) > 0 && files[0].text == "" { // what BSD's sed has behind -i
		files = files[1:]
	}
	if !o.has(script) { // the script is no file
		files = files[min(1, len(files)):]
	}
	m.changesInPlace(files, c)
}

// changesInPlace adds the files that are given to a program that writes in place. Which they
// are may be found by another command of the line ($(git ls-files x)), as for xargs.
func (m *machine) changesInPlace(files []field, c *invocation) {
	for _, f := range files {
		m.file(File{Word: f.word()}, c)
		m.overwrites(f.text, unknown, c.part())
		m.leaves(f.text, c.part())
		if !known(f.text) {
			m.objectIf(!strings.Contains(f.text, listed) && m.isAt(f.text, somewhere), "unknown-command", c.part(), "which files it changes is only known when it runs")
			m.handed = append(m.handed, listUse{m.part(c.path, c.args), true})
		}
	}
}

// formats adds the files that a formatter, a fixer or the like changes: those that it is given by
// name and, below a folder, those that git tracks and whose names are of its kinds. Without a word a
// program works everywhere below the folder in which it runs, if its row says so.
func (m *machine) formats(r row, c *invocation, o *parsedOptions) {
	operands := r.behindVerb(o)
	operands = operands[min(r.number("operands"), len(operands)):]
	if len(operands) == 0 && r.is("everywhere") {
		operands = []field{{text: "."}}
	}
	for _, f := range operands {
		if f.text == "-" || strings.HasPrefix(f.text, "!") {
			continue
		}
		if rest, all := strings.CutSuffix(f.text, "..."); all { // Go's packages
			f.text = path.Clean(rest)
		}
		folder, kinds := f, []string(nil)
		if r.get("kinds") != "" {
			kinds = strings.Fields(r.get("kinds"))
		}
		at := strings.IndexAny(f.text, "*?[{")
		if base := path.Base(f.text); !known(f.text) || (f.glob || at < 0) && strings.LastIndexByte(base, '.') > 0 && !strings.HasSuffix(base, ".") {
			m.file(File{Word: f.word()}, c)
			m.overwrites(f.text, unknown, c.part())
			continue
		}
		if at >= 0 && !f.glob { // the program expands it
			folder.text = path.Dir(f.text[:at] + "x")
			if pattern := strings.TrimPrefix(strings.ReplaceAll(f.text, "/**/", "/*"), "**/"); !strings.Contains(pattern, "{") {
				kinds = []string{pattern}
			}
		}
		m.file(File{Word: folder.word(), Tree: true, Listed: true, Fixer: !r.is("codemod") && !o.has(r.get("codemod")), Named: f.glob || at < 0, Visible: !inHidden(f.text), Found: kinds}, c)
	}
}

// behindVerb are the operands behind the words with which the row begins.
func (r row) behindVerb(o *parsedOptions) []field {
	for phrase := range strings.SplitSeq(r.get("words"), "|") {
		want := strings.Fields(phrase)
		for i := 0; len(want) > 0 && i < 3 && i+len(want) <= len(o.operands); i++ {
			if slices.Equal(plainTexts(o.operands[i:i+len(want)]), want) {
				return o.operands[i+len(want):]
			}
		}
	}
	return o.operands
}

package command

import (
	"path"
	"slices"
	"strings"
)

// inPlace checks sed -i and similar commands. The files follow the script.
func (m *interpreter) inPlace(c *invocation) {
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
	if len(files) > 0 && files[0].text == "" { // argument of -i in BSD sed
		files = files[1:]
	}
	if !o.has(script) { // the script is not a file
		files = files[min(1, len(files)):]
	}
	m.changesInPlace(files, c)
}

// changesInPlace records the files given to a program that writes in place. As with xargs,
// another command of the line may list them: $(git ls-files x).
func (m *interpreter) changesInPlace(files []field, c *invocation) {
	for _, f := range files {
		m.file(File{Word: f.word()}, c)
		m.overwrites(f.text, unknown, c.part())
		m.leaves(f.text, c.part())
		if !isKnown(f.text) {
			m.reportIf(!strings.Contains(f.text, listed) && m.isAt(f.text, somewhere), "unknown-command", c.part(), "which files it changes is only known when it runs")
			m.xargsCommands = append(m.xargsCommands, listUse{m.part(c.path, c.args), true})
		}
	}
}

// formats records the files that a formatter or fixer changes: the given files and, in
// folders, the tracked files with matching names. Without an operand the program works on
// the working directory if its row contains "everywhere".
func (m *interpreter) formats(r row, c *invocation, o *parsedOptions) {
	operands := r.behindVerb(o)
	operands = operands[min(r.number("operands"), len(operands)):]
	if len(operands) == 0 && r.is("everywhere") {
		operands = []field{{text: "."}}
		if dir := o.files(r.get("dir")); len(dir) > 0 {
			operands = dir
		}
	}
	fixer := !r.is("codemod") && !o.has(r.get("codemod"))
	for _, f := range operands {
		if f.text == "-" || strings.HasPrefix(f.text, "!") {
			continue
		}
		if rest, all := strings.CutSuffix(f.text, "..."); all { // package patterns of Go
			f.text = path.Clean(rest)
		}
		folder, kinds := f, []string(nil)
		if r.get("kinds") != "" {
			kinds = strings.Fields(r.get("kinds"))
		}
		if base := strings.TrimLeft(f.text, "."); base != "" && len(base)+1 == len(f.text) && !strings.Contains(base, "/") && !m.exists(f.text) { // an extension
			folder.text, f.text, kinds = ".", ".", []string{"*." + base}
		}
		at := strings.IndexAny(f.text, "*?[{")
		if base := path.Base(f.text); !isKnown(f.text) || (f.glob || at < 0) && strings.LastIndexByte(base, '.') > 0 && !strings.HasSuffix(base, ".") {
			m.file(File{Word: f.word(), Fixer: fixer}, c)
			m.overwrites(f.text, unknown, c.part())
			continue
		}
		if at >= 0 && !f.glob { // expanded by the program
			folder.text = path.Dir(f.text[:at] + "x")
			if pattern := strings.TrimPrefix(strings.ReplaceAll(f.text, "/**/", "/*"), "**/"); !strings.Contains(pattern, "{") {
				kinds = []string{pattern}
			}
		}
		m.file(File{Word: folder.word(), Tree: true, Listed: true, Fixer: fixer, Named: f.glob || at < 0, Visible: !inHidden(f.text), Patterns: kinds}, c)
	}
}

// behindVerb returns the operands after the words of the row.
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

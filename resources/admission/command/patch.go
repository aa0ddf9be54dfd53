package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// patched is a file named in a patch. certain is false for a line in a hunk that only
// resembles a file header.
type patched struct {
	name    string
	certain bool
}

// marksOfPatch lists the prefixes of file headers in patches of git, diff and svn.
var marksOfPatch = [...]string{"--- ", "+++ ", "*** ", "Index: ", "rename from ", "rename to ", "copy from ", "copy to "}

// patchedFiles returns the files named in a patch, without the first strip directories. A
// negative strip removes all directories. ok is false if a name cannot be parsed or the
// patch names no file.
func patchedFiles(text string, strip int) (files []patched, ok bool) {
	left, added := 0, 0 // remaining lines of the current hunk
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		certain := left <= 0 && added <= 0
		switch {
		case strings.HasPrefix(line, "@@ "):
			left, added = hunkLines(line)
			continue
		case !certain && strings.HasPrefix(line, "-"):
			left--
		case !certain && strings.HasPrefix(line, "+"):
			added--
		case !certain:
			left, added = left-1, added-1
		}
		names, whole := namesIn(line)
		if !whole {
			if certain {
				return nil, false
			}
			continue
		}
		for i, name := range names {
			if name = stripped(name, strip, i >= 2); name != "" {
				files = append(files, patched{name, certain})
			}
		}
	}
	return files, slices.ContainsFunc(files, func(p patched) bool { return p.certain })
}

// hunkLines parses the line counts in "@@ -1,2 +3,4 @@".
func hunkLines(head string) (left, added int) {
	count := func(word string) int {
		_, n, given := strings.Cut(word, ",")
		if !given {
			return 1
		}
		lines, _ := strconv.Atoi(n)
		return lines
	}
	if words := strings.Fields(head); len(words) > 2 {
		return count(words[1]), count(words[2])
	}
	return 0, 0
}

// namesIn returns the files named in a line of a patch. ok is false if they cannot be
// parsed.
func namesIn(line string) (names []string, ok bool) {
	if pair, found := strings.CutPrefix(line, "diff --git "); found {
		if strings.Contains(pair, `"`) {
			for _, t := range literalsIn(pair) {
				names = append(names, t.text)
			}
			return names, len(names) == 2
		}
		if before, after, found := strings.Cut(pair, " b/"); found {
			return []string{before, "b/" + after}, true
		}
		return nil, true // without these prefixes the names follow in later lines
	}
	for _, mark := range marksOfPatch {
		name, found := strings.CutPrefix(line, mark)
		if !found {
			continue
		}
		name, _, _ = strings.Cut(name, "\t")
		if mark == "*** " && strings.HasSuffix(name, " ****") || name == "/dev/null" || strings.TrimSpace(name) == "" {
			return nil, true
		}
		if strings.HasPrefix(name, `"`) {
			all := literalsIn(name)
			if len(all) != 1 {
				return nil, false
			}
			name = all[0].text
		}
		if strings.HasPrefix(mark, "rename") || strings.HasPrefix(mark, "copy") {
			return []string{"", "", name}, true // header without a/ or b/
		}
		return []string{strings.TrimRight(name, " ")}, true
	}
	return nil, true
}

// stripped removes leading directories from a name like option -p. bare means that the name
// has no a/ or b/.
func stripped(name string, strip int, bare bool) string {
	switch {
	case name == "" || name == "/dev/null":
		return ""
	case bare:
		strip = max(0, strip-1)
	}
	if strip < 0 {
		return path.Base(name)
	}
	for range strip {
		_, rest, found := strings.Cut(strings.TrimLeft(name, "/"), "/")
		if !found {
			break
		}
		name = rest
	}
	return name
}

// appliesPatch records the files of a patch below a directory. A patch that cannot be
// parsed needs approval.
func (m *interpreter) appliesPatch(text string, strip int, below string, c *invocation) {
	if strings.Contains(text, fetched) {
		m.report("unknown-files", c.part(), "the patch comes from the network")
		return
	}
	files, ok := patchedFiles(text, strip)
	switch {
	case m.opts.Text == nil && text == unknown: // files cannot be read
		m.fills(field{text: "."}, c)
		return
	case !ok || !isKnown(text):
		if strings.TrimSpace(text) != "" {
			m.report("unknown-files", c.part(), "the patch names them")
			m.fills(field{text: "."}, c)
		}
		return
	}
	for _, p := range files {
		m.file(File{Word: Word{Text: path.Join(below, p.name), Literal: true}, Unsure: !p.certain}, c)
		if p.certain {
			m.overwrites(path.Join(below, p.name), unknown, c.part())
			m.leaves(path.Join(below, p.name), c.part())
		}
	}
}

// gitApplies records the files that git apply and git am change. Paths in patches start at
// the root of the work tree.
func (m *interpreter) gitApplies(verb string, args []field, c *invocation) {
	o := parseOptions(args, getopt, "-p -C --directory --include --exclude --whitespace --patch-format --quoted-cr --empty -S --build-fake-ancestor --ws")
	if verb == "apply" && o.has("--check --stat --numstat --summary") && !o.has("--apply") || verb == "am" && o.has("--abort --quit --skip --show-current-patch --continue --resolved -r --retry") {
		return
	}
	strip := 1
	if p, ok := o.value("-p"); ok {
		strip, _ = strconv.Atoi(p)
	}
	below := m.opts.Root
	if dir, ok := o.value("--directory"); ok {
		below = path.Join(below, dir)
	}
	sources := plainTexts(o.operands)
	if len(sources) == 0 {
		if !c.piped {
			return
		}
		sources = []string{"-"}
	}
	for _, name := range sources {
		m.appliesPatch(m.content(name, c), strip, below, c)
	}
}

// patches records the files that the program patch changes: its operand, or the files in
// the patch.
func (m *interpreter) patches(c *invocation) {
	o := c.optionsTaking("-p --strip -i --input -d --directory -F --fuzz -r --reject-file -B --prefix -o --output -D --ifdef -V -Y -z -g")
	if o.has("--dry-run --help -v --version") || len(o.operands) > 0 && !o.has("-o --output") {
		return // handled by the table
	}
	strip := -1
	if p, ok := o.value("-p --strip"); ok {
		strip, _ = strconv.Atoi(p)
	}
	source := "-"
	if name, ok := o.value("-i --input"); ok {
		source = name
	} else if !c.piped {
		return
	}
	below := ""
	if dir, ok := o.value("-d --directory"); ok {
		below = dir
	}
	text := m.content(source, c)
	if to, ok := o.value("-o --output"); ok {
		m.writesTo(to, c)
		return
	}
	m.appliesPatch(text, strip, below, c)
	if strip < 0 { // names of existing files are not stripped
		m.appliesPatch(text, 0, below, c)
	}
}

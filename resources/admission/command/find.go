package command

import (
	"path"
	"slices"
	"strings"
)

// search is the parsed search of find or fd.
type search struct {
	roots []field
	// names lists the patterns of the current alternative, otherNames those of
	// earlier alternatives (before -o).
	names      []string
	otherNames [][]string
	printed    [][]string // alternatives with a -print action
	depth      int        // nesting of parentheses
	empty      bool
	not        bool
	pruned     bool // the current alternative is excluded by -prune

	skipsHidden bool // ignores files and folders with a leading dot
}

// matchesOneFileType reports whether all alternatives match a single sort of file that is not source
// code.
func (s *search) matchesOneFileType() bool {
	return matchesOneFileType(s.names) && !slices.ContainsFunc(s.otherNames, func(names []string) bool { return !matchesOneFileType(names) })
}

// find checks the actions of find and returns its output.
func (m *interpreter) find(c *invocation) string {
	if strings.HasPrefix(c.name, "fd") {
		return m.fd(c)
	}
	s, i := &search{}, 0
	for ; i < len(c.args); i++ {
		t := c.args[i].text
		if strings.HasPrefix(t, "-") && t != "-" && !hasWord("-L -H -P", t) || t == "!" || t == "(" {
			break
		}
		if !hasWord("-L -H -P", t) {
			s.roots = append(s.roots, c.args[i])
		}
	}
	if len(s.roots) == 0 {
		s.roots = []field{{text: "."}}
	}
	for ; i < len(c.args); i++ {
		i = m.findTerm(s, c, i)
	}
	all := *s
	all.otherNames = append(all.otherNames, s.printed...)
	m.listsFiles(s.roots, s.patterns(), 0, c)
	return m.foundList(s.roots, s.empty || all.matchesOneFileType())
}

// patterns returns patterns that cover all files that are found, path patterns with a slash
// included. It returns nil if any file can be found.
func (s *search) patterns() []string {
	var all []string
	for _, names := range append(slices.Concat(s.otherNames, s.printed), s.names) {
		if len(names) == 0 {
			return nil
		}
		all = append(all, names...)
	}
	return all
}

// MatchesName reports whether a pattern matches a path, ignoring case. "*" also matches
// slashes.
func MatchesName(pattern, name string) bool {
	whole := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "/", "\x01") }
	ok, err := path.Match(whole(pattern), whole(name))
	return ok || err != nil
}

// globOf converts a regular expression of find or fd to a pattern that matches at least the
// same names.
func globOf(expression string) string {
	glob := strings.NewReplacer(".*", "*", `\.`, ".", ".", "?", "^", "", "$", "").Replace(expression)
	if strings.ContainsAny(glob, `\+|(){}[]`) {
		return "*"
	}
	return glob
}

// findTerm evaluates one test or action of find and returns the index of its end.
func (m *interpreter) findTerm(s *search, c *invocation, i int) (end int) {
	value := ""
	if i+1 < len(c.args) {
		value = c.args[i+1].text
	}
	switch t := c.args[i].text; t {
	case "!", "-not":
		s.not = true
		return i
	case "(":
		s.depth++
	case ")":
		s.depth--
	case "-o", "-or":
		s.otherNames, s.names = append(s.otherNames, s.names), nil
		if s.depth == 0 { // later actions do not apply to earlier alternatives
			if !s.pruned {
				s.printed = append(s.printed, s.otherNames...)
			}
			s.otherNames, s.pruned = nil, false
		}
	case "-prune":
		s.pruned = true
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex":
		if strings.HasSuffix(t, "regex") {
			value = globOf(value)
		}
		if !s.not {
			s.names = append(s.names, value)
		}
		i++
	case "-empty":
		s.empty = !s.not
	case "-delete":
		m.deletesFound(c, s, func(at spot, f field) {
			if at == somewhere && !isKnown(f.text) && !s.empty && !s.matchesOneFileType() {
				m.report("delete-unknown", c.part(), "")
			} else {
				m.reportIf(!s.empty && !s.matchesOneFileType(), "delete-all", c.part(), "")
			}
		})
		if !s.empty || len(s.otherNames) > 0 { // otherwise only empty files
			m.foundFiles(s, true, c)
		}
	case "-fprint", "-fprintf", "-fls", "-fprint0":
		m.writesTo(value, c)
		i++
	case "-exec", "-execdir", "-ok", "-okdir":
		i = m.executes(c, s, i+1)
	}
	s.not = false
	return i
}

// fd checks fd, which takes the pattern first and then the folders.
func (m *interpreter) fd(c *invocation) string {
	s := &search{roots: []field{{text: "."}}}
	at := slices.IndexFunc(c.args, func(f field) bool { return hasWord("-x -X --exec --exec-batch", f.text) })
	if at < 0 {
		at = len(c.args)
	}
	o := parseOptions(c.args[:at], getopt, "-t --type -e --extension -d --max-depth --min-depth --exact-depth -E --exclude -S --size -o --owner -j --threads -c --color --changed-within --changed-before --base-directory --search-path")
	for _, e := range o.values("-e --extension") {
		s.names = append(s.names, "*."+e)
	}
	if len(o.operands) > 0 && strings.Trim(o.operands[0].text, "^.*+$\\") != "" {
		s.names = append(s.names, "*"+strings.Trim(o.operands[0].text, "^$\\")+"*")
	}
	if len(o.operands) > 1 {
		s.roots = o.operands[1:]
	}
	s.skipsHidden = !o.has("-H --hidden -u --unrestricted")
	if at < len(c.args) {
		m.executes(c, s, at+1)
	}
	m.listsFiles(s.roots, s.patterns(), 0, c)
	if s.skipsHidden {
		m.listsVisible()
	}
	return m.foundList(s.roots, s.matchesOneFileType())
}

// foundList returns a text that represents the files below folders. oneSort means that they
// are of a single sort.
func (m *interpreter) foundList(roots []field, oneSort bool) string {
	var b strings.Builder
	for _, f := range roots {
		mark := listed
		if oneSort && !m.isAt(f.text, theRoot, inSystem, aHome) {
			mark = unknown
		}
		b.WriteString(strings.TrimSuffix(f.text, "/") + "/" + mark + "\n")
	}
	return b.String()
}

// deletesFound checks the deletion of found files in each folder. judge checks ordinary
// folders.
func (m *interpreter) deletesFound(c *invocation, s *search, judge func(at spot, f field)) {
	for _, f := range s.roots {
		switch at, _ := m.locate(f.text); at {
		case inBuild, inTemp:
		case theRoot, inSystem, aHome:
			m.report("delete-all", c.part(), spotText(at, f.text))
		default:
			judge(at, f)
		}
	}
}

// sourceEnds lists file extensions of hand-written files.
const sourceEnds = " .go .py .js .ts .tsx .jsx .rs .c .h .cc .cpp .java .kt .rb .php .swift .md .json .yaml .yml .sql .db .sqlite .env .git .html .css .toml .sh .txt .csv .ipynb .tf .tfstate "

// matchesOneFileType reports whether patterns match a single sort of file that is not source code.
func matchesOneFileType(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		base := path.Base(strings.TrimSuffix(n, "/*"))
		ext := strings.ToLower(path.Ext(base))
		source := !isBuilt(base) && strings.Contains(sourceEnds, " "+ext+" ") && (strings.HasPrefix(base, "*") || strings.EqualFold(base, ext))
		return strings.Trim(n, "*?./") != "" && isKnown(n) && !source
	})
}

// executes checks the command of -exec and returns the index of its end.
func (m *interpreter) executes(c *invocation, s *search, i int) (end int) {
	var inner []field
	for end = i; end < len(c.args) && c.args[end].text != ";" && c.args[end].text != "+"; end++ {
		inner = append(inner, c.args[end])
	}
	if len(inner) == 0 {
		return end
	}
	if strings.HasPrefix(c.name, "fd") && !slices.ContainsFunc(inner, func(f field) bool { return strings.Contains(f.text, "{") }) {
		inner = append(inner, field{text: "{}"}) // fd appends found files
	}
	before, dir, at := len(m.writes), m.dir, *s
	if hasWord("-execdir -okdir", c.args[i-1].text) && isKnown(s.roots[0].text) { // in the folder of each found file
		m.dir, at.roots = m.absolute(s.roots[0].text), []field{{text: "."}}
	}
	if hasWord("rm shred unlink srm", path.Base(inner[0].text)) {
		m.executesRemoval(c, s, inner)
	} else {
		m.run(handed(inner, "{}", m.finds(&at)), "", false)
	}
	m.dir = dir
	stands := func(f File) bool { return strings.Contains(f.Word.Text, "{}") || !f.Word.Literal && f.Patch == "" }
	sure := slices.ContainsFunc(m.writes[before:], func(f File) bool { return stands(f) && !f.Unsure && !f.Product })
	if slices.ContainsFunc(m.writes[before:], stands) {
		m.writes = append(m.writes[:before], slices.DeleteFunc(m.writes[before:], func(f File) bool { return f.Word.Text == "{}" })...)
		m.foundFiles(s, sure, c)
	}
	return end
}

// executesRemoval checks and records the deletion of found files by a command.
func (m *interpreter) executesRemoval(c *invocation, s *search, inner []field) {
	before := len(m.findings)
	m.run(inner, "", false)
	m.findings = m.findings[:before]
	recursive := parseOptions(inner[1:], getopt, "").has("-r -R --recursive")
	m.deletesFound(c, s, func(spot, field) {
		switch {
		case !s.matchesOneFileType():
			m.report("delete-all", c.part(), "")
		case recursive && !isBuildOutput(s.names):
			m.report("recursive-delete", c.part(), "")
		}
	})
}

// isBuildOutput reports whether patterns match only build output.
func isBuildOutput(names []string) bool {
	isSource := func(n string) bool { return !isBuilt(path.Base(strings.TrimSuffix(n, "/*"))) && !isArtifact(n) }
	return len(names) > 0 && !slices.ContainsFunc(names, isSource)
}

// finds returns paths that represent found files.
func (m *interpreter) finds(s *search) []string {
	var all []string
	mark := listed
	if s.matchesOneFileType() {
		mark = unknown
	}
	for _, r := range s.roots {
		root := strings.TrimSuffix(r.text, "/")
		if r.text == "/" {
			all = append(all, "/")
		}
		for _, n := range s.names {
			if len(all) >= maxChoices {
				return all
			}
			all = append(all, root+"/"+mark+"/"+strings.NewReplacer("*", unknown, "?", unknown).Replace(n))
		}
		if len(s.names) == 0 && len(all) < maxChoices {
			all = append(all, root+"/"+mark, r.text)
		}
	}
	return all
}

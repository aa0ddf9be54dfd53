package command

import (
	"path"
	"slices"
	"strings"
)

// inHidden reports whether a path is in a folder with a leading dot, like settings of
// agents.
func inHidden(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
		return len(name) > 2 && name[0] == '.' && name[1] != '.'
	})
}

// handsOn records that xargs runs a command with the files that other commands list.
func (m *interpreter) handsOn(inner []field) {
	c := &invocation{path: inner[0].text, args: inner[1:]}
	if !m.name(c, inner[0]) {
		return
	}
	changes := hasWord("sed gsed perl ruby", c.name) && parseOptions(c.args, styleOf(c.name), "").has("-i")
	use := listUse{m.part(c.path, c.args), changes}
	for _, r := range rows("file", c.name) {
		if r.get("how") != "none" && r.changes(c, c.optionsTaking(r.get("takes"))) {
			changes, use.certain = true, use.certain || !r.is("unsure") && !r.is("made")
		}
	}
	if changes {
		m.xargsCommands = append(m.xargsCommands, use)
	}
}

// filesOf returns the governed files and plan files in a list. If git cannot determine
// their states, it returns everything below the folder.
func (m *interpreter) filesOf(l listing) []File {
	if l.state == 0 || m.opts.InState == nil {
		return []File{l.File}
	}
	folder := l.Word.Text
	if !path.IsAbs(folder) {
		folder = path.Join(l.Dir, folder)
	}
	names, ok := m.opts.InState(folder, l.state)
	if !ok {
		return []File{l.File}
	}
	var all []File
	for _, name := range names {
		all = append(all, File{Word: Word{Text: m.opts.Root + "/" + name, Literal: true}, By: l.By})
	}
	return all
}

// listsFiles records that a command lists files below folders, by name or by state.
func (m *interpreter) listsFiles(roots []field, names []string, state State, c *invocation) {
	for i := range m.listings {
		m.listings[i].fresh = false
	}
	for _, f := range roots[:min(len(roots), maxChoices)] {
		l := listing{File{Word: f.word(), Dir: c.dir, Tree: true, Listed: true, Unsure: true, Patterns: names}, state, true}
		if !isKnown(l.Dir) {
			l.Dir, l.DirUnknown = "", true
		}
		m.listings = append(m.listings, l)
	}
}

// listsVisible records that the last search excludes files and folders with a leading dot.
func (m *interpreter) listsVisible() {
	for i := range m.listings {
		if l := &m.listings[i]; l.fresh {
			l.Visible = !inHidden(l.Word.Text)
		}
	}
}

// foundFiles records the files that find changes. Outside the repository, only names of
// governed files matter.
func (m *interpreter) foundFiles(s *search, sure bool, c *invocation) {
	names := s.patterns()
	for _, f := range s.roots {
		if names == nil || m.isAt(f.text, inRepo, theRepo, inBuild) || slices.ContainsFunc(names, governedName) {
			m.file(File{Word: f.word(), Tree: true, Listed: true, Visible: s.skipsHidden && !inHidden(f.text), Unsure: !sure, Patterns: names}, c)
		}
	}
}

// governedNames lists distinctive names of governed files and their folders. Package
// admission defines these files, and its tests check that both agree.
var governedNames = [...]string{
	"settings.json", "settings.local.json", "opencode.json", "opencode.jsonc", "hooks.json", "config.json", "config.toml", "config",
	".mcp.json", ".gitconfig", ".claude.json", ".claude", ".codex", ".opencode", ".gemini", ".qwen", ".cursor", ".copilot", "mcp.json", "trustedfolders.json", ".idumb", ".git", "solo.json", "idumb.js",
}

// governedName reports whether a pattern of find matches the name of a governed file.
func governedName(pattern string) bool {
	pattern = strings.ToLower(pattern)
	return slices.ContainsFunc(governedNames[:], func(name string) bool {
		if strings.Contains(pattern, "/") {
			return strings.Contains(pattern, name)
		}
		matches, err := path.Match(pattern, name)
		return matches || err != nil
	})
}

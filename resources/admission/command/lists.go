package command

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// inHidden reports whether a path leads into a folder that is called .something, as those
// of agents' settings are.
func inHidden(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
		return len(name) > 2 && name[0] == '.' && name[1] != '.'
	})
}

// handsOn notes that xargs hands to a command what others find.
func (m *machine) handsOn(inner []field) {
	c := &invocation{path: inner[0].text, args: inner[1:]}
	if !m.name(c, inner[0]) {
		return
	}
	changes := hasWord("sed gsed perl ruby", c.name) && parseOptions(c.args, styleOf(c.name), "").has("-i")
	use := listUse{m.part(c.path, c.args), changes}
	for _, r := range rows("file", c.name) {
		if r.get("how") != "none" && r.changes(c, c.with(r.get("takes"))) {
			changes, use.sure = true, use.sure || !r.is("unsure") && !r.is("made")
		}
	}
	if changes {
		m.handed = append(m.handed, use)
	}
}

// handedOnFiles adds what the commands of the line name to what xargs changes: what they find in
// ordinary folders is of no matter, or no search of the repository could be followed by a
// change. What a list of files holds of governed ones and of plans is changed as well.
func (m *machine) handedOnFiles() {
	for _, use := range m.handed {
		for _, r := range m.runs {
			for _, f := range parseOptions(r.fields[1:], wordy, "").operands {
				m.file(File{Word: f.word(), Tree: inHidden(f.text), Unsure: true, By: use.by}, &invocation{dir: cmp.Or(r.Dir, unknown)})
			}
		}
	}
	for _, use := range slices.Concat(m.handed, m.lists) {
		for _, l := range m.listings {
			l.By, l.Unsure = use.by, !use.sure
			m.touched = append(m.touched, m.filesOf(l)...)
		}
	}
}

// filesOf are the governed files and files of plans in a list: all below its folder unless git tells
// which are in its states.
func (m *machine) filesOf(l listing) []File {
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

// listsFiles keeps that a command lists files below folders: those of some names, or in a state.
func (m *machine) listsFiles(roots []field, names []string, state State, c *invocation) {
	for i := range m.listings {
		m.listings[i].fresh = false
	}
	for _, f := range roots[:min(len(roots), maxChoices)] {
		l := listing{File{Word: f.word(), Dir: c.dir, Tree: true, Listed: true, Unsure: true, Found: names}, state, true}
		if !known(l.Dir) {
			l.Dir, l.DirUnknown = "", true
		}
		m.listings = append(m.listings, l)
	}
}

// listsVisible keeps that the last search leaves out files and folders whose names begin with a dot.
func (m *machine) listsVisible() {
	for i := range m.listings {
		if l := &m.listings[i]; l.fresh {
			l.Visible = !inHidden(l.Word.Text)
		}
	}
}

// foundFiles adds what find changes. Outside the repository it matters only if names are asked for
// that a governed file can have.
func (m *machine) foundFiles(s *search, sure bool, c *invocation) {
	names := s.found()
	for _, f := range s.roots {
		if names == nil || m.isAt(f.text, inRepo, theRepo, inBuild) || slices.ContainsFunc(names, governedName) {
			m.file(File{Word: f.word(), Tree: true, Listed: true, Visible: s.skipsHidden && !inHidden(f.text), Unsure: !sure, Found: names}, c)
		}
	}
}

// governedNames are what governed files and their folders are called, as far as the name is
// no other's: package admission says which files those are, and its tests that they agree.
var governedNames = [...]string{
	"settings.json", "settings.local.json", "opencode.json", "opencode.jsonc", "hooks.json", "config.json", "config.toml", "config",
	".mcp.json", ".gitconfig", ".claude.json", ".claude", ".codex", ".opencode", ".gemini", ".qwen", ".cursor", ".copilot", "mcp.json", "trustedfolders.json", ".idumb", ".git", "solo.json", "idumb.js",
}

// governedName reports whether a pattern of find's matches what a governed file is called.
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

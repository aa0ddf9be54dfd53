package effects

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

var (
	errTooLong = errors.New("the line runs more commands than are read")
	errTooWide = errors.New("a pattern stands for more files than are looked at")
	errNoPatch = errors.New("not a patch that names all of its files")
)

// TouchedFiles resolves the files that a line writes, moves or removes. A file that
// may only be read, or that is in an unknown folder, is included only if it is
// governed. With an error it returns one path, which names what cannot be
// resolved.
func (r Resolver) TouchedFiles(line command.Reading) ([]admission.Path, error) {
	if line.Truncated {
		return []admission.Path{{Given: "the files that it names"}}, errTooLong
	}
	var all []admission.Path
	for _, f := range line.Files {
		found, err := r.touchedBy(f)
		if err != nil && !f.Unsure {
			return []admission.Path{{Given: f.Word.Text, By: f.By}}, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// touchedBy resolves the files of one command. It returns errNoPatch for a patch
// that cannot be read, and errTooWide for a pattern with too many matches.
func (r Resolver) touchedBy(t command.File) ([]admission.Path, error) {
	at, unsure := r.atFolder(t)
	var names []string
	var err error
	if t.Patch != "" {
		readable := false
		if names, readable = hosts.PatchPaths(t.Patch); !readable {
			return nil, errNoPatch
		}
	} else {
		if p, found := admission.MentionsGoverned(t.Word); found {
			p.By = t.By
			return []admission.Path{p}, nil
		}
		names, err = at.matchingFiles(t)
	}
	var all []admission.Path
	for _, name := range names {
		found, err := at.touchedFile(name, t, unsure)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, err
}

// atFolder returns the resolver for the folder of a file. If the folder is not
// known, it uses the repository root, so that governed files are found. unsure
// is true if it is not certain that the command writes the resolved file. It
// then counts as a write only for governed files.
func (r Resolver) atFolder(t command.File) (at Resolver, unsure bool) {
	unsure = t.Unsure
	switch {
	case t.DirUnknown:
		r.Cwd, unsure = r.Root, unsure || !filepath.IsAbs(t.Word.Text)
	case filepath.IsAbs(t.Dir):
		r.Cwd = t.Dir
	}
	return r, unsure
}

// matchingFiles returns the files that a word of a command names, with its pattern expanded. Instead
// of a folder it returns the files that the command writes in it, if the command has any. With
// errTooWide it returns the first matches.
func (r Resolver) matchingFiles(t command.File) ([]string, error) {
	var names []string
	var err error
	switch {
	case t.Word.Literal:
		names = []string{t.Word.Text}
	case t.Word.Pattern != "":
		names, err = r.expand(t.Word.Pattern)
	}
	bases := t.Into
	for _, pattern := range t.NamePatterns {
		found, tooWide := r.expand(pattern)
		if err == nil {
			err = tooWide
		}
		for _, name := range found {
			bases = append(bases[:len(bases):len(bases)], path.Base(name))
		}
	}
	if len(t.Into)+len(t.NamePatterns) == 0 {
		return names, err
	}
	var inside []string
	for _, name := range names {
		if info, err := os.Stat(r.Abs(name)); err != nil || !info.IsDir() {
			inside = append(inside, name)
			continue
		}
		for _, base := range bases {
			inside = append(inside, name+"/"+base)
		}
	}
	return inside, err
}

// Abs returns a name as an absolute path. It resolves no links.
func (r Resolver) Abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return r.Cwd + "/" + name
}

// touchedFile resolves one file. For a link it returns the location of the link
// if that is governed, else its target. For a folder with everything below it,
// it also returns the governed files below.
func (r Resolver) touchedFile(name string, t command.File, unsure bool) ([]admission.Path, error) {
	p, err := r.Resolve(name)
	if err != nil {
		return nil, err
	}
	p = r.OrLink(name, p)
	p.By, p.Unsure = t.By, unsure
	if t.Named {
		if info, err := os.Stat(r.Abs(name)); err == nil && !info.IsDir() {
			t.Tree, t.Listed = false, false
		}
	}
	if t.Tree && (t.Patterns != nil || t.Holding != "" || t.Visible) {
		found := r.foundBelow(p, t)
		if !unsure {
			found = append(found, r.listedBelow(p, t)...)
		}
		return found, nil
	}
	if t.Tree && !admission.Governs(p) {
		if below, found := r.governedBelow(p); found {
			below.Below = true
			return []admission.Path{below}, nil
		}
	}
	if t.Listed && !unsure && p.Repo != "" && !admission.Governs(p) {
		return r.listedBelow(p, t), nil
	}
	if (unsure || t.Product && !r.replaces(p) && !(t.Creates && r.creates(p))) && !admission.Governs(p) {
		return nil, nil
	}
	p.Unchanged = r.unchangedBy(t, p.Repo)
	return []admission.Path{p}, nil
}

// unchangedBy reports whether a formatter or fixer probably leaves a file
// unchanged, because the file has no uncommitted changes. A lock file counts as
// unchanged, because nobody edits it.
func (r Resolver) unchangedBy(t command.File, name string) bool {
	return t.Follows || t.Fixer && name != "" && r.Changed != nil && !r.Changed(name)
}

// replaces reports whether the output of a build or a test at a path overwrites
// a file that a person or an agent wrote. Outside the repository the shell gate
// decides.
func (r Resolver) replaces(p admission.Path) bool {
	return p.Repo != "" && (r.Replaces == nil || r.Replaces(p.Repo))
}

// creates reports whether the output of an unknown program at a path is a new
// file of the project.
func (r Resolver) creates(p admission.Path) bool {
	return p.Repo != "" && p.Tree == "" && r.Creates != nil && r.Creates(p.Repo)
}

// OrLink returns the location of a link if the location is governed and the
// target is not. Writing through the link, or replacing it, changes the content
// at that location.
func (r Resolver) OrLink(name string, p admission.Path) admission.Path {
	base := path.Base(filepath.ToSlash(name))
	if base == "." || base == ".." || admission.Governs(p) {
		return p
	}
	folder, err := r.Resolve(path.Dir(filepath.ToSlash(name)))
	if err != nil {
		return p
	}
	link := admission.Path{Given: p.Given}
	switch {
	case folder.Repo != "":
		link.Repo = path.Join(folder.Repo, base)
	case folder.Home != "":
		link.Home = path.Join(folder.Home, base)
	}
	if admission.Governs(link) {
		return link
	}
	return p
}

// foundBelow lists the governed files and the planning files below a folder
// with a name that the search matches. For a folder outside the repository it
// returns one governed file below it, or nil.
func (r Resolver) foundBelow(p admission.Path, t command.File) []admission.Path {
	if t.Visible { // governed files are in folders that such a search skips
		return nil
	}
	if p.Repo == "" {
		below, found := r.governedBelow(p)
		if below.By, below.Unsure, below.Below = t.By, true, true; !found {
			return nil
		}
		if below.Repo == "" {
			return []admission.Path{below}
		}
		p.Repo = "." // the folder contains the repository
	}
	var all []admission.Path
	looked := 0
	for _, name := range admission.GovernedNames() {
		start := name
		if _, inside := belowName(name, p.Repo); inside {
			start = p.Repo
		} else if _, above := belowName(p.Repo, name); !above && p.Repo != name {
			continue
		}
		err := filepath.WalkDir(filepath.Join(r.Root, filepath.FromSlash(start)), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // an unreadable file cannot be found either
			}
			if looked++; looked > maxLooked {
				return errTooWide
			}
			rel, err := filepath.Rel(r.Root, file)
			if rel = filepath.ToSlash(rel); err == nil && isFound(t.Patterns, rel) && admission.Plans(rel) && containsText(file, t.Holding) {
				all = append(all, admission.Path{Given: rel, Repo: rel, By: t.By})
			}
			return nil
		})
		if err != nil { // a folder that cannot be searched counts as found
			all = append(all, admission.Path{Given: start, Repo: start, By: t.By, Unsure: true, Below: true})
		}
	}
	return all
}

// listedBelow lists the files below a folder that git tracks and a search
// finds, at most maxExpanded.
func (r Resolver) listedBelow(p admission.Path, t command.File) []admission.Path {
	if p.Repo == "" || r.Tracked == nil {
		return nil
	}
	var all []admission.Path
	for _, name := range r.Tracked() {
		_, inside := belowName(p.Repo, name)
		hidden := t.Visible && strings.HasPrefix(name, ".") || t.Visible && strings.Contains(name, "/.")
		if inside = inside || name == p.Repo; inside && !hidden && isFound(t.Patterns, name) && containsText(filepath.Join(r.Root, filepath.FromSlash(name)), t.Holding) {
			all = append(all, admission.Path{Given: name, Repo: name, By: t.By, Below: true, Unchanged: r.unchangedBy(t, name)})
		}
		if len(all) == maxExpanded {
			break
		}
	}
	return all
}

// maxLooked limits the number of planning files and governed files that a
// search reads.
const maxLooked = 20000

// containsText reports whether a file contains a text, ignoring case. It returns true
// for an existing file that cannot be read.
func containsText(file, text string) bool {
	if text == "" {
		return true
	}
	data, there := readBounded(file)
	return there && (data == nil || bytes.Contains(bytes.ToLower(data), bytes.ToLower([]byte(text))))
}

// belowName returns the path of name relative to folder, if name is below
// folder. Both paths are relative to the same root.
func belowName(folder, name string) (string, bool) {
	if folder == "." {
		return name, true
	}
	return strings.CutPrefix(name, folder+"/")
}

// isFound reports whether a pattern matches the name or the path of a file.
func isFound(patterns []string, rel string) bool {
	return patterns == nil || slices.ContainsFunc(patterns, func(pattern string) bool {
		if !strings.Contains(pattern, "/") {
			return command.MatchesName(pattern, path.Base(rel))
		}
		for _, here := range [...]string{"./", "?/", "/"} { // "?/" is "./" in a regular expression
			pattern = strings.TrimPrefix(pattern, here)
		}
		return command.MatchesName(pattern, rel) || command.MatchesName("*/"+pattern, rel) || strings.HasPrefix(pattern, "*/") && command.MatchesName(pattern[2:], rel)
	})
}

// governedBelow finds a governed file below a folder, and reports whether there
// is one. The folder may contain the repository.
func (r Resolver) governedBelow(p admission.Path) (admission.Path, bool) {
	if p.Repo == "" {
		if real, err := resolveLinks(r.Abs(p.Given)); err == nil {
			if _, holds := relativeTo(real, r.Root); holds {
				p.Repo, p.Home = ".", ""
			}
		}
	}
	if found, holds := admission.GovernedBelow(p); holds {
		return found, true
	}
	if found, holds := r.treeBelow(p); holds {
		return found, true
	}
	return r.programsBelow(p)
}

// treeBelow returns the .idumb folder of a working tree of the repository that
// is in a folder, and reports whether there is one.
func (r Resolver) treeBelow(p admission.Path) (admission.Path, bool) {
	real, err := r.Real(p.Given)
	if err != nil {
		return p, false
	}
	for _, tree := range layout.Root(r.Root).Trees() {
		if _, below := relativeTo(real, string(tree)); below {
			p.Repo, p.Home, p.Tree = layout.Dir, "", filepath.ToSlash(string(tree))
			return p, true
		}
	}
	return p, false
}

// Limits of the expansion of a pattern: the number of names, and of folders
// that are read.
const (
	maxExpanded = 2000
	maxFolders  = 500
)

// expand returns the files that a pattern matches, with the rules of bash: a
// "*" does not match a leading dot. If there are too many, it returns the first
// ones and errTooWide.
func (r Resolver) expand(pattern string) ([]string, error) {
	g := globber{resolver: r}
	// A pattern without wildcards is a name.
	all := []string{""}
	for i, segment := range strings.SplitAfter(pattern, "/") {
		segment, slash := strings.CutSuffix(segment, "/")
		var next []string
		for _, dir := range all {
			for _, name := range g.matchingIn(dir, segment, i == 0) {
				if slash {
					name += "/"
				}
				next = append(next, dir+name)
			}
		}
		all = next
	}
	if g.tooWide || len(all) > maxExpanded {
		return all[:min(len(all), maxExpanded)], errTooWide
	}
	return all, nil
}

// globber expands the patterns of one word.
type globber struct {
	resolver Resolver
	folders  int
	tooWide  bool
}

// matchingIn returns the names in a folder that one segment of a pattern
// matches.
func (g *globber) matchingIn(dir, segment string, first bool) []string {
	if !strings.ContainsAny(strings.NewReplacer(`\*`, "", `\?`, "", `\[`, "").Replace(segment), "*?[") {
		return []string{unescaped(segment)}
	}
	if first {
		dir = "."
	}
	if g.folders++; g.folders > maxFolders {
		g.tooWide = true
		return nil
	}
	entries, err := os.ReadDir(g.resolver.Abs(dir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(segment, ".") {
			continue
		}
		if ok, err := path.Match(segment, e.Name()); ok || err != nil {
			names = append(names, e.Name())
		}
	}
	if len(names) > maxExpanded {
		g.tooWide = true
	}
	return names[:min(len(names), maxExpanded)]
}

// unescaped removes the backslashes that escape special characters of a pattern.
func unescaped(segment string) string {
	return strings.NewReplacer(`\\`, `\`, `\*`, "*", `\?`, "?", `\[`, "[", `\{`, "{").Replace(segment)
}

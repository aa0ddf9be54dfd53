package hooks

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

var (
	errTooLong = errors.New("the line runs more commands than are read")
	errTooWide = errors.New("a pattern stands for more files than are looked at")
	errNoPatch = errors.New("it is no patch of which every file can be told")
)

// effects resolves the files that a line writes, moves or removes. Those that a command may
// only look at, or whose folder is not known, are among them only if they are governed.
func (r resolver) effects(line command.Reading) ([]admission.Path, error) {
	if line.Over {
		return []admission.Path{{Given: "what it names"}}, errTooLong
	}
	var all []admission.Path
	for _, f := range line.Files {
		found, err := r.touched(f)
		if err != nil && !f.Unsure {
			return []admission.Path{{Given: f.Word.Text, By: f.By}}, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// endings are the changes that ending processes by their ids is: if one of them is
// the controller, by the heartbeat that it keeps.
func (h *handler) endings(ids []string) []admission.Change {
	if len(ids) == 0 {
		return nil
	}
	data, _, err := h.repo.root.Read(layout.ControllerFile, layout.MaxSpec)
	if err != nil {
		return nil
	}
	beat, err := hosts.ReadObject(data)
	if err != nil || len(beat["pid"]) == 0 || !slices.Contains(ids, string(beat["pid"])) {
		return nil
	}
	return []admission.Change{admission.Ending("kill " + string(beat["pid"]))}
}

// touched resolves what one command touches.
func (r resolver) touched(t command.File) ([]admission.Path, error) {
	if t.Patch != "" {
		return r.patched(t)
	}
	if p, found := admission.MentionsGoverned(t.Word); found {
		p.By = t.By
		return []admission.Path{p}, nil
	}
	var all []admission.Path
	at, unsure := r.standing(t)
	names, err := at.names(t)
	for _, name := range names {
		found, err := at.touchedFile(name, t, unsure)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, err
}

// standing is the resolver for a touch's own folder. Where that is not known, the
// repository's root stands for it, so that governed files are found.
func (r resolver) standing(t command.File) (resolver, bool) {
	unsure := t.Unsure
	switch {
	case t.DirUnknown:
		r.cwd, unsure = r.root, unsure || !filepath.IsAbs(t.Word.Text)
	case filepath.IsAbs(t.Dir):
		r.cwd = t.Dir
	}
	return r, unsure
}

// names are the files that a word stands for.
func (r resolver) names(t command.File) ([]string, error) {
	var names []string
	var err error
	switch {
	case t.Word.Literal:
		names = []string{t.Word.Text}
	case t.Word.Pattern != "":
		names, err = r.expand(t.Word.Pattern)
	}
	if len(t.Into) == 0 {
		return names, err
	}
	var inside []string
	for _, name := range names {
		if info, err := os.Stat(r.abs(name)); err != nil || !info.IsDir() {
			inside = append(inside, name)
			continue
		}
		for _, base := range t.Into {
			inside = append(inside, name+"/"+base)
		}
	}
	return inside, err
}

func (r resolver) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return r.cwd + "/" + name
}

// touchedFile resolves one file: where it leads, or, if that is a link, where the link
// itself stands; and, for a folder with all below it, what is governed there.
func (r resolver) touchedFile(name string, t command.File, unsure bool) ([]admission.Path, error) {
	p, err := r.resolve(name)
	if err != nil {
		return nil, err
	}
	p = r.orLink(name, p)
	p.By, p.Unsure = t.By, unsure
	if t.Tree && !admission.Governs(p) {
		if below, found := r.governedBelow(p); found {
			below.Below = true
			return []admission.Path{below}, nil
		}
	}
	if unsure && !admission.Governs(p) {
		return nil, nil
	}
	return []admission.Path{p}, nil
}

// orLink returns where a link stands, if that is governed and where it leads is not:
// writing through it, or putting another in its place, changes what is read there.
func (r resolver) orLink(name string, p admission.Path) admission.Path {
	base := path.Base(filepath.ToSlash(name))
	if base == "." || base == ".." || admission.Governs(p) {
		return p
	}
	folder, err := r.resolve(path.Dir(filepath.ToSlash(name)))
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

// governedBelow finds what is governed below a folder, which may hold the repository.
func (r resolver) governedBelow(p admission.Path) (admission.Path, bool) {
	if p.Repo == "" {
		if real, err := follow(r.abs(p.Given)); err == nil {
			if _, holds := below(real, r.root); holds {
				p.Repo, p.Home = ".", ""
			}
		}
	}
	if found, holds := admission.GovernedBelow(p); holds {
		return found, true
	}
	return r.programsBelow(p)
}

// patched resolves the files of a patch; one that cannot be read is taken for a write
// of everything.
func (r resolver) patched(t command.File) ([]admission.Path, error) {
	names, ok := hosts.PatchPaths(t.Patch)
	if !ok {
		return nil, errNoPatch
	}
	var all []admission.Path
	at, unsure := r.standing(t)
	for _, name := range names {
		found, err := at.touchedFile(name, t, unsure)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// What a pattern is followed to: names, and folders that are read for them.
const (
	maxExpanded = 2000
	maxFolders  = 500
)

// expand returns the files that a pattern stands for, as bash does: a "*" does not
// stand for a leading dot.
func (r resolver) expand(pattern string) ([]string, error) {
	g := globber{at: r}
	all := g.matching(pattern)
	if g.tooWide || len(all) > maxExpanded {
		return all[:min(len(all), maxExpanded)], errTooWide
	}
	return all, nil
}

// globber expands the patterns of one word.
type globber struct {
	at      resolver
	folders int
	tooWide bool
}

// matching expands a pattern without braces. One without any wildcards is a name.
func (g *globber) matching(pattern string) []string {
	found := []string{""}
	for i, segment := range strings.SplitAfter(pattern, "/") {
		segment, slash := strings.CutSuffix(segment, "/")
		var next []string
		for _, dir := range found {
			for _, name := range g.matchingIn(dir, segment, i == 0) {
				if slash {
					name += "/"
				}
				next = append(next, dir+name)
			}
		}
		found = next
	}
	return found
}

// matchingIn returns the names in a folder that one segment of a pattern stands for.
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
	entries, err := os.ReadDir(g.at.abs(dir))
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

func unescaped(segment string) string {
	return strings.NewReplacer(`\\`, `\`, `\*`, "*", `\?`, "?", `\[`, "[", `\{`, "{").Replace(segment)
}

package hooks

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// gitState answers questions about the files of a work tree. It reads git's index on the first question
// and starts git only for ignored files, HEAD and trees. It is not safe for concurrent use.
type gitState struct {
	root    layout.Root
	entries map[string]layout.Indexed
	files   []string  // names of entries, in git's order
	modTime time.Time // modification time of the index
	loaded  bool
	// loosens reports whether a version of an object's file is a change that agents do not make; nil means never.
	loosens func(key resources.Key, data []byte) bool
}

// gitTimeout limits one call of git.
const gitTimeout = time.Second

// maxText is the maximum size of a file whose text a line uses, in bytes.
const maxText = 64 << 10

// index reads git's index at the first call.
func (g *gitState) index() {
	if g.loaded {
		return
	}
	g.loaded, g.entries = true, map[string]layout.Indexed{}
	for _, e := range g.root.Index() {
		g.entries[e.File] = e
		g.files = append(g.files, e.File)
	}
	if info, err := os.Stat(filepath.Join(layout.GitDir(string(g.root)), "index")); err == nil {
		g.modTime = info.ModTime()
	}
}

// differs reports whether a file of the work tree differs from the index. If the file is as new as the
// index, equal size and time prove nothing, and the content is compared.
func (g *gitState) differs(e layout.Indexed) bool {
	info, err := os.Lstat(g.root.Abs(e.File))
	if err != nil || info.IsDir() {
		return false // a missing file cannot be overwritten
	}
	if e.Changed(info.Size(), info.ModTime()) {
		return !info.Mode().IsRegular() || !g.root.IsBlob(e.File, e.Blob())
	}
	return !info.ModTime().Before(g.modTime.Add(-time.Second)) && info.Mode().IsRegular() && !g.root.IsBlob(e.File, e.Blob())
}

// changed reports whether a pathspec matches a tracked file that differs from the index. Without an index
// every existing file counts as changed.
func (g *gitState) changed(spec string) bool {
	if g.index(); len(g.files) == 0 {
		_, err := os.Lstat(g.root.Abs(spec))
		return err == nil || strings.ContainsAny(spec, "*?[")
	}
	if e, ok := g.entries[spec]; ok {
		return g.differs(e)
	}
	return slices.ContainsFunc(g.files, func(file string) bool { return matchesSpec(spec, file) && g.differs(g.entries[file]) })
}

// matchesSpec reports whether a pathspec, from the root, names a file: a folder above it, or a pattern
// whose "*" matches slashes.
func matchesSpec(spec, file string) bool {
	if spec == "." || spec == file || strings.HasPrefix(file, spec+"/") {
		return true
	}
	return strings.ContainsAny(spec, "*?[") && command.MatchesName(spec, file)
}

// git returns what git writes, and whether it succeeded.
func (g *gitState) git(args ...string) (string, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTimeout)
	defer cancel()
	out, err := gitcommand.New(ctx, string(g.root), args...).Output()
	return string(out), err == nil
}

// staged reports whether the index has changes of a pathspec that are not in HEAD.
func (g *gitState) staged(spec string) bool {
	out, ok := g.git("diff-index", "--cached", "--name-only", "-z", "HEAD", "--", spec)
	return ok && out != ""
}

// inState lists the governed files and the files of plans that a path or a pattern names, and that
// are in one of the states.
func (g *gitState) inState(spec string, state command.State) (all []string, ok bool) {
	spec, inside := strings.CutPrefix(filepath.ToSlash(spec)+"/", string(g.root)+"/")
	spec = path.Clean(spec)
	if g.index(); !inside || len(g.files) == 0 {
		return nil, false
	}
	add := func(file string) {
		if matchesSpec(spec, file) && admission.Plans(file) && !slices.Contains(all, file) {
			all = append(all, file)
		}
	}
	var names []string
	for _, name := range admission.GovernedNames() {
		if _, err := os.Lstat(g.root.Abs(name)); err == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, true
	}
	if state&command.Modified != 0 {
		for _, file := range g.files {
			if admission.Plans(file) && g.differs(g.entries[file]) {
				add(file)
			}
		}
	}
	lists := func(args ...string) bool {
		out, ok := g.git(slices.Concat([]string{"--literal-pathspecs"}, args, []string{"--"}, names)...)
		for file := range strings.SplitSeq(out, "\x00") {
			add(file)
		}
		return ok
	}
	ok = state&command.Modified == 0 || lists("diff-index", "--cached", "--name-only", "-z", "--diff-filter=AM", "HEAD")
	if state&command.Untracked != 0 {
		ok = lists("ls-files", "-z", "--others", "--exclude-standard") && ok
	}
	if state&command.Ignored != 0 {
		ok = lists("ls-files", "-z", "--others", "--ignored", "--exclude-standard") && ok
	}
	return all, ok
}

// loses reports whether a branch, or the checked out one for "HEAD", has commits that neither another branch nor
// a tag has, nor the revision to.
func (g *gitState) loses(branch, to string) bool {
	args := []string{"rev-list", "--max-count=1", "HEAD", "--not"}
	if branch == "HEAD" {
		branch = ""
		if name, ok := g.git("symbolic-ref", "-q", "--short", "HEAD"); ok {
			branch = strings.TrimSpace(name)
		}
	}
	if branch != "" {
		args[2] = "refs/heads/" + branch
	}
	if to != "" {
		args = append(args, to)
	}
	if branch != "" {
		args = append(args, "--exclude="+branch)
	}
	out, ok := g.git(append(args, "--branches", "--tags", "--remotes", "--")...)
	return ok && out != ""
}

// drops reports whether the index holds .idumb and a revision does not; "" holds nothing.
func (g *gitState) drops(revision string) bool {
	g.index()
	if !slices.ContainsFunc(g.files, func(file string) bool { return strings.HasPrefix(file, layout.Dir+"/") }) {
		return false
	}
	if revision == "" {
		return true
	}
	if revision = g.revision(revision); revision == "" {
		return false
	}
	out, ok := g.git("ls-tree", "--name-only", revision, "--", layout.Dir)
	return ok && out == ""
}

// revision returns a name of the tree that git checks out for a word: an earlier branch for "-",
// and a branch of a remote for a name that only a remote has. It returns "" if none exists.
func (g *gitState) revision(word string) string {
	if word == "-" {
		word = "@{-1}"
	}
	if strings.HasPrefix(word, "-") {
		return ""
	}
	for _, name := range [...]string{word, "refs/remotes/origin/" + word} {
		if _, exists := g.git("rev-parse", "--quiet", "--verify", "--end-of-options", name+"^{tree}"); exists {
			return name
		}
	}
	return ""
}

// textOf returns the content of a regular file of at most maxText bytes. It
// returns false for any other file, an unreadable one, and one with a zero byte.
func textOf(name string) (string, bool) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxText {
		return "", false
	}
	data, err := os.ReadFile(name)
	return string(data), err == nil && !slices.Contains(data, 0)
}

// pathExists reports whether a file or folder exists, or a link to nothing.
func pathExists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

package effects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources/admission"
)

// Resolver resolves a file name of an agent to the real location of the file.
// Every tool and every spelling uses this path policy.
type Resolver struct {
	Root   string // the repository, links resolved
	Home   string // the person's home folder; empty if unknown
	Claude string // the settings folder of Claude Code; empty for ~/.claude
	Config string // the settings folder of programs; empty for ~/.config
	Cwd    string // the folder for relative paths
	// Replaces reports whether a report or a build product at a path, relative
	// to the repository root, overwrites a hand-written file. If Replaces is
	// nil, every product does.
	Replaces func(path string) bool
	// Creates reports whether a path is a new source file or document of the
	// project, and no report. nil means never.
	Creates func(path string) bool
	// Tracked lists the files that git tracks, relative to the repository root.
	// It is nil if git cannot list them.
	Tracked func() []string

	// Changed reports whether a tracked file has uncommitted changes. If
	// Changed is nil, every file may have changes.
	Changed func(path string) bool

	programs string // the folder of the running program, links resolved; empty to determine it on demand
}

// maxLinks is the maximum number of links in a path, as in Linux.
const maxLinks = 40

// Resolve returns the location of a file. The file need not exist. Resolve
// returns an error if the path cannot lead to a file.
func (r Resolver) Resolve(given string) (admission.Path, error) {
	p := admission.Path{Given: given}
	if strings.ContainsRune(given, 0) {
		return p, errors.New("a path may hold no NUL byte")
	}
	real, err := r.Real(given)
	if err != nil {
		return p, err
	}
	rel, tree, inside := r.inRepo(real)
	p.Program = r.isProgram(real, inside)
	if inside {
		p.Repo, p.Tree = rel, tree
		if governed, found := r.linkedTo(real); found && tree == "" && !admission.Governs(p) {
			p.Repo = governed
		}
		return p, nil // its location relative to the home folder is not needed
	}
	p.Home, _ = relativeTo(ResolveLinks(r.Home), real)
	if rel, ok := relativeTo(ResolveLinks(r.Claude), real); ok {
		p.Home = ".claude/" + rel
	}
	if rel, ok := relativeTo(ResolveLinks(r.Config), real); ok {
		p.Home = ".config/" + rel
	}
	if p.Home == "" { // HOME may differ from the home folder with the person's trust records
		if rel, ok := relativeTo(ResolveLinks(trust.AccountDir()), real); ok {
			p.Home = ".config/idumb/" + rel
		}
	}
	return p, nil
}

// Real returns the absolute path that an agent's path leads to, with links
// followed.
func (r Resolver) Real(given string) (string, error) {
	name := filepath.FromSlash(given)
	if rest, ok := strings.CutPrefix(name, "~"+string(filepath.Separator)); ok && r.Home != "" {
		name = filepath.Join(r.Home, rest)
	}
	if !filepath.IsAbs(name) {
		name = r.Cwd + string(filepath.Separator) + name
	}
	// The path to the root has no links.
	if rest, below := strings.CutPrefix(name, r.Root+string(filepath.Separator)); below && r.Root != "" {
		return followFrom(r.Root, rest)
	}
	return resolveLinks(name)
}

// inRepo returns the path of a file in the repository, in any of its working
// trees. tree is the root of the working tree if its plans judge the file; see
// inWorktree.
func (r Resolver) inRepo(real string) (rel, tree string, inside bool) {
	if rel, tree, found := r.inWorktree(real); found {
		return rel, tree, true
	}
	rel, inside = relativeTo(r.Root, real)
	return rel, "", inside
}

// resolveLinks resolves "." and "..", and every link on the part of the path that
// exists. It resolves one element at a time, so that "link/.." is the parent of
// the target of the link. The part that does not exist is left unchanged.
func resolveLinks(name string) (string, error) {
	volume := filepath.VolumeName(name)
	return followFrom(volume+string(filepath.Separator), name[len(volume):])
}

// ResolveLinks returns the path of an existing folder with all links resolved. It returns "" for
// an empty path. If they cannot be resolved it returns the absolute path.
func ResolveLinks(dir string) string {
	if dir == "" {
		return ""
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if real, err := resolveLinks(abs); err == nil {
		return real
	}
	return abs
}

// followFrom follows a path from a folder without links in its path.
func followFrom(at, name string) (string, error) {
	rest := pathElements(name)
	for links := 0; len(rest) > 0; {
		element := rest[0]
		rest = rest[1:]
		if element == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, element)
		info, err := os.Lstat(next)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s leads through too many links", name)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			volume := filepath.VolumeName(target)
			at = volume + string(filepath.Separator)
			target = target[len(volume):]
		}
		rest = append(pathElements(target), rest...)
	}
	return at, nil
}

// pathElements returns the elements of a path, without empty ones and ".".
func pathElements(name string) []string {
	return strings.FieldsFunc(strings.ReplaceAll("/"+filepath.ToSlash(name)+"/", "/./", "//"), func(r rune) bool { return r == '/' })
}

// relativeTo returns the path of name relative to folder, with '/', if name is in
// the folder.
func relativeTo(folder, name string) (string, bool) {
	if folder == "" || len(name) < len(folder) || !SameFolder(folder, name[:len(folder)]) {
		return "", false
	}
	rest := name[len(folder):]
	if rest == "" {
		return ".", true
	}
	if !os.IsPathSeparator(rest[0]) && !os.IsPathSeparator(folder[len(folder)-1]) {
		return "", false
	}
	return strings.TrimLeft(filepath.ToSlash(rest), "/"), true
}

// SameFolder compares two names of a folder. It also recognizes names that
// differ only in case on a file system that ignores case.
func SameFolder(a, b string) bool {
	if a == b {
		return true
	}
	if !strings.EqualFold(a, b) {
		return false
	}
	left, errLeft := os.Stat(a)
	right, errRight := os.Stat(b)
	return errLeft == nil && errRight == nil && os.SameFile(left, right)
}

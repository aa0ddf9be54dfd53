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

// Resolver turns what an agent calls a file into where that file really is:
// the one path policy of every tool and every spelling.
type Resolver struct {
	Root   string // the repository, links resolved
	Home   string // the person's home folder; "" if it is not known
	Claude string // where Claude Code keeps its settings in place of ~/.claude; "" if there
	Config string // where programs keep their settings in place of ~/.config; "" if there
	Cwd    string // where relative paths stand
	// Replaces reports whether a report or a product of a build at a path, from the repository's root, takes the place
	// of a file that somebody wrote. nil: each does.
	Replaces func(path string) bool
	// Tracked lists the files that git tracks, from the repository's root. nil: nobody can tell.
	Tracked func() []string

	// Changed reports whether a file that git tracks has uncommitted changes. nil: each may have.
	Changed func(path string) bool

	programs string // the folder of this very program, links resolved; "" to look it up when it matters
}

// maxLinks is how many links a path may lead through, as in Linux.
const maxLinks = 40

// Resolve says where a file is. The file need not exist; an error means that
// the path cannot lead to one.
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
		return p, nil // what it is called from home makes no difference
	}
	p.Home, _ = below(Followed(r.Home), real)
	if rel, ok := below(Followed(r.Claude), real); ok {
		p.Home = ".claude/" + rel
	}
	if rel, ok := below(Followed(r.Config), real); ok {
		p.Home = ".config/" + rel
	}
	if p.Home == "" { // HOME may be another than the one in which the person's trust is kept
		if rel, ok := below(Followed(trust.AccountFolder()), real); ok {
			p.Home = ".config/idumb/" + rel
		}
	}
	return p, nil
}

// Real is where a path leads, as an agent spelt it: absolute, links followed.
func (r Resolver) Real(given string) (string, error) {
	name := filepath.FromSlash(given)
	if rest, ok := strings.CutPrefix(name, "~"+string(filepath.Separator)); ok && r.Home != "" {
		name = filepath.Join(r.Home, rest)
	}
	if !filepath.IsAbs(name) {
		name = r.Cwd + string(filepath.Separator) + name
	}
	return r.follow(name)
}

// inRepo returns where a file is in the repository, in whichever of its working trees. tree is the root of the tree
// if the file is judged by that tree's plans; see inWorktree.
func (r Resolver) inRepo(real string) (rel, tree string, inside bool) {
	if rel, tree, found := r.inWorktree(real); found {
		return rel, tree, true
	}
	rel, inside = below(r.Root, real)
	return rel, "", inside
}

// follow resolves "." and "..", and every link on the part of the path that
// exists, one element after the other, so that "link/.." is the parent of where
// the link leads. The rest, which does not exist, is taken as it stands.
func follow(name string) (string, error) {
	volume := filepath.VolumeName(name)
	return followFrom(volume+string(filepath.Separator), name[len(volume):])
}

// Followed is follow for folders that are known to exist, or "".
func Followed(dir string) string {
	if dir == "" {
		return ""
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if real, err := follow(abs); err == nil {
		return real
	}
	return abs
}

// follow is follow, which begins in the repository for what is named below it: on the way
// there are no links.
func (r Resolver) follow(name string) (string, error) {
	if rest, below := strings.CutPrefix(name, r.Root+string(filepath.Separator)); below && r.Root != "" {
		return followFrom(r.Root, rest)
	}
	return follow(name)
}

// followFrom follows a path from a folder that has no links in its own.
func followFrom(at, name string) (string, error) {
	rest := split(name)
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
		rest = append(split(target), rest...)
	}
	return at, nil
}

// split returns the elements of a path, without empty ones and ".".
func split(name string) []string {
	return strings.FieldsFunc(strings.ReplaceAll("/"+filepath.ToSlash(name)+"/", "/./", "//"), func(r rune) bool { return r == '/' })
}

// below returns the path from folder to name, with '/', if name stands there.
func below(folder, name string) (string, bool) {
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

// SameFolder compares two names of a folder, also where the file system takes
// another case for the same.
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

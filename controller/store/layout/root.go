package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is the directory in the repository's root that holds all of iDumb's
// files.
const Dir = ".idumb"

// ErrNoRoot means that the repository has no .idumb.
var ErrNoRoot = errors.New("no .idumb folder")

// Root is the absolute path of a repository: the directory that contains
// .idumb.
type Root string

// Find walks up from dir to the nearest directory with a .idumb. A nested git
// repository without .idumb, such as a submodule, uses the outer repository's,
// because the session belongs to the outer one. A linked working tree without
// .idumb uses the main working tree's. The walk ends at another file system or
// at a directory of another owner, because its .idumb is not authoritative. A
// plain file named .idumb in a parent directory is ignored. Find returns
// ErrNoRoot if there is no .idumb.
func Find(dir string) (Root, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		own := at == start || exists(filepath.Join(at, ".git"))
		if mayGovern(filepath.Join(at, Dir), own) {
			return Root(at), nil
		}
		if main := MainRoot(at); main != "" && sameHome(start, main) {
			return Root(main), nil
		}
		if at == filepath.Dir(at) || !sameHome(start, filepath.Dir(at)) {
			return "", fmt.Errorf("%w in %s; run \"idumb init\" in the repository first", ErrNoRoot, rangeText(start, at))
		}
	}
}

// rangeText names the directories from start to last, for errors.
func rangeText(start, last string) string {
	if start == last {
		return start
	}
	return start + " or above it, up to " + last
}

// mayGovern reports whether the path .idumb may be our directory. A plain file of
// that name in a parent directory is ignored. In the start directory or in the
// root of a git repository (own) it counts, so that reading it reports the
// problem. The same applies to a link.
func mayGovern(path string, own bool) bool {
	info, err := os.Lstat(path)
	return err == nil && (own || !info.Mode().IsRegular()) || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// exists reports whether a path exists. It returns true if that cannot be
// determined, so that the error occurs when the path is used.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Abs converts a path of this package to a path of the operating system.
func (r Root) Abs(path string) string { return filepath.Join(string(r), filepath.FromSlash(path)) }

// Rel is the inverse of Abs. It returns false for a path outside the
// repository.
func (r Root) Rel(abs string) (string, bool) {
	rel, err := filepath.Rel(string(r), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// maxPointer is the maximum size of git's files that name another file, in
// bytes.
const maxPointer = 32 << 10

// MainTree returns the main working tree of a linked one (git worktree add),
// with links resolved. It returns "" for any other directory. A .git file alone
// is not sufficient: git's directory must know the tree too.
func MainTree(tree string) string {
	abs, err := filepath.Abs(tree)
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return ""
	}
	private, ok := strings.CutPrefix(pointerIn(filepath.Join(real, ".git")), "gitdir:")
	private = filepath.FromSlash(strings.TrimSpace(private))
	if !ok || private == "" {
		return ""
	}
	if !filepath.IsAbs(private) {
		private = filepath.Join(real, private)
	}
	if private, err = filepath.EvalSymlinks(private); err != nil {
		return ""
	}
	trees := filepath.Dir(private)
	git := filepath.Dir(trees)
	if filepath.Base(trees) != "worktrees" || filepath.Base(git) != ".git" {
		return ""
	}
	back, err := filepath.EvalSymlinks(filepath.FromSlash(pointerIn(filepath.Join(private, "gitdir"))))
	if err != nil || back != filepath.Join(real, ".git") {
		return ""
	}
	return filepath.Dir(git)
}

// pointerIn returns the content of a small file of git, or "".
func pointerIn(file string) string {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPointer {
		return ""
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// MainRoot returns the main working tree if dir is the root of a linked one and
// the main one has a .idumb. Otherwise it returns "".
func MainRoot(dir string) string {
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	main := MainTree(dir)
	if main == "" || !mayGovern(filepath.Join(main, Dir), true) {
		return ""
	}
	return main
}

// Trees returns the other working trees of the repository (git worktree list)
// that have their own .idumb: the main one first, the rest sorted. Git's
// directory must know each of them.
func (r Root) Trees() []Root {
	here, err := filepath.EvalSymlinks(string(r))
	if err != nil {
		return nil
	}
	main := MainTree(here)
	if main == "" {
		main = here
	}
	linked, err := os.ReadDir(filepath.Join(main, ".git", "worktrees"))
	if err != nil {
		return nil
	}
	trees := []string{main}
	for _, entry := range linked {
		git := pointerIn(filepath.Join(main, ".git", "worktrees", entry.Name(), "gitdir"))
		if tree := filepath.Dir(filepath.FromSlash(git)); git != "" && MainTree(tree) == main {
			trees = append(trees, tree)
		}
	}
	slices.Sort(trees[1:])
	var others []Root
	for _, tree := range trees {
		real, err := filepath.EvalSymlinks(tree)
		if err == nil && real != here && mayGovern(filepath.Join(real, Dir), true) {
			others = append(others, Root(real))
		}
	}
	return others
}

package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir is the folder, in the repository's root, that holds everything.
const Dir = ".idumb"

// ErrNoRoot: there is no .idumb in this repository.
var ErrNoRoot = errors.New("no .idumb folder")

// Root is the absolute path of a repository: the folder that .idumb stands in.
type Root string

// Find walks up from dir to the nearest folder with a .idumb. A git repository that has none
// is governed by the one around it, as a submodule or a clone inside is: the session that
// works there belongs to the outer one. A linked working tree that has none is governed by the
// main one's, wherever that stands. The walk ends where another file system begins, or the
// folders of another owner: what stands there is nobody's word about this one. A plain file of
// that name in a folder above is no .idumb. ErrNoRoot.
func Find(dir string) (Root, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		own := at == start || exists(filepath.Join(at, ".git"))
		if governs(filepath.Join(at, Dir), own) {
			return Root(at), nil
		}
		if main := MainRoot(at); main != "" && sameHome(start, main) {
			return Root(main), nil
		}
		if at == filepath.Dir(at) || !sameHome(start, filepath.Dir(at)) {
			return "", fmt.Errorf("%w in %s; run \"idumb init\" in the repository first", ErrNoRoot, span(start, at))
		}
	}
}

// span names the folders from start up to the last one that was looked at.
func span(start, last string) string {
	if start == last {
		return start
	}
	return start + " or above it, up to " + last
}

// governs reports whether what is called .idumb may be a folder of ours. A plain file of
// that name somewhere above is somebody else's; in the folder that is asked about, or in a
// git repository's root, it stands where plans should be, and counts, so that who reads
// them says what is wrong. So does a link.
func governs(path string, own bool) bool {
	info, err := os.Lstat(path)
	return err == nil && (own || !info.Mode().IsRegular()) || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// exists reports whether there is anything of that name; what cannot be asked
// about counts as there, so that the error comes up when it is used.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Abs turns a path of this package into one of the operating system.
func (r Root) Abs(path string) string { return filepath.Join(string(r), filepath.FromSlash(path)) }

// Rel is the reverse of Abs; false for a path outside the repository.
func (r Root) Rel(abs string) (string, bool) {
	rel, err := filepath.Rel(string(r), abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// maxPointer is the longest of git's files that name another one, in bytes.
const maxPointer = 32 << 10

// MainTree is the working tree that a linked one was made of (git worktree add), links resolved;
// "" for any other folder. Git's own folder has to know of the tree: a file .git alone says
// nothing.
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

// pointerIn is what a small file of git's holds, "" if there is none.
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

// MainRoot is the main working tree if dir is the root of a linked one, and that one has a .idumb;
// else "".
func MainRoot(dir string) string {
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	main := MainTree(dir)
	if main == "" || !governs(filepath.Join(main, Dir), true) {
		return ""
	}
	return main
}

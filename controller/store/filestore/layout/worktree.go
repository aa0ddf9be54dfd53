package layout

import (
	"os"
	"path/filepath"
	"strings"
)

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

package effects

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// inWorktree returns where a file stands in its working tree, with '/', if that is
// another working tree of the repository: a subagent in one of its own (Claude Code
// makes them under .claude/worktrees) writes the same files as everybody else, only
// elsewhere, and is held to the same rules. real has its links resolved.
//
// A folder is believed to be such a tree only if git's own folder, which no agent
// writes, knows of it; and none of those that stand in governed folders is.
func (r Resolver) inWorktree(real string) (string, bool) {
	for dir := filepath.Dir(real); dir != r.Root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if !isFile(filepath.Join(dir, ".git")) {
			continue
		}
		if !r.knowsWorktree(dir) {
			return "", false // a repository of its own, as a submodule is
		}
		return below(dir, real)
	}
	return "", false
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// knowsWorktree reports whether git made a working tree of the repository, or both of the same.
func (r Resolver) knowsWorktree(tree string) bool {
	if rel, inside := below(r.Root, tree); inside && governs(rel) {
		return false
	}
	main := cmp.Or(layout.MainTree(tree), tree)
	return main == cmp.Or(layout.MainTree(r.Root), r.Root)
}

// governs reports whether a folder of the repository holds governance's or git's own files.
func governs(rel string) bool {
	first, _, _ := strings.Cut(strings.ToLower(rel), "/")
	return first == ".idumb" || first == ".git"
}

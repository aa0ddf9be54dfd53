package layout

import (
	"os"
	"path/filepath"
	"slices"
)

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

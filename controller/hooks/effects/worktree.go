package effects

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// inWorktree returns the path of a file, with '/', if the file is in another
// working tree of the repository. It also returns the tree with the plans that
// judge the file. real must have its links resolved.
//
// The plans of the session judge the tree in which the session works. A
// subagent in a separate working tree (Claude Code creates them under
// .claude/worktrees) writes the same files as every other agent, at another
// location. If another tree has plans, they judge that tree, and tree names it.
// Files below .idumb of another tree belong to its plans in either case. Git's
// shared directory is governed from every tree.
//
// A directory counts as a working tree only if git's directory, which no agent
// writes, lists it. A directory inside a governed directory never counts.
func (r Resolver) inWorktree(real string) (rel, tree string, found bool) {
	for dir := filepath.Dir(real); dir != r.Root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err != nil {
			continue
		}
		switch {
		case info.IsDir() && layout.MainTree(r.Root) == dir:
		case info.Mode().IsRegular() && r.knowsWorktree(dir):
		default:
			return "", "", false // a separate repository, for example a submodule
		}
		rel, found = relativeTo(dir, real)
		if strings.EqualFold(firstOf(rel), layout.Dir) || r.hasOwnPlans(dir) {
			tree = filepath.ToSlash(dir)
		}
		return rel, tree, found
	}
	if _, inside := relativeTo(r.Root, real); inside {
		return "", "", false
	}
	if rel, found = relativeTo(layout.SharedDir(r.Root), real); found {
		return ".git/" + rel, "", true
	}
	return "", "", false
}

// hasOwnPlans reports whether the plans of another working tree judge its files.
// This is so if it has plans and the session does not work there.
func (r Resolver) hasOwnPlans(tree string) bool {
	if _, inside := relativeTo(tree, ResolveLinks(r.Cwd)); inside {
		return false
	}
	_, err := os.Lstat(filepath.Join(tree, layout.Dir))
	return err == nil
}

// firstOf returns the first element of a path.
func firstOf(rel string) string {
	first, _, _ := strings.Cut(rel, "/")
	return first
}

// knowsWorktree reports whether git created the working tree for the
// repository, or both trees for the same one.
func (r Resolver) knowsWorktree(tree string) bool {
	if rel, inside := relativeTo(r.Root, tree); inside && isGoverned(rel) {
		return false
	}
	main := cmp.Or(layout.MainTree(tree), tree)
	return main == cmp.Or(layout.MainTree(r.Root), r.Root)
}

// isGoverned reports whether a folder of the repository belongs to iDumb's
// governance or to git.
func isGoverned(rel string) bool {
	first := strings.ToLower(firstOf(rel))
	return first == ".idumb" || first == ".git"
}

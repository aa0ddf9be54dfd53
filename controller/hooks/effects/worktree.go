package effects

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// inWorktree returns where a file is in its working tree, with '/', if that is another working tree of the
// repository, and whose plans judge it. real has its links resolved.
//
// The plans of the session judge the tree that the session works in: a subagent in a working tree of its own (Claude
// Code makes them under .claude/worktrees) writes the same files as every other agent, only elsewhere. The plans of
// any other tree that has some judge that tree, which tree names. Files below .idumb of another tree belong to its
// plans in either case. Git's shared directory is governed from every tree.
//
// A directory is believed to be such a tree only if git's own directory, which no agent writes, knows of it, and
// never inside a governed directory.
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
			return "", "", false // a repository of its own, as a submodule is
		}
		rel, found = below(dir, real)
		if strings.EqualFold(firstOf(rel), layout.Dir) || r.judges(dir) {
			tree = filepath.ToSlash(dir)
		}
		return rel, tree, found
	}
	if _, inside := below(r.Root, real); inside {
		return "", "", false
	}
	if rel, found = below(layout.SharedDir(r.Root), real); found {
		return ".git/" + rel, "", true
	}
	return "", "", false
}

// judges reports whether the plans of another working tree judge its files: it has some, and the session does not
// work there.
func (r Resolver) judges(tree string) bool {
	if _, inside := below(tree, Followed(r.Cwd)); inside {
		return false
	}
	_, err := os.Lstat(filepath.Join(tree, layout.Dir))
	return err == nil
}

// firstOf is the first element of a path.
func firstOf(rel string) string {
	first, _, _ := strings.Cut(rel, "/")
	return first
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
	first := strings.ToLower(firstOf(rel))
	return first == ".idumb" || first == ".git"
}

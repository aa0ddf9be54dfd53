package effects

import (
	"os"
	"path/filepath"
	"strings"
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

// knowsWorktree reports whether the repository's git folder lists a working tree.
func (r Resolver) knowsWorktree(tree string) bool {
	if rel, inside := below(r.Root, tree); inside && governs(rel) {
		return false
	}
	private := pointer(filepath.Join(tree, ".git"), "gitdir:", tree)
	if private == "" || filepath.Base(filepath.Dir(private)) != "worktrees" {
		return false
	}
	if filepath.Dir(filepath.Dir(private)) != r.commonGit() {
		return false
	}
	return pointer(filepath.Join(private, "gitdir"), "", private) == filepath.Join(tree, ".git")
}

// governs reports whether a folder of the repository holds governance's or git's own files.
func governs(rel string) bool {
	first, _, _ := strings.Cut(strings.ToLower(rel), "/")
	return first == ".idumb" || first == ".git"
}

// commonGit is the git folder that all working trees of the repository share.
func (r Resolver) commonGit() string {
	git := filepath.Join(r.Root, ".git")
	if !isFile(git) {
		return Followed(git)
	}
	private := pointer(git, "gitdir:", r.Root)
	if private == "" {
		return ""
	}
	if common := pointer(filepath.Join(private, "commondir"), "", private); common != "" {
		return common
	}
	return private
}

// maxPointer is the longest of git's files that name another one, in bytes.
const maxPointer = 32 << 10

// pointer reads a file of git's that holds the path of another, links resolved; "" if
// it cannot.
func pointer(file, label, base string) string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPointer {
		return ""
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(data)), label)
	if target = filepath.FromSlash(strings.TrimSpace(target)); !ok || target == "" {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(base, target)
	}
	return Followed(target)
}

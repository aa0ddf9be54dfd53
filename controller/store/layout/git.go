package layout

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// GitDir returns git's directory for the working tree that contains dir, or "".
func GitDir(dir string) string {
	top := topOf(dir)
	path := filepath.Join(top, ".git")
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	if target, ok := strings.CutPrefix(pointerIn(path), "gitdir:"); ok {
		return relativePath(top, strings.TrimSpace(target))
	}
	return ""
}

// Indexing reports whether git is changing its index, and with it the files of
// the working tree.
func (r Root) Indexing() bool {
	git := GitDir(string(r))
	return git != "" && exists(filepath.Join(git, "index.lock"))
}

// headSettleTime is the time that git may take to move HEAD after changing its index.
const headSettleTime = time.Second

// GitAtWork reports whether git is changing its index, or did so recently
// enough that HEAD may still move.
func (r Root) GitAtWork() bool { return r.Indexing() || r.IndexMoved(time.Now().Add(-headSettleTime)) }

// topOf returns the root of the working tree that contains dir. Outside a
// working tree it returns the file system's root.
func topOf(dir string) string {
	for !exists(filepath.Join(dir, ".git")) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// CommonDir returns the directory that all working trees of a repository share,
// from git's directory of one of them: $GIT_COMMON_DIR in
// gitrepository-layout(5).
func CommonDir(gitDir string) string {
	if common := pointerIn(filepath.Join(gitDir, "commondir")); common != "" {
		return relativePath(gitDir, common)
	}
	return gitDir
}

// Shared reports whether several users share git's directory:
// core.sharedRepository in its settings.
func (r Root) Shared() bool {
	git := GitDir(string(r))
	if git == "" {
		return false
	}
	config, _ := os.ReadFile(filepath.Join(CommonDir(git), "config"))
	for line := range strings.Lines(strings.ToLower(string(config))) {
		if name, value, _ := strings.Cut(line, "="); strings.TrimSpace(name) == "sharedrepository" {
			switch strings.TrimSpace(value) {
			case "umask", "false", "0", "no", "off":
			default:
				return true
			}
		}
	}
	return false
}

// relativePath returns path, relative to dir unless it is absolute.
func relativePath(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// leasesDir is the directory of leases in a repository without git.
const leasesDir = RunDir + "/leases"

// leaseNames returns the path elements from git's common directory to the
// directory of leases. Each .idumb in a repository has its own directory, named
// by its position in the working tree.
func (r Root) leaseNames() []string {
	names := []string{"idumb", "leases"}
	if rel, err := filepath.Rel(topOf(string(r)), string(r)); err == nil && rel != "." {
		names = append(names, resources.NameOfID(filepath.ToSlash(rel)))
	}
	return names
}

// LeasesFolder returns the path of the directory of leases for users, relative
// to the root if it is below it.
func (r Root) LeasesFolder() string {
	git := GitDir(string(r))
	if git == "" {
		return leasesDir
	}
	folder := filepath.Join(append([]string{CommonDir(git)}, r.leaseNames()...)...)
	if rel, inside := r.Rel(folder); inside {
		return rel
	}
	return filepath.ToSlash(folder)
}

// MissingGitDir returns the directory of git that the file .git names and that does not exist, as
// after git worktree prune; otherwise "".
func (r Root) MissingGitDir() string {
	if git := GitDir(string(r)); git != "" && !exists(git) {
		return git
	}
	return ""
}

// Reconnect tells how a working tree gets its directory of git back.
const Reconnect = "run \"git worktree repair\" there, or add the working tree again"

// Leases opens the directory of leases that all working trees of a repository
// share. It is in git's common directory, or in .idumb/run without git. It
// returns store.ErrNotFound if the directory does not exist and create is
// false.
func (r Root) Leases(create bool) (*OpenDir, error) {
	if GitDir(string(r)) == "" {
		return r.walk(leasesDir, create)
	}
	return r.walkGit(path.Join(r.leaseNames()...), create)
}

// walkGit opens a directory below git's common directory and creates it if
// create is true. It returns store.ErrNotFound if the directory or git's
// directory does not exist.
func (r Root) walkGit(folder string, create bool) (*OpenDir, error) {
	git := GitDir(string(r))
	if git == "" {
		return nil, missing(".git")
	}
	at, err := openFolder(filepath.Join(CommonDir(git), filepath.FromSlash(folder)))
	if err == nil {
		return &OpenDir{path: ".git/" + folder, handle: at}, nil
	}
	if !create {
		return nil, openError(".git/"+folder, err)
	}
	if gone := r.MissingGitDir(); gone != "" {
		return nil, fmt.Errorf("%s, which .git names, does not exist: git has pruned this worktree or was moved; %s", gone, Reconnect)
	}
	if at, err = openFolder(CommonDir(git)); err != nil {
		return nil, Explain(git, err)
	}
	d := &OpenDir{path: ".git", handle: at}
	for part := range strings.SplitSeq(folder, "/") {
		next, err := d.enter(part, create)
		d.Close()
		if err != nil {
			return nil, Explain(d.path+"/"+part, err)
		}
		d = next
	}
	return d, nil
}

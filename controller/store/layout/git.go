package layout

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// GitDir is git's own folder for the working tree that a folder is in; "" for none.
func GitDir(dir string) string {
	top := topOf(dir)
	path := filepath.Join(top, ".git")
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	if target, ok := strings.CutPrefix(pointerIn(path), "gitdir:"); ok {
		return beside(top, strings.TrimSpace(target))
	}
	return ""
}

// Indexing reports whether git is changing its index, and the files of the working tree with it.
func (r Root) Indexing() bool {
	git := GitDir(string(r))
	return git != "" && exists(filepath.Join(git, "index.lock"))
}

// settling is how long after a change of its index git may take to move HEAD.
const settling = time.Second

// GitAtWork reports whether git changes its index, or did so recently enough that HEAD may still
// move.
func (r Root) GitAtWork() bool { return r.Indexing() || r.IndexMoved(time.Now().Add(-settling)) }

// topOf is the working tree that a folder is in; the uppermost folder where it is in none.
func topOf(dir string) string {
	for !exists(filepath.Join(dir, ".git")) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// CommonDir is the folder that all working trees of a repository share, for one of git's own
// folders: gitrepository-layout(5) calls it $GIT_COMMON_DIR.
func CommonDir(gitDir string) string {
	if common := pointerIn(filepath.Join(gitDir, "commondir")); common != "" {
		return beside(gitDir, common)
	}
	return gitDir
}

// Shared reports whether several users share git's folder: core.sharedRepository in its settings.
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

// beside is a path that may be relative to a folder.
func beside(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// leasesDir holds the leases of a repository without git.
const leasesDir = RunDir + "/leases"

// leaseNames are the folders from git's common one to that of the leases: each .idumb of a repository
// has its own, by where it stands in the working tree.
func (r Root) leaseNames() []string {
	names := []string{"idumb", "leases"}
	if rel, err := filepath.Rel(topOf(string(r)), string(r)); err == nil && rel != "." {
		names = append(names, resources.NameOfID(filepath.ToSlash(rel)))
	}
	return names
}

// LeasesFolder names the folder of the leases for people: from the root where it is below that.
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

// Leases opens the folder of the leases: where all working trees of a repository meet, in git's
// common folder, or without git in .idumb/run. It is made if create says so; else it is
// store.ErrNotFound where nobody ever held a task.
func (r Root) Leases(create bool) (*OpenDir, error) {
	if GitDir(string(r)) == "" {
		return r.walk(leasesDir, create)
	}
	return r.walkGit(path.Join(r.leaseNames()...), create)
}

// walkGit opens a folder below git's common one, or makes it if create says so. store.ErrNotFound
// where there is none, or no git.
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

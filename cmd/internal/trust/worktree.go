package trust

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// read reads the record of a repository, and returns the folder that it is in; nothing but
// that one file is opened where the environment's own place has it. A working tree that
// git made of a repository stands under that one's record until it has its own: the same
// person's, and what governs in it has to be the same, byte for byte, to be trusted.
func (s Store) read(real string) (dir string, data []byte, err error) {
	if data, err = readCounting(s.dir, real, real); err == nil {
		return s.dir, data, nil
	}
	main := mainTree(real)
	for _, dir := range s.places() {
		if dir != s.dir {
			if data, err = readCounting(dir, real, real); err == nil {
				return dir, data, nil
			}
		}
		if main == "" {
			continue
		}
		if data, err = readCounting(dir, main, real); err == nil {
			return dir, data, nil
		}
	}
	return "", nil, err
}

// readCounting reads the record of a repository, "of", in a folder, if it counts for the
// one that is asked about: it belongs to this user, and stands outside both.
func readCounting(dir, of, asked string) ([]byte, error) {
	if dir == "" {
		return nil, fs.ErrNotExist
	}
	data, err := readRecord(recordIn(dir, of))
	if err == nil && (inside(dir, of) || asked != of && inside(dir, asked)) {
		return nil, fs.ErrPermission
	}
	return data, err
}

// mainTree is the repository that a working tree was made of (git worktree add), "" for
// any other folder. Git's folder has to know of the tree: a file .git alone says nothing.
func mainTree(real string) string {
	private, ok := strings.CutPrefix(line(filepath.Join(real, ".git")), "gitdir:")
	private = filepath.FromSlash(strings.TrimSpace(private))
	if !ok || private == "" {
		return ""
	}
	if !filepath.IsAbs(private) {
		private = filepath.Join(real, private)
	}
	private, err := filepath.EvalSymlinks(private)
	if err != nil {
		return ""
	}
	trees := filepath.Dir(private)
	git := filepath.Dir(trees)
	if filepath.Base(trees) != "worktrees" || filepath.Base(git) != ".git" {
		return ""
	}
	back, err := filepath.EvalSymlinks(filepath.FromSlash(line(filepath.Join(private, "gitdir"))))
	if err != nil || back != filepath.Join(real, ".git") {
		return ""
	}
	return filepath.Dir(git)
}

// line is what a small file holds, "" if there is none.
func line(file string) string {
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 32<<10))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
